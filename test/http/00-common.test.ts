/** Rules for every request: methods, URIs, header fields, content types, errors (docs/interface.md; decision 0010). */
import {brotliCompressSync, gzipSync} from 'node:zlib'
import test from 'ava'
import {sendBytes} from '../support/client.ts'
import {
  abilities,
  acceptGraph,
  acceptPost,
  answerOf,
  c,
  create,
  documentHeaders,
  jsonLd,
  ldp,
  refusal,
  turtle,
} from '../support/documents.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  const limits = {BODY_LIMIT_BYTES: '20000', BODY_TIMEOUT_MS: '1500', URI_LIMIT_BYTES: '600'}
  service = await startService({...limits, ALLOWED_HOSTS: 'evil.example elsewhere.example'})
})
test.after.always(() => service.stop())

const resourceLink = `<${ldp}Resource>; rel="type"`

test('OPTIONS of a document is a 204 with Allow, Accept-Post, Accept-Patch and Link types', async t => {
  const {path} = await create(t, service, {slug: 'options'})

  t.deepEqual(answerOf(t, await service.send({method: 'OPTIONS', path})), {
    status: 204,
    headers: documentHeaders(service, path),
    body: '',
  })
})

test('OPTIONS * is a 204', async t => {
  t.deepEqual(answerOf(t, await service.send({method: 'OPTIONS', path: '*'})), {
    status: 204,
    headers: {allow: abilities('/a/').allow, link: resourceLink, 'x-content-type-options': 'nosniff'},
    body: '',
  })
})

test('* allows only OPTIONS', async t => {
  const {status, body} = answerOf(t, await service.send({path: '*'}))

  t.is(status, 400)
  t.like(body, {title: 'uri-valid'})
})

test('Accept-Post lists the media types of the interface', t => {
  const types = ['application/ld+json', 'application/trig', 'text/turtle']

  t.deepEqual(
    types.filter(type => !acceptPost.split(', ').includes(type)),
    [],
  )
})

test('HEAD has the headers of GET and no body', async t => {
  const {path} = await create(t, service, {slug: 'head', body: '<> a <http://x.example/T> .'})

  for (const headers of [{}, {Accept: 'application/ld+json'}, {Prefer: `include="${ldp}PreferContainment"`}]) {
    const got = answerOf(t, await service.send({path, headers}))
    const head = answerOf(t, await service.send({method: 'HEAD', path, headers}))

    t.deepEqual(head, {...got, body: ''})
  }
})

test('HEAD of a missing document is a 404 without a body', async t => {
  const {status, text, headers} = await service.send({method: 'HEAD', path: '/none/'})

  t.deepEqual([status, text, headers['content-type']], [404, '', 'application/problem+json'])
})

