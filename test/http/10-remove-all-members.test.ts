/** Removing all members: DELETE (docs/interface.md, Members). */
import ava from 'ava'
import {answerOf, c, create, ldp, preferChildren} from '../support/documents.ts'
import {
  add,
  asContainer,
  asSource,
  brokenInvariants,
  changedBy,
  childrenOf,
  createAccessPoint,
  ex,
  patch,
  preferAll,
  removeAll,
  ruleOf,
  valuesOf,
} from '../support/members.ts'
import {startService, type TestService} from '../support/service.ts'

const test = ava.serial // the tests share the members

let service: TestService
let people: readonly {readonly path: string; readonly iri: string}[]

test.before(async t => {
  service = await startService()
  people = await Promise.all(['ann', 'bob', 'cyd'].map(slug => create(t as never, service, {slug})))
})
test.after.always(() => service.stop())

const relation = `${ex}participant`
const inverse = `${ex}participatesIn`
const membership = {Prefer: `include="${ldp}PreferMembership"`}

async function filled(t: Parameters<typeof create>[0], slug: string) {
  const {path: parent} = await create(t, service, {slug})
  const {path, etag} = await createAccessPoint(t, service, {parent, slug: 'p', relation, inverse})
  await add(service, path, [people[0]?.iri ?? '', people[1]?.iri ?? ''])
  return {parent, path, etag}
}

test('removes all members, with both triples; the access point does not change and still works', async t => {
  const {parent, path, etag} = await filled(t, 'all')
  const paths = people.map(person => person.path)

  const changed = await changedBy(t, service, [parent, path, ...paths], async () => {
    const answer = await removeAll(service, path)
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

  t.deepEqual(changed, [parent, ...paths.slice(0, 2)])
  t.deepEqual(await valuesOf(service, parent, relation), [])
  t.deepEqual(await valuesOf(service, paths[0] ?? '', inverse), [])
  t.is((await service.send({path})).headers.etag, etag)
  t.is((await add(service, path, [people[2]?.iri ?? ''])).status, 204)
  t.deepEqual(await valuesOf(service, parent, relation), [paths[2]])
})

test('an empty list is a 204 that changes nothing', async t => {
  const {parent, path} = await filled(t, 'twice')
  await removeAll(service, path)

  t.deepEqual(await changedBy(t, service, [parent, path], () => removeAll(service, path)), [])
})

test('the omit is optional, and the longer list of the SDK is accepted', async t => {
  const sets = [
    preferAll.slice(0, 2).join(', '),
    `${asContainer}, include="${c}PreferMembershipTriples", omit="${['PreferMembershipResources', 'PreferContainmentTriples', 'PreferContainmentResources', 'PreferContainer'].map(name => c + name).join(' ')}"`,
  ]

  for (const [index, prefer] of sets.entries()) {
    const {parent, path} = await filled(t, `omit-${index}`)
    t.is((await removeAll(service, path, {headers: {Prefer: prefer}})).status, 204)
    t.deepEqual(await valuesOf(service, parent, relation), [])
  }
})

test('a missing or contradictory preference is a 400 that removes nothing', async t => {
  const {parent, path} = await filled(t, 'lost')
  const [model = '', include = '', omit = ''] = preferAll
  const sets: readonly (readonly string[])[] = [
    [model],
    [include],
    [omit],
    [include, omit],
    [model, omit],
    [asSource, include],
    [asSource, include, omit],
    [model, include, `include=${c}PreferSelectedMembershipTriples`],
    [model, include, `include=${c}PreferContainmentResources`],
    [model, include, `omit=${c}PreferMembershipTriples`],
  ]

  const changed = await changedBy(t, service, [parent, path, people[0]?.path ?? ''], async () => {
    for (const prefer of sets) {
      const answer = await removeAll(service, path, {headers: {Prefer: prefer}})
      t.is(answer.status, 400, prefer.join(' | '))
      t.true(['delete-scope', 'prefer-contradiction'].includes(ruleOf(answer)), prefer.join(' | '))
    }
  })

  t.deepEqual(changed, [])
})

test('with a body it is a 400: preferences of another deletion may be missing', async t => {
  const {parent, path} = await filled(t, 'body')
  const headers = {Prefer: preferAll, 'Content-Type': 'text/turtle'}

  const changed = await changedBy(t, service, [parent, path], async () => {
    const answer = await service.send({method: 'DELETE', path, headers, body: '# x'})
    t.deepEqual([answer.status, ruleOf(answer)], [400, 'delete-scope'])
  })

  t.deepEqual(changed, [])
})

test('a stale If-Match is a 412 that removes nothing, the current one a 204', async t => {
  const {parent, path, etag} = await filled(t, 'conditional')

  t.is((await removeAll(service, path, {headers: {'If-Match': '"0"'}})).status, 412)
  t.is((await valuesOf(service, parent, relation)).length, 2)
  t.is((await removeAll(service, path, {headers: {'If-Match': etag}})).status, 204)
  t.is((await removeAll(service, '/none/')).status, 404)
})

test('for a plain document, added members and children are removed from the list; children stay children', async t => {
  const {path} = await create(t, service, {slug: 'plain'})
  const child = await create(t, service, {parent: path, slug: 'child'})
  await add(service, path, [people[0]?.iri ?? ''])
  t.is((await valuesOf(service, path, `${ldp}member`, membership)).length, 2)

  t.is((await removeAll(service, path)).status, 204)

  t.deepEqual(await valuesOf(service, path, `${ldp}member`, membership), [])
  t.deepEqual(await childrenOf(service, path), [child.path])
  t.is((await service.send({path: child.path})).status, 200)
})

test('only members are removed: values that are not IRIs, other relations and other lists stay', async t => {
  const {parent, path} = await filled(t, 'only')
  const guests = await createAccessPoint(t, service, {parent, slug: 'guests', relation: `${ex}guest`})
  await add(service, guests.path, [people[0]?.iri ?? ''])
  await patch(service, parent, `Add { <> <${relation}> "text", 5, <http://x.example/> ; <${ex}other> </ann/> . } .`)

  await removeAll(service, path)

  t.deepEqual(await valuesOf(service, parent, relation), ['"5"^^<http://www.w3.org/2001/XMLSchema#integer>', '"text"'])
  t.deepEqual(await valuesOf(service, parent, `${ex}guest`), [people[0]?.path])
  t.deepEqual(await valuesOf(service, parent, `${ex}other`), [people[0]?.path])
})

test('deleting all children of an access point is different: it deletes them and their memberships', async t => {
  const {parent, path} = await filled(t, 'children')
  const child = await create(t, service, {parent: path, slug: 'child'})

  const {status} = await service.send({method: 'DELETE', path, headers: {Prefer: preferChildren}})

  t.is(status, 204)
  t.is((await service.send({path: child.path})).status, 404)
  t.deepEqual(
    await valuesOf(service, parent, relation),
    people.slice(0, 2).map(person => person.path),
  )
  t.deepEqual(await brokenInvariants(service), [])
})
