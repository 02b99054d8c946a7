/**
 * The checksum of a document from a query, in quotes, is an entity tag in If-Match and If-None-Match (decision 0001).
 */
import test, {type ExecutionContext} from 'ava'
import {c, create, ldp, type Made, turtle} from '../support/documents.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

const ex = 'http://example.org/ns#'

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

/** The checksum of a document from a query, in quotes. */
async function checksumOf(t: ExecutionContext, iri: string): Promise<string> {
  const {text} = await service.send({
    method: 'POST',
    path: '/',
    headers: {
      'Content-Type': 'application/sparql-query',
      Accept: 'application/n-triples',
      Prefer: `include="${c}PreferDocumentChecksums"`,
    },
    body: `CONSTRUCT { <${iri}> a ?t ; <${c}document> ?d } { GRAPH ?d { <${iri}> a ?t } }`,
  })
  const [, checksum = ''] = /checksum> "([0-9a-f]{64})"/.exec(text) ?? []
  t.regex(checksum, /^[0-9a-f]{64}$/)
  return `"${checksum}"`
}

async function made(t: ExecutionContext, body = `<> <${ex}name> "A" .`): Promise<Made & {readonly checksum: string}> {
  const document = await create(t, service, {body})
  return {...document, checksum: await checksumOf(t, document.iri)}
}

const stale = `"${'0'.repeat(64)}"`
const model = (name: string) => `${ldp}${name}; rel=interaction-model`

test('GET and HEAD: If-None-Match gives a 304, If-Match a 200; another checksum gives a 200 and a 412', async t => {
  const {path, checksum, etag} = await made(t)
  const ask = async (method: string, headers: Readonly<Record<string, string>>) => {
    const answer = await service.send({method, path, headers})
    return [answer.status, answer.headers.etag]
  }

  for (const method of ['GET', 'HEAD']) {
    t.deepEqual(await ask(method, {'If-None-Match': checksum}), [304, etag], method)
    t.deepEqual(await ask(method, {'If-None-Match': `${stale}, ${checksum}`}), [304, etag])
    t.deepEqual(await ask(method, {'If-None-Match': stale}), [200, etag])
    t.deepEqual(await ask(method, {'If-Match': checksum}), [200, etag])
    t.deepEqual(await ask(method, {'If-Match': stale}), [412, etag])
  }
})

test('PUT: the checksum replaces the ETag, once', async t => {
  const {path, checksum} = await made(t)
  const {text} = await service.send({path, headers: {Accept: 'text/turtle'}})
  const put = async (body: string, tag: string) =>
    (await service.send({method: 'PUT', path, headers: {...turtle, Prefer: model('RDFSource'), 'If-Match': tag}, body}))
      .status

  t.is(await put(text.replace('"A"', '"B"'), stale), 412)
  t.is(await put(text.replace('"A"', '"B"'), checksum), 204)
  t.is(await put(text.replace('"A"', '"C"'), checksum), 412)
})

test('PATCH: the same, in a list too; a weak one never matches', async t => {
  const {path, iri, checksum} = await made(t)
  const patch = async (tag: string) =>
    (
      await service.send({
        method: 'PATCH',
        path,
        headers: {'Content-Type': 'text/ldpatch', 'If-Match': tag},
        body: `Add { <> <${ex}changed> true . } .`,
      })
    ).status

  t.is(await patch(`W/${checksum}`), 412)
  t.is(await patch(`${stale}, ${checksum}`), 204)
  t.is(await patch(checksum), 412)
  t.is(await patch(await checksumOf(t, iri)), 204)
})

test('PATCH: If-None-Match refuses the named state', async t => {
  const {path, checksum} = await made(t)
  const patch = async (tag: string) =>
    (
      await service.send({
        method: 'PATCH',
        path,
        headers: {'Content-Type': 'text/ldpatch', 'If-None-Match': tag},
        body: `Add { <> <${ex}changed> true . } .`,
      })
    ).status

  t.is(await patch(checksum), 412)
  t.is(await patch(stale), 204)
})

test('DELETE: the same', async t => {
  const {path, checksum} = await made(t)
  const remove = async (tag: string) =>
    (await service.send({method: 'DELETE', path, headers: {'If-Match': tag}})).status

  t.is(await remove(stale), 412)
  t.is(await remove(checksum), 204)
})

test('members are added with the checksum of the document', async t => {
  const {path, checksum} = await made(t)
  const member = await create(t, service, {})
  const add = async (tag: string) =>
    (
      await service.send({
        method: 'PUT',
        path,
        headers: {...turtle, Prefer: model('Container'), 'If-Match': tag},
        body: `[] a <${c}AddMemberAction> ; <${c}targetMember> <${member.iri}> .`,
      })
    ).status

  t.is(await add(stale), 412)
  t.is(await add(checksum), 204)
})

test('a document with blank nodes and lists has a checksum; children do not change it', async t => {
  const {path, iri, checksum} = await made(t, `<> <${ex}list> (1 [ <${ex}p> [] ] "x"@en) .`)

  await create(t, service, {parent: path})

  t.is(await checksumOf(t, iri), checksum)
  t.is((await service.send({path, headers: {'If-None-Match': checksum}})).status, 304)
})

test('a checksum depends on the content: it is the same after a change is undone, except for c:modified', async t => {
  const first = await made(t)
  const second = await made(t)

  t.not(first.checksum, second.checksum)
  await service.send({
    method: 'PATCH',
    path: first.path,
    headers: {'Content-Type': 'text/ldpatch'},
    body: `Add { <> <${ex}changed> true . } .`,
  })
  t.not(await checksumOf(t, first.iri), first.checksum)
})