test('a URI without its trailing slash is a 308 to the slash form, with any method', async t => {
  const {path, iri} = await create(t, service, {slug: 'no-slash'})
  const answer = {
    status: 308,
    headers: {location: iri, link: resourceLink, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff'},
    body: '',
  }

  for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE'])
    t.deepEqual(answerOf(t, await service.send({method, path: path.slice(0, -1)})), answer, method)
})

test('a 308 keeps the query', async t => {
  await create(t, service, {slug: 'no-slash-query'})

  const {headers} = await service.send({path: '/no-slash-query?after=1'})

  t.is(headers.location, `${service.base}no-slash-query/?after=1`)
})

test('a URI without its trailing slash is a 404 if there is no document', async t => {
  t.deepEqual(
    answerOf(t, await service.send({path: '/none'})),
    refusal(
      service,
      {status: 404, rule: 'document-exists', detail: `There is no document <${service.base}none>.`},
      {path: '/none'},
    ),
  )
})

test('//, dot segments, invalid escapes, NUL and escapes that are not UTF-8 are a 400', async t => {
  const bad = [
    '//',
    '/a//',
    '/../',
    '/a/./',
    '/%2e%2e/',
    '/%zz/',
    '/%',
    '/%00/',
    '/a%0Ab/',
    '/%ff/',
    '/%C0%AF/',
    '/a\\b/',
  ]

  for (const path of bad) {
    const {status, body} = answerOf(t, await service.send({path}))
    t.is(status, 400, path)
    t.like(body, {title: 'uri-valid', status: 400}, path)
  }
})

test('the instance of a problem is below the configured base, whatever host the request names', async t => {
  const instances = ['//evil.example/', 'http://evil.example/none/', 'http://[', '/none/'].map(async path => {
    const {body} = answerOf(t, await service.send({path, headers: {Host: 'evil.example'}}))
    return (body as {instance: string}).instance
  })

  t.deepEqual(await Promise.all(instances), [
    `${service.base}/evil.example/`,
    `${service.base}none/`,
    service.base,
    `${service.base}none/`,
  ])
})

test('of a request target in absolute form only the path counts', async t => {
  const {path, iri} = await create(t, service, {slug: 'absolute'})

  const {status, text} = await service.send({path: `http://elsewhere.example${path}`})

  t.is(status, 200)
  t.true(text.includes(`<${iri}>`))
})

test('an absolute target that is not a URL is a 400', async t => {
  for (const target of ['http://[', 'http://[::1]x/', 'http://', 'http://h:99999/', 'mailto:x'])
    t.is((await service.send({path: target})).status, 400, target)
})

test('equivalent escapes denote the same document', async t => {
  await create(t, service, {slug: 'a~b c'})

  for (const path of ['/a~b%20c/', '/%61%7Eb%20c/', '/a%7eb%20c/']) t.is((await service.send({path})).status, 200, path)
})

test('a URI over the limit is a 414', async t => {
  const path = `/${'x'.repeat(600)}/`

  t.deepEqual(
    answerOf(t, await service.send({path})),
    refusal(service, {status: 414, rule: 'uri-length', detail: 'The URI has 602 bytes; 600 are allowed'}, {path}),
  )
})

test('headers over the limit are a 431', async t => {
  const answer = await sendBytes(service.url, `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(18_000)}\r\n\r\n`)

  t.regex(answer, /^HTTP\/1\.1 431 .*"title":"header-size"/s)
})

test('a method not supported here is a 405 with Allow, Accept-Post and Accept-Patch', async t => {
  const {path, iri} = await create(t, service, {slug: 'methods'})

  t.deepEqual(
    answerOf(t, await service.send({method: 'TRACE', path})),
    refusal(
      service,
      {status: 405, rule: 'method-allowed', detail: `TRACE is not possible on <${iri}>.`},
      {path, headers: abilities(path)},
    ),
  )
})

test('an unknown method is a 501', async t => {
  t.deepEqual(
    answerOf(t, await service.send({method: 'PROPFIND'})),
    refusal(service, {
      status: 501,
      rule: 'method-known',
      detail: 'PROPFIND is no method that this service knows.',
    }),
  )
  t.regex(await sendBytes(service.url, 'BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n'), /^HTTP\/1\.1 501 /)
})

test('any delete of the root is a 405', async t => {
  const refused = refusal(
    service,
    {
      status: 405,
      rule: 'root-stays',
      detail: 'Neither the root document nor all it contains can be deleted at once.',
    },
    {headers: abilities('/')},
  )

  t.deepEqual(answerOf(t, await service.send({method: 'DELETE'})), refused)
})

test('an unknown resource is a 404 with every method, before other errors of the request', async t => {
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
    const headers = {Accept: 'image/png;q=1, application/problem+json;q=0.1', 'Content-Type': 'image/png'}
    const answer = await service.send({method, path: '/none/', headers, body: 'x'})
    t.is(answer.status, 404, method)
    if (method !== 'HEAD') t.is(JSON.parse(answer.text).title, 'document-exists')
  }
})

test('an Accept that cannot be satisfied is a 406 that lists the types; q=0 is respected', async t => {
  for (const accept of ['image/png', 'text/turtle;q=0', '*/*;q=0', 'nonsense']) {
    const {status, body} = answerOf(t, await service.send({headers: {Accept: accept}}))
    t.is(status, 406, accept)
    t.like(body, {title: 'format-acceptable', status: 406})
    const {available} = body as {available: string[]}
    t.deepEqual(available.slice(0, 3), ['text/turtle', 'application/ld+json', 'application/trig'])
  }
})

test('a write without a response body is never a 406', async t => {
  const {path, etag} = await create(t, service, {slug: 'never-406', headers: {Accept: 'image/png'}})
  const body = (await service.send({path})).text

  const put = await service.send({
    method: 'PUT',
    path,
    headers: {...turtle, 'If-Match': etag, Accept: 'image/png'},
    body,
  })
  const removed = await service.send({method: 'DELETE', path, headers: {Accept: 'image/png'}})

  t.deepEqual([put.status, removed.status], [204, 204])
})

