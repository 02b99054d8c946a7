/** Deleting a document: DELETE (docs/interface.md, Deleting). */
import test from 'ava'
import {answerOf, c, create, jsonLd, ldp, readValue, refusal, saidOf, turtle} from '../support/documents.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

const gone = {
  status: 204,
  headers: {
    link: `<${ldp}Resource>; rel="type"`,
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  },
  body: '',
}

test('a DELETE is a 204 with Date, and the document is a 404 afterwards', async t => {
  const {path} = await create(t, service, {slug: 'plain'})

  const answer = await service.send({method: 'DELETE', path})

  t.deepEqual(answerOf(t, answer), gone)
  t.true(Math.abs(Date.parse(String(answer.headers.date)) - Date.now()) < 60_000)
  t.is((await service.send({path})).status, 404)
  t.is((await service.send({method: 'DELETE', path})).status, 404)
})

test('the interaction model RDFSource means the same; If-Match is optional', async t => {
  const {path, etag} = await create(t, service, {slug: 'model'})
  const headers = {Prefer: `${ldp}RDFSource; rel=interaction-model`}

  t.is((await service.send({method: 'DELETE', path, headers: {...headers, 'If-Match': '"stale"'}})).status, 412)
  t.is((await service.send({method: 'DELETE', path, headers: {...headers, 'If-Match': `W/${etag}`}})).status, 412)
  t.is((await service.send({method: 'DELETE', path, headers: {...headers, 'If-Match': etag}})).status, 204)
})

test('If-Unmodified-Since is honoured if there is no condition on entity tags', async t => {
  const {path, etag} = await create(t, service, {slug: 'since'})
  const headers = {'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT'}

  t.is((await service.send({method: 'DELETE', path, headers})).status, 412)
  t.is((await service.send({method: 'DELETE', path, headers: {...headers, 'If-Match': etag}})).status, 204)
})

test('a delete removes all descendants in one request; siblings stay', async t => {
  const top = await create(t, service, {slug: 'deep'})
  const a = await create(t, service, {parent: top.path, slug: 'a'})
  const b = await create(t, service, {parent: a.path, slug: 'b'})
  const other = await create(t, service, {parent: top.path, slug: 'other'})

  t.is((await service.send({method: 'DELETE', path: a.path, headers: {Depth: 'infinity'}})).status, 204)

  t.deepEqual(
    await Promise.all([top, a, b, other].map(async ({path}) => (await service.send({path})).status)),
    [200, 404, 404, 200],
  )
})

test('Depth: 0 for a document with children is a 409; an invalid Depth is a 400', async t => {
  const {path, iri} = await create(t, service, {slug: 'depth'})
  const child = await create(t, service, {parent: path, slug: 'child'})
  const remove = (target: string, depth: string) =>
    service.send({method: 'DELETE', path: target, headers: {Depth: depth}})

  t.deepEqual(
    answerOf(t, await remove(path, '0')),
    refusal(
      service,
      {status: 409, rule: 'document-empty', detail: `<${iri}> has children, and Depth: 0 leaves them no parent.`},
      {path},
    ),
  )
  for (const depth of ['1', '-1', 'all', '']) t.is((await remove(path, depth)).status, 400, depth)
  t.is((await service.send({path: child.path})).status, 200)
  t.is((await remove(child.path, '0')).status, 204)
  t.is((await remove(path, '0')).status, 204)
})

test('every reference to it is removed, also in other documents, whose ETag and c:modified then change', async t => {
  const target = await create(t, service, {slug: 'target'})
  const child = await create(t, service, {parent: target.path, slug: 'child'})
  const body = `<> <http://x.example/p> <${target.iri}>, "kept" ; <http://x.example/q> <${child.iri}>, <#f> .
    <#f> <http://x.example/r> <${target.iri}> .`
  const referring = await create(t, service, {slug: 'referring', body})
  const unrelated = await create(t, service, {slug: 'unrelated', body: '<> <http://x.example/p> "kept" .'})
  const modified = await readValue(service, referring.path, `${c}modified`)

  await service.send({method: 'DELETE', path: target.path})

  t.deepEqual(await saidOf(service, referring.path), [
    '<> <http://x.example/p> "kept"',
    `<> <http://x.example/q> <${referring.iri}#f>`,
  ])
  t.not((await service.send({path: referring.path})).headers.etag, referring.etag)
  t.true(Date.parse(await readValue(service, referring.path, `${c}modified`)) > Date.parse(modified))
  t.is((await service.send({path: unrelated.path})).headers.etag, unrelated.etag)
})

test('it is removed from lists: first, middle, last, adjacent and only items; nested lists too', async t => {
  const lists: readonly (readonly [string, string])[] = [
    ['X 1 2', '1 2'],
    ['1 X 2', '1 2'],
    ['1 2 X', '1 2'],
    ['X X', ''],
    ['1 X X 2 X', '1 2'],
    ['X', ''],
    ['1 (X 2) (X)', '1 (2) ()'],
  ]
  for (const [number, [before, after]] of lists.entries()) {
    const target = await create(t, service, {slug: `entry-${number}`})
    const list = before.replaceAll('X', `<${target.iri}>`)
    const holder = await create(t, service, {slug: `list-${number}`, body: `<> <http://x.example/p> (${list}) .`})
    const wanted = await create(t, service, {slug: `wanted-${number}`, body: `<> <http://x.example/p> (${after}) .`})

    await service.send({method: 'DELETE', path: target.path})

    const [found, expected] = await Promise.all([holder, wanted].map(({path}) => listOf(path)))
    t.deepEqual(found, expected, before)
    t.not((await service.send({path: holder.path})).headers.etag, holder.etag)
  }
})

