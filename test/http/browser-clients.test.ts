/** Features for browsers: CORS, compression, HEAD, the platform document. */
import {brotliDecompressSync, gunzipSync} from 'node:zlib'
import test from 'ava'
import {answerOf, c, create, documentHeaders, ldp, quadsOf, refusal} from '../support/documents.ts'
import {startService, type TestService, useService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService({CORS_ORIGINS: 'https://app.example.org http://localhost:*'})
})
test.after.always(() => service.stop())

const origin = 'https://app.example.org'
const vary = 'Accept, Accept-Datetime, Prefer, Accept-Encoding, Origin'

const allowed = {'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true'}
const needed = ['ETag', 'Location', 'Preference-Applied', 'Content-Location', 'Link']

test('a page of an allowed origin may read the response, with credentials and the needed header fields', async t => {
  const {path} = await create(t, service, {slug: 'shared'})

  for (const asked of [path, '/missing/', '/sparql', '/ready']) {
    const {headers} = await service.send({path: asked, headers: {Origin: origin}})
    t.like(headers, allowed, asked)
    const exposed = headers['access-control-expose-headers'] ?? ''
    t.deepEqual(
      needed.filter(name => !exposed.split(', ').includes(name)),
      [],
    )
  }
})

test('a preflight is a 204 at every path, cached for two hours, for every method and header field', async t => {
  for (const path of ['/', '/missing/', '/sparql', '/.system/platform/']) {
    const answer = await service.send({
      method: 'OPTIONS',
      path,
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': 'content-type, if-match,x-custom, bad name',
        'Access-Control-Request-Private-Network': 'true',
      },
    })
    t.is(answer.status, 204)
    t.like(answer.headers, {
      ...allowed,
      'access-control-allow-methods': 'GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE, MOVE, COPY',
      'access-control-allow-private-network': 'true',
      'access-control-max-age': '7200',
      vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Private-Network',
    })
    const headers = answer.headers['access-control-allow-headers']?.split(', ') ?? []
    const sent = ['accept', 'content-type', 'prefer', 'slug', 'if-match', 'if-none-match', 'pragma', 'cache-control']
    t.deepEqual(
      [...sent, 'x-custom'].filter(name => !headers.includes(name)),
      [],
    )
    t.false(headers.includes('bad name'))
  }
})

test('a page of another origin gets a response without CORS fields, which its browser withholds', async t => {
  const plain = await service.send()
  const foreign = await service.send({headers: {Origin: 'https://evil.example'}})
  const preflight = await service.send({
    method: 'OPTIONS',
    headers: {Origin: 'https://evil.example', 'Access-Control-Request-Method': 'PUT'},
  })

  t.deepEqual(answerOf(t, foreign), answerOf(t, plain))
  t.deepEqual(answerOf(t, preflight), {status: 204, headers: documentHeaders(service, '/'), body: ''})
})

test('CORS_ORIGINS=* allows every origin; credentials can be disabled', async t => {
  const open = await useService(t, {CORS_ORIGINS: '*', CORS_CREDENTIALS: 'false'})

  const {headers} = await open.send({headers: {Origin: 'null'}})

  t.is(headers['access-control-allow-origin'], 'null')
  t.is(headers['access-control-allow-credentials'], undefined)
})

const words = Array.from({length: 300}, (_, index) => `<> <http://example.org/ns#p> "word ${index}" .`).join('\n')

test('a long body has the coding that the client accepts, and the same entity tag', async t => {
  const {path, etag} = await create(t, service, {slug: 'long', body: words})
  const plain = await service.send({path})

  for (const [coding, decode] of [['gzip', gunzipSync] as const, ['br', brotliDecompressSync] as const]) {
    const answer = await service.send({path, headers: {'Accept-Encoding': coding}})
    t.like(answer.headers, {'content-encoding': coding, etag, vary, 'content-type': 'text/turtle; charset=utf-8'})
    t.is(Number(answer.headers['content-length']), answer.bytes.length)
    t.true(answer.bytes.length < plain.bytes.length / 3)
    t.is(decode(answer.bytes).toString(), plain.text)
    const known = {'Accept-Encoding': coding, 'If-None-Match': etag}
    t.is((await service.send({path, headers: known})).status, 304)
  }
  const {status} = await service.send({method: 'DELETE', path, headers: {'If-Match': etag}})
  t.is(status, 204)
})

test('a streamed body is compressed as it is produced', async t => {
  const many = Array.from({length: 6000}, (_, index) => `<> <http://example.org/ns#p> ${index} .`).join('\n')
  const {path} = await create(t, service, {slug: 'streamed', body: many})
  const plain = await service.send({path})

  for (const [coding, decode] of [['gzip', gunzipSync] as const, ['br', brotliDecompressSync] as const]) {
    const answer = await service.send({path, headers: {'Accept-Encoding': coding}})
    t.is(answer.headers['content-encoding'], coding)
    t.is(decode(answer.bytes).toString(), plain.text)
  }
  const query = 'select * { ?s ?p ?o }'
  const answer = await service.send({
    path: `/sparql?query=${encodeURIComponent(query)}`,
    headers: {'Accept-Encoding': 'gzip', Accept: 'text/csv'},
  })
  t.true(gunzipSync(answer.bytes).toString().split('\r\n').length > 6000)
})