test('a Content-Type that cannot be read is a 415: Accept-Post on POST, Accept on PUT', async t => {
  const {path, etag} = await create(t, service, {slug: 'types'})
  const headers = {'Content-Type': 'application/pdf', 'If-Match': etag}
  const problem = (types: string) => ({
    status: 415,
    rule: 'media-type-known',
    detail: `application/pdf cannot be read here; send one of ${types}`,
  })

  t.deepEqual(
    answerOf(t, await service.send({method: 'POST', path, headers, body: ''})),
    refusal(service, problem(acceptPost), {path, headers: {'accept-post': acceptPost}}),
  )
  t.deepEqual(
    answerOf(t, await service.send({method: 'PUT', path, headers, body: ''})),
    refusal(service, problem(acceptGraph), {path, headers: {accept: acceptGraph}}),
  )
})

test('a body without Content-Type is a 400 with Accept-Post', async t => {
  t.deepEqual(
    answerOf(t, await service.send({method: 'POST', body: '<> a <http://x.example/T> .'})),
    refusal(
      service,
      {status: 400, rule: 'content-type-given', detail: `A body needs a Content-Type, one of ${acceptPost}`},
      {headers: {'accept-post': acceptPost}},
    ),
  )
})

test('parameters of a Content-Type are ignored', async t => {
  for (const type of ['text/turtle; charset=ISO-8859-1', 'TEXT/Turtle;profile="a,b"'])
    t.is((await service.send({method: 'POST', headers: {'Content-Type': type}, body: ''})).status, 201, type)
})

test('a body over the limit is a 413 that closes the connection, also chunked and counted while reading', async t => {
  const body = `<> <http://x.example/p> "${'x'.repeat(20_000)}" .`
  const refused = refusal(service, {
    status: 413,
    rule: 'body-size',
    detail: 'The body is larger than 20000 bytes',
    limitBytes: 20_000,
  })

  for (const isChunked of [false, true]) {
    const answer = await service.send({method: 'POST', headers: turtle, body, isChunked})
    t.deepEqual(answerOf(t, answer), refused)
    t.is(answer.headers.connection, 'close')
  }
})

test('gzip and br are inflated up to a limit of the inflated size, others are a 415', async t => {
  const body = '<> <http://x.example/p> "v" .'
  const post = (coding: string, bytes: Uint8Array) =>
    service.send({method: 'POST', headers: {...turtle, 'Content-Encoding': coding}, body: bytes})
  const bomb = gzipSync(`<> <http://x.example/p> "${'x'.repeat(1_000_000)}" .`)

  t.is((await post('gzip', gzipSync(body))).status, 201)
  t.is((await post('br', brotliCompressSync(body))).status, 201)
  t.true(bomb.length < 20_000)
  t.is((await post('gzip', bomb)).status, 413)
  t.is((await post('gzip', gzipSync(body).subarray(0, 20))).status, 400)
  const other = answerOf(t, await post('zstd', Buffer.from(body)))
  t.is(other.status, 415)
  t.is(other.headers['accept-encoding'], 'gzip, deflate, br')
})

test('a body that does not arrive is a 408', async t => {
  const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/turtle\r\nContent-Length: 5\r\n\r\n<'

  t.regex(await sendBytes(service.url, head), /^HTTP\/1\.1 408 /)
})

test('Expect: 100-continue gets the final status before the body is sent', async t => {
  const {path, etag} = await create(t, service, {slug: 'expect'})
  const expect = (method: string, target: string, lines: readonly string[]) => {
    const head = ['Host: localhost', 'Expect: 100-continue', 'Connection: close', ...lines].join('\r\n')
    return sendBytes(service.url, `${method} ${target} HTTP/1.1\r\n${head}\r\n\r\n`)
  }
  const body = ['Content-Type: text/turtle', 'Content-Length: 5']

  const refused: readonly (readonly [number, string, string, readonly string[]])[] = [
    [404, 'POST', '/none/', body],
    [404, 'PUT', '/none/', [...body, 'If-Match: "1"']],
    [412, 'PUT', path, [...body, 'If-Match: "none"']],
    [412, 'POST', path, [...body, 'If-Match: "none"']],
    [413, 'POST', path, ['Content-Type: text/turtle', 'Content-Length: 20001']],
    [413, 'PUT', path, ['Content-Type: text/turtle', 'Content-Length: 20001', `If-Match: ${etag}`]],
    [415, 'POST', path, ['Content-Type: image/png', 'Content-Length: 5']],
    [428, 'PUT', path, [...body, `Prefer: ${ldp}RDFSource; rel=interaction-model`]],
  ]
  for (const [status, method, target, lines] of refused)
    t.regex(await expect(method, target, lines), new RegExp(`^HTTP/1\\.1 ${status} `), `${method} ${target} ${status}`)
})