/** The value of the list's property in JSON-LD. */
async function listOf(path: string): Promise<unknown> {
  const {text} = await service.send({path, headers: {Accept: 'application/ld+json'}})
  return JSON.parse(text)[0]['@graph'][0]['http://x.example/p']
}

test('a DELETE with the model Container and missing or contradictory preferences is a 400 that deletes nothing', async t => {
  const {path} = await create(t, service, {slug: 'scope'})
  const child = await create(t, service, {parent: path, slug: 'child'})
  const model = `${ldp}Container; rel=interaction-model`
  const include = (name: string) => `include=${c}${name}`
  const omit = (name: string) => `omit=${c}${name}`
  const ambiguous = [
    [model],
    [model, omit('PreferContainer'), omit('PreferMembershipTriples')],
    [model, include('PreferContainmentResources')],
    [model, include('PreferContainmentResources'), omit('PreferContainer')],
    [model, include('PreferContainmentResources'), omit('PreferMembershipTriples')],
    [include('PreferContainmentResources'), omit('PreferContainer'), omit('PreferMembershipTriples')],
    [model, include('PreferContainmentResources'), include('PreferContainer'), omit('PreferContainer')],
    [model, include('PreferContainmentResources'), include('PreferMembershipTriples'), omit('PreferContainer')],
    [model, include('PreferSelectedMembershipTriples'), omit('PreferMembershipTriples')],
    [model, include('Unknown')],
    [omit('PreferContainer')],
  ]

  for (const preferences of ambiguous) {
    const {status} = await service.send({method: 'DELETE', path, headers: {Prefer: preferences}})
    t.is(status, 400, preferences.join(' | '))
  }
  t.deepEqual(
    await Promise.all([path, child.path].map(async each => (await service.send({path: each})).status)),
    [200, 200],
  )
})

test('a DELETE of a document with a body is a 400: preferences of a member action may be missing', async t => {
  const {path, iri} = await create(t, service, {slug: 'body'})
  const body = `[{"@id": "_:a", "@type": ["${c}RemoveMemberAction"], "${c}targetMember": [{"@id": "${iri}"}]}]`

  for (const isChunked of [true, false]) {
    const answer = await service.send({method: 'DELETE', path, headers: jsonLd, body, isChunked})
    t.deepEqual([answer.status, JSON.parse(answer.text).title], [400, 'delete-scope'])
  }
  t.is((await service.send({method: 'DELETE', path, body, isChunked: true})).status, 400)
  t.is((await service.send({method: 'DELETE', path, body: '', isChunked: true})).status, 204)
})

test('REQUIRE_IF_MATCH=all requires If-Match on a DELETE too', async t => {
  const strict = await startService({REQUIRE_IF_MATCH: 'all'})
  t.teardown(strict.stop)
  const {path, etag} = await create(t, strict, {slug: 'strict'})

  t.is((await strict.send({method: 'DELETE', path})).status, 428)
  t.is((await strict.send({method: 'DELETE', path: '/none/'})).status, 404)
  t.is((await strict.send({method: 'DELETE', path, headers: {'If-Match': etag}})).status, 204)
})

test('an ETag is never used again after delete and create', async t => {
  const seen: string[] = []
  for (let n = 0; n < 5; n += 1) {
    const {path, etag} = await create(t, service, {slug: 'phoenix'})
    seen.push(etag)
    t.is(
      (await service.send({method: 'DELETE', path, headers: {'If-Match': seen[0] ?? ''}})).status,
      n === 0 ? 204 : 412,
    )
    if (n > 0) await service.send({method: 'DELETE', path})
  }

  t.is(new Set(seen).size, 5)
})

test('parallel DELETEs of a tree and of its parts leave no orphan and no 5xx', async t => {
  const {path} = await create(t, service, {slug: 'tree'})
  const parts = await Promise.all([1, 2, 3, 4].map(n => create(t, service, {parent: path, slug: `part-${n}`})))
  const body = parts.map(({iri}) => `<> <http://x.example/p> <${iri}> .`).join('\n')
  await create(t, service, {slug: 'tree-referrer', body})

  const requests = [...parts.map(part => part.path), path].flatMap(target => [
    service.send({method: 'DELETE', path: target}),
    service.send({method: 'POST', path: target, headers: turtle, body: ''}),
  ])
  const statuses = new Set((await Promise.all(requests)).map(({status}) => status))

  t.deepEqual(
    [...statuses].filter(status => ![201, 204, 404].includes(status)),
    [],
  )
  t.deepEqual(await saidOf(service, '/tree-referrer/'), [])
  t.deepEqual(await service.database.database.query('select * from quadstead.check_store()'), [])
})
