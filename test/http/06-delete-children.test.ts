/** Deleting all children of a container (docs/interface.md, Deleting). */
import test from 'ava'
import {answerOf, create, ldp, preferChildren, saidOf} from '../support/documents.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

const statusOf = async (path: string) => (await service.send({path})).status
const removeChildren = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  service.send({method: 'DELETE', path, headers: {Prefer: preferChildren, ...headers}})

test('deletes the children with everything below them; the container does not change', async t => {
  const top = await create(t, service, {slug: 'top', body: '<> <http://x.example/p> "v" .'})
  const a = await create(t, service, {parent: top.path, slug: 'a'})
  const b = await create(t, service, {parent: a.path, slug: 'b'})
  const c = await create(t, service, {parent: top.path, slug: 'c'})
  const before = answerOf(t, await service.send({path: top.path}))

  const answer = await removeChildren(top.path)

  t.deepEqual(answerOf(t, answer), {
    status: 204,
    headers: {
      link: `<${ldp}Resource>; rel="type"`,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    },
    body: '',
  })
  t.true(Math.abs(Date.parse(String(answer.headers.date)) - Date.now()) < 60_000)
  t.deepEqual(await Promise.all([a, b, c].map(({path}) => statusOf(path))), [404, 404, 404])
  t.deepEqual(answerOf(t, await service.send({path: top.path})), before)
})

test('every reference to a child is removed; documents that had one get a new ETag', async t => {
  const top = await create(t, service, {slug: 'references'})
  const child = await create(t, service, {parent: top.path, slug: 'child'})
  const link = `<> <http://x.example/p> <${child.iri}>, "kept", (<${child.iri}> 1) .`
  const other = await create(t, service, {slug: 'referring', body: link})

  await removeChildren(top.path)

  const said = (await saidOf(service, other.path)).map(line => line.replace(/_:\w+/g, '_:b'))
  t.deepEqual(said, [
    '<> <http://x.example/p> "kept"',
    '<> <http://x.example/p> _:b',
    '_:b <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> "1"^^<http://www.w3.org/2001/XMLSchema#integer>',
    '_:b <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> <http://www.w3.org/1999/02/22-rdf-syntax-ns#nil>',
  ])
  t.not((await service.send({path: other.path})).headers.etag, other.etag)
})

test('extra omits are allowed, and quoted, comma-joined preferences mean the same', async t => {
  const {path} = await create(t, service, {slug: 'quoted'})
  const child = await create(t, service, {parent: path, slug: 'child'})
  const c = 'https://carbonldp.com/ns/v1/platform#'
  const omitted = [
    'PreferContainer',
    'PreferMembershipTriples',
    'PreferMembershipResources',
    'PreferContainmentTriples',
  ]
  const quoted = [
    `${ldp}Container; rel=interaction-model`,
    `include="${c}PreferContainmentResources"`,
    `omit="${omitted.map(name => c + name).join(' ')}"`,
  ].join(', ')

  t.is((await service.send({method: 'DELETE', path, headers: {Prefer: quoted}})).status, 204)

  t.deepEqual([await statusOf(path), await statusOf(child.path)], [200, 404])
})

test('a container without children is a 204 as well', async t => {
  const {path} = await create(t, service, {slug: 'childless'})

  t.is((await removeChildren(path)).status, 204)
})

test('If-Match is optional: a stale one is a 412 and deletes nothing', async t => {
  const {path, etag} = await create(t, service, {slug: 'conditional'})
  const child = await create(t, service, {parent: path, slug: 'child'})

  t.is((await removeChildren(path, {'If-Match': '"stale"'})).status, 412)
  t.is(await statusOf(child.path), 200)
  t.is((await removeChildren(path, {'If-Match': etag})).status, 204)
})

test('a container that does not exist is a 404; the root is a 405', async t => {
  t.is((await removeChildren('/none/')).status, 404)
  t.is((await removeChildren('/')).status, 405)
})