test('Expect: 100-continue gets a 100 if the body is wanted', async t => {
  const head =
    'POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n' +
    'Content-Type: text/turtle\r\nContent-Length: 5\r\n\r\n'

  t.regex(await sendBytes(service.url, `${head}<> a 0`), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /)
  t.regex(await sendBytes(service.url, `${head}# hi\n`), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
})

test('an error is problem+json by default, and a c:ErrorResponse graph if RDF is preferred', async t => {
  const path = '/none/'
  const plain = ['*/*', 'application/json', 'application/problem+json, text/turtle;q=0.9', 'image/png']
  for (const accept of plain) {
    const answer = await service.send({path, headers: {Accept: accept}})
    t.is(answer.headers['content-type'], 'application/problem+json', accept)
  }
  const {status, headers, text} = await service.send({path, headers: {Accept: 'application/ld+json'}})
  const nodes: {'@id': string; '@type'?: string[]; [property: string]: unknown}[] = JSON.parse(text)
  const typed = (name: string) => nodes.find(node => node['@type']?.includes(c + name)) ?? {'@id': 'none'}
  const [response, error, map] = [typed('ErrorResponse'), typed('Error'), typed('Map')]
  const requestId = response[`${c}requestID`]

  t.deepEqual([status, headers['content-type']], [404, 'application/ld+json'])
  t.deepEqual(response, {
    '@id': response['@id'],
    '@type': [`${c}ErrorResponse`],
    [`${c}error`]: [{'@id': error['@id']}],
    [`${c}httpStatusCode`]: [{'@value': '404', '@type': 'http://www.w3.org/2001/XMLSchema#int'}],
    [`${c}requestID`]: requestId,
  })
  t.deepEqual(error, {
    '@id': error['@id'],
    '@type': [`${c}Error`],
    [`${c}errorCode`]: [{'@value': 'document-exists'}],
    [`${c}errorMessage`]: [{'@value': `There is no document <${service.base}none/>.`, '@language': 'en'}],
    [`${c}errorParameters`]: [{'@id': map['@id']}],
  })
})

test('an error in Turtle has the same content', async t => {
  const {headers, text} = await service.send({path: '/none/', headers: {Accept: 'text/turtle'}})

  t.is(headers['content-type'], 'text/turtle; charset=utf-8')
  t.regex(text, /a c:ErrorResponse ;\n {2}c:error _:\w+ ;\n {2}c:httpStatusCode "404"\^\^xsd:int/)
})

test('every violated constraint links to the page that explains it, and the page exists', async t => {
  const {headers} = await service.send({
    method: 'POST',
    headers: {...jsonLd},
    body: '{"@context": "http://x.example/c"}',
  })
  const [, page = ''] =
    /<[^>]*(\/errors)#remote-context-refused>; rel="[^"]*constrainedBy"/.exec(String(headers.link)) ?? []

  const {status, text} = await service.send({path: page})

  t.is(status, 200)
  t.true(text.includes('| `remote-context-refused` | 422 |'))
})

test('parameters of Link values contain no comma, so that a client may split at commas', async t => {
  const {headers} = await service.send({method: 'HEAD'})

  for (const link of String(headers.link).split(',')) t.regex(link.trim(), /^<[^>]+>; rel="[^"]+"$/)
})

test('bytes that are not HTTP get a response, or the connection is closed', async t => {
  for (const bytes of [
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    '\0\0\0\0\r\n\r\n',
    'GET / HTTP/1.1\r\nA B: c\r\n\r\n',
  ])
    t.regex(await sendBytes(service.url, bytes), /^HTTP\/1\.1 400 /, bytes)
})
