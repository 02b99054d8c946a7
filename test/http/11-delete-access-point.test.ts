/** Deleting an access point: DELETE (docs/interface.md, Deleting). */
import test from 'ava'
import {answerOf, c, create, ldp} from '../support/documents.ts'
import {
  add,
  asSource,
  brokenInvariants,
  changedBy,
  childrenOf,
  createAccessPoint,
  ex,
  valuesOf,
} from '../support/members.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

const relation = `${ex}participant`
const inverse = `${ex}participatesIn`

async function filled(t: Parameters<typeof create>[0], slug: string) {
  const {path: parent} = await create(t, service, {slug})
  const member = await create(t, service, {slug: `${slug}-member`})
  const point = await createAccessPoint(t, service, {parent, slug: 'p', relation, inverse})
  const other = await createAccessPoint(t, service, {parent, slug: 'other', relation: `${ex}guest`})
  await add(service, point.path, [member.iri])
  return {parent, member, point, other}
}

test('deletes the access point and its c:accessPoint triple; the triples of its members stay', async t => {
  const {parent, member, point, other} = await filled(t, 'alone')

  const changed = await changedBy(t, service, [parent, member.path, other.path], async () => {
    const answer = await service.send({method: 'DELETE', path: point.path, headers: {Prefer: asSource}})
    t.deepEqual(answerOf(t, answer), {
      status: 204,
      headers: {
        link: `<${ldp}Resource>; rel="type"`,
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
      },
      body: '',
    })
    t.false(Number.isNaN(Date.parse(answer.headers.date ?? '')))
  })

  t.deepEqual(changed, [parent])
  t.is((await service.send({path: point.path})).status, 404)
  t.deepEqual(await valuesOf(service, parent, `${c}accessPoint`), [other.path])
  t.deepEqual(await childrenOf(service, parent), [other.path])
  t.deepEqual(await valuesOf(service, parent, relation), [member.path])
  t.deepEqual(await valuesOf(service, member.path, inverse), [parent])
})

test('the same without Prefer; a stale If-Match is a 412 and deletes nothing', async t => {
  const {point} = await filled(t, 'conditional')

  const stale = await service.send({method: 'DELETE', path: point.path, headers: {'If-Match': '"0"'}})
  t.is(stale.status, 412)
  t.is((await service.send({path: point.path})).status, 200)
  t.is((await service.send({method: 'DELETE', path: point.path, headers: {'If-Match': point.etag}})).status, 204)
  t.is((await service.send({method: 'DELETE', path: point.path})).status, 404)
})

test('deletes its children, and removes them from the members', async t => {
  const {parent, member, point} = await filled(t, 'with-children')
  const child = await create(t, service, {parent: point.path, slug: 'child'})

  await service.send({method: 'DELETE', path: point.path})

  t.is((await service.send({path: child.path})).status, 404)
  t.deepEqual(await valuesOf(service, parent, relation), [member.path])
})

test('deleting the document deletes its access points and the references in the members', async t => {
  const {parent, member, point, other} = await filled(t, 'with-document')

  const changed = await changedBy(t, service, [member.path], () => service.send({method: 'DELETE', path: parent}))

  t.deepEqual(changed, [member.path])
  t.deepEqual(await valuesOf(service, member.path, inverse), [])
  for (const path of [parent, point.path, other.path]) t.is((await service.send({path})).status, 404)
  t.deepEqual(await brokenInvariants(service), [])
})

test('the same access point can be created again; it has the same list', async t => {
  const {parent, member, point} = await filled(t, 'again')
  await service.send({method: 'DELETE', path: point.path})

  const again = await createAccessPoint(t, service, {parent, slug: 'p', relation, inverse})

  t.not(again.etag, point.etag)
  t.deepEqual(await valuesOf(service, again.path, relation, {Prefer: `include="${ldp}PreferMembership"`}), [])
  const {text} = await service.send({
    path: again.path,
    headers: {Prefer: `include="${ldp}PreferMembership"`, Accept: 'application/n-triples'},
  })
  t.true(text.includes(`<${service.base}${parent.slice(1)}> <${relation}> <${member.iri}> .`))
})