test('short bodies, and bodies for clients that do not accept it, are not compressed; it can be disabled', async t => {
  const {path} = await create(t, service, {slug: 'plain', body: words})
  const off = await useService(t, {COMPRESS_FROM_BYTES: 'off'})
  const {path: other} = await create(t, off, {slug: 'plain', body: words})

  const answers = [
    await service.send({headers: {'Accept-Encoding': 'gzip'}}),
    await service.send({path}),
    await service.send({path, headers: {'Accept-Encoding': 'gzip;q=0, identity'}}),
    await off.send({path: other, headers: {'Accept-Encoding': 'gzip'}}),
  ]

  for (const {status, headers} of answers) t.deepEqual([status, headers['content-encoding']], [200, undefined])
})

test('a form with an update is accepted from programs, own pages and allowed origins only', async t => {
  const {path, iri} = await create(t, service, {slug: 'forged'})
  const body = `update=${encodeURIComponent(`INSERT DATA { GRAPH <${iri}> { <${iri}> <http://e/p> 1 } }`)}`
  const send = (headers: Readonly<Record<string, string>>, text = body) =>
    service.send({
      method: 'POST',
      path: '/sparql',
      headers: {'Content-Type': 'application/x-www-form-urlencoded', ...headers},
      body: text,
    })
  const {etag} = (await service.send({path})).headers

  for (const foreign of ['https://evil.example.org', 'null']) {
    const {status, text} = await send({Origin: foreign})
    t.like({status, rule: JSON.parse(text).title}, {status: 403, rule: 'origin-allowed'}, foreign)
  }
  t.is((await service.send({path})).headers.etag, etag)
  t.is((await send({Origin: 'https://evil.example.org'}, 'query=ask%20%7B%7D')).status, 200)

  for (const headers of [{}, {Origin: origin}, {Origin: new URL(service.base).origin}])
    t.is((await send(headers)).status, 200)
})

/** The header fields that are equal in repeated responses, which excludes times. */
function untimed<Value>({'server-timing': _, ...headers}: Readonly<Record<string, Value>>) {
  return headers
}

test('HEAD is GET without the body, everywhere', async t => {
  const {path} = await create(t, service, {slug: 'head', body: words})
  const ask = `/sparql?query=${encodeURIComponent('ask {}')}`
  const select = `/sparql?query=${encodeURIComponent('select * {} limit 1')}`
  const construct = `/sparql?query=${encodeURIComponent('construct where { ?s ?p 1 }')}`
  const places = [path, '/', '/missing/', '/sparql', ask, select, construct, '/ready', '/live', '/errors']

  for (const place of [...places, '/.system/platform/']) {
    const [get, head] = [await service.send({path: place}), await service.send({method: 'HEAD', path: place})]
    t.deepEqual([head.status, head.bytes.length], [get.status, 0], place)
    t.deepEqual(untimed(answerOf(t, head).headers), untimed(answerOf(t, get).headers), place)
  }
})

test('/.system/platform/ has the version, in the form that existing clients read', async t => {
  const path = '/.system/platform/'
  const iri = `${service.base}.system/platform/`

  const answer = await service.send({path, headers: {Accept: 'application/ld+json'}})

  t.is(answer.headers['content-type'], 'application/ld+json')
  const [document] = JSON.parse(answer.text)
  t.is(document['@id'], iri)
  const nodes = new Map(document['@graph'].map((node: {'@id': string}) => [node['@id'], node]))
  const platform = nodes.get(iri) as Record<string, unknown>
  t.deepEqual(platform['@type'], [`${ldp}RDFSource`, `${c}Platform`].sort().reverse())
  const [{'@id': instanceId}] = platform[`${c}instance`] as [{'@id': string}]
  const instance = nodes.get(instanceId) as Record<string, readonly {'@value': string}[]>
  t.regex(instance[`${c}version`]?.[0]?.['@value'] ?? '', /^\d+\.\d+\.\d+$/)
  t.true(Date.parse(instance[`${c}buildDate`]?.[0]?.['@value'] ?? '') > Date.parse('2020-01-01'))
  t.is((await quadsOf(await service.send({path}))).length, 7)

  const {etag = ''} = answer.headers
  t.regex(etag, /^"[^",]+"$/)
  t.is((await service.send({path, headers: {'If-None-Match': etag}})).status, 304)
  t.like((await service.send({method: 'OPTIONS', path})).headers, {allow: 'GET, HEAD, OPTIONS'})
  t.deepEqual(
    answerOf(t, await service.send({method: 'DELETE', path})),
    refusal(
      service,
      {status: 405, rule: 'method-allowed', detail: `DELETE is not possible on <${iri}>.`},
      {
        path,
        headers: {allow: 'GET, HEAD, OPTIONS', link: `<${ldp}Resource>; rel="type", <${ldp}RDFSource>; rel="type"`},
      },
    ),
  )
})
