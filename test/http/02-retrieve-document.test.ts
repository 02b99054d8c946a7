/** Reading a document: GET (docs/interface.md, Requests on a document). */
import {connect} from 'node:net'
import test from 'ava'
import {formats} from '../../src/format/registry.ts'
import {answerOf, c, create, documentHeaders, ldp, quadsOf, readValue, refusal, turtle} from '../support/documents.ts'
import {isIsomorphic} from '../support/isomorphism.ts'
import {until} from '../support/machine.ts'
import {startService, type TestService, useService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

const body = `<> a <http://x.example/T> ; <http://x.example/name> "Example"@en, "b" ; <http://x.example/n> 1 ;
  <http://x.example/part> <#part>, [ <http://x.example/list> (1 "two" <http://x.example/three>) ] .
<#part> <http://x.example/q> "v" .`

test('without Accept a document is returned in Turtle, complete', async t => {
  const {path, iri, etag} = await create(t, service, {
    slug: 'whole',
    body: '<> <http://x.example/p> "v" ; a <http://x.example/T> .',
  })
  const time = await readValue(service, path, `${c}created`)

  t.deepEqual(answerOf(t, await service.send({path})), {
    status: 200,
    headers: {...documentHeaders(service, path, etag), 'content-type': 'text/turtle; charset=utf-8'},
    body: `@prefix c: <${c}> .
@prefix ldp: <${ldp}> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

<${iri}> a ldp:RDFSource, ldp:BasicContainer, c:Document, <http://x.example/T> ;
  ldp:membershipResource <${iri}> ;
  ldp:hasMemberRelation ldp:member ;
  ldp:insertedContentRelation ldp:MemberSubject ;
  c:created "${time}"^^xsd:dateTime ;
  c:modified "${time}"^^xsd:dateTime ;
  <http://x.example/p> "v" .
`,
  })
})

test('JSON-LD is an array of one object with @id and @graph, and exactly application/ld+json', async t => {
  const {path, iri, etag} = await create(t, service, {
    slug: 'json',
    body: '<> <http://x.example/n> 1 ; <http://x.example/t> "v"@en .',
  })
  const time = await readValue(service, path, `${c}created`)
  const date = {'@value': time, '@type': 'http://www.w3.org/2001/XMLSchema#dateTime'}

  const {
    status,
    headers,
    body: found,
  } = answerOf(t, await service.send({path, headers: {Accept: 'application/ld+json'}}))

  t.is(status, 200)
  t.deepEqual(headers, {...documentHeaders(service, path, etag), 'content-type': 'application/ld+json'})
  t.deepEqual(found, [
    {
      '@id': iri,
      '@graph': [
        {
          '@id': iri,
          '@type': [`${ldp}RDFSource`, `${ldp}BasicContainer`, `${c}Document`],
          [`${ldp}membershipResource`]: [{'@id': iri}],
          [`${ldp}hasMemberRelation`]: [{'@id': `${ldp}member`}],
          [`${ldp}insertedContentRelation`]: [{'@id': `${ldp}MemberSubject`}],
          [`${c}created`]: [date],
          [`${c}modified`]: [date],
          'http://x.example/n': [{'@value': '1', '@type': 'http://www.w3.org/2001/XMLSchema#integer'}],
          'http://x.example/t': [{'@value': 'v', '@language': 'en'}],
        },
      ],
    },
  ])
})

test('every format and every alias gives its own type, the same ETag and the same graph', async t => {
  const {path, iri, etag} = await create(t, service, {slug: 'formats', body})
  const expected = await quadsOf(await service.send({path, headers: {Accept: 'application/n-quads'}}))
  const own = expected.map(quad => ({...quad, graph: {termType: 'DefaultGraph', value: ''} as const}))

  for (const {mediaTypes, charset, hasGraphs, parse} of formats) {
    for (const mediaType of mediaTypes) {
      const answer = await service.send({path, headers: {Accept: mediaType}})
      t.is(answer.status, 200, mediaType)
      t.is(answer.headers['content-type'], charset ? `${mediaType}; charset=utf-8` : mediaType)
      t.is(answer.headers.etag, etag)
      t.is(answer.headers.vary, 'Accept, Accept-Datetime, Prefer, Accept-Encoding, Origin')
      if (parse === undefined) t.true(answer.bytes.length > 100, mediaType)
      else t.true(isIsomorphic(await parse(answer.bytes, {base: iri}), hasGraphs ? expected : own), mediaType)
    }
  }
})

test('Accept is evaluated: quality, wildcards, q=0', async t => {
  const accepts = [
    [undefined, 'text/turtle; charset=utf-8'],
    ['*/*', 'text/turtle; charset=utf-8'],
    ['text/*', 'text/turtle; charset=utf-8'],
    ['text/turtle;q=0.5, application/ld+json', 'application/ld+json'],
    ['application/ld+json;q=0, */*;q=0.1', 'text/turtle; charset=utf-8'],
    ['text/turtle;q=0, text/*', 'text/n3; charset=utf-8'],
    ['text/html;q=0.1, application/trig;q=0.2', 'application/trig; charset=utf-8'],
    ['application/ld+json;profile="http://www.w3.org/ns/json-ld#expanded"', 'application/ld+json'],
  ]

  for (const [accept, type] of accepts) {
    const {headers} = await service.send({headers: accept === undefined ? {} : {Accept: accept}})
    t.is(headers['content-type'], type, accept)
  }
})

test('If-None-Match is a 304 with ETag, Vary, Cache-Control and Link; weak and listed tags too', async t => {
  const {path, etag} = await create(t, service, {slug: 'not-modified'})
  const settled = {status: 304, headers: documentHeaders(service, path, etag), body: ''}

  for (const value of [etag, '*', `W/${etag}`, `"other", ${etag}`])
    for (const method of ['GET', 'HEAD'])
      t.deepEqual(answerOf(t, await service.send({method, path, headers: {'If-None-Match': value}})), settled, value)
  t.is((await service.send({path, headers: {'If-None-Match': '"other"'}})).status, 200)
  t.is((await service.send({path, headers: {'If-None-Match': ''}})).status, 200)
})

test('If-Match on a read: another tag, or a weak one, is a 412 with the current tag', async t => {
  const {path, etag} = await create(t, service, {slug: 'read-match'})
  const plain = etag.slice(1, -1)

  t.is((await service.send({path, headers: {'If-Match': etag}})).status, 200)
  t.is((await service.send({path, headers: {'If-Match': '*'}})).status, 200)
  t.is((await service.send({path, headers: {'If-Match': `W/${etag}`}})).status, 412)
  t.deepEqual(
    answerOf(t, await service.send({path, headers: {'If-Match': '"other"'}})),
    refusal(
      service,
      {status: 412, rule: 'etag-mismatch', detail: `The document's entity tag is ${etag}.`, etag: plain},
      {path, headers: {etag}},
    ),
  )
})

test('If-Modified-Since counts only without If-None-Match', async t => {
  const {path} = await create(t, service, {slug: 'since'})
  const {headers} = await service.send({path})
  const since = String(headers['last-modified'])

  t.regex(since, /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
  t.is((await service.send({path, headers: {'If-Modified-Since': since}})).status, 304)
  t.is((await service.send({path, headers: {'If-Modified-Since': since, 'If-None-Match': '"other"'}})).status, 200)
  t.is((await service.send({path, headers: {'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT'}})).status, 200)
  const changed = await service.send({path, headers: {'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT'}})
  t.is(changed.status, 412)
  t.regex(JSON.parse(changed.text).detail, /was modified at .*, after If-Unmodified-Since/)
  t.is((await service.send({path, headers: {'If-Modified-Since': 'yesterday'}})).status, 200)
})

test('Last-Modified is c:modified truncated to seconds', async t => {
  const {path} = await create(t, service, {slug: 'last-modified'})
  const {headers} = await service.send({path})
  const modified = Date.parse(await readValue(service, path, `${c}modified`))

  t.is(Date.parse(String(headers['last-modified'])), Math.floor(modified / 1000) * 1000)
})

test('the root document exists from the first start', async t => {
  const fresh = await service.send()

  t.is(fresh.status, 200)
  t.true(fresh.text.includes(`<${service.base}> a ldp:RDFSource, ldp:BasicContainer, c:Document`))
})

test('an invalid entity tag is a 400, and so is an empty If-Match', async t => {
  for (const value of ['abc', '"a', '""x', ''])
    t.is((await service.send({headers: {'If-Match': value}})).status, 400, value)
})

test('an unknown interaction model is ignored on GET and HEAD', async t => {
  for (const method of ['GET', 'HEAD'])
    t.is((await service.send({method, headers: {Prefer: 'http://x.example/Model; rel=interaction-model'}})).status, 200)
})

test('a missing document is a 404 with a problem', async t => {
  t.deepEqual(
    answerOf(t, await service.send({path: '/never/'})),
    refusal(
      service,
      {status: 404, rule: 'document-exists', detail: `There is no document <${service.base}never/>.`},
      {path: '/never/'},
    ),
  )
})

test('a document of many triples is streamed: complete, one state, in every format that can be parsed again', async t => {
  const lines = Array.from(
    {length: 6000},
    (_, n) => `<> <http://x.example/p${n % 7}> "value ${n}", [ <http://x.example/q> ${n} ] .`,
  )
  const {path, etag, iri} = await create(t, service, {slug: 'large', body: lines.join('\n')})

  for (const {mediaTypes, parse, hasGraphs} of formats) {
    const answer = await service.send({path, headers: {Accept: mediaTypes[0]}})
    t.deepEqual([answer.status, answer.headers.etag], [200, etag], mediaTypes[0])
    if (parse === undefined) continue
    const quads = await parse(answer.bytes, {base: iri})
    t.is(quads.length, 18_000 + 8, mediaTypes[0])
    t.true(quads.every(({graph}) => graph.value === (hasGraphs ? iri : '')))
  }
  t.is((await service.send({path, headers: {'If-None-Match': etag}})).status, 304)
  t.is((await service.send({method: 'HEAD', path})).headers.etag, etag)
})

test('a service whose base has a path of its own serves documents below it only', async t => {
  const other = await startService({BASE_URL: 'https://example.org/data/set/'})
  t.teardown(other.stop)

  const made = await other.send({
    method: 'POST',
    path: '/data/set/',
    headers: {...turtle, Slug: 'a'},
    body: '<> <http://x.example/p> <../> .',
  })

  t.is(made.headers.location, 'https://example.org/data/set/a/')
  t.true(
    (await other.send({path: '/data/set/a/'})).text.includes('<http://x.example/p> <https://example.org/data/set/>'),
  )
  t.is((await other.send({path: '/data/set'})).headers.location, 'https://example.org/data/set/')
  t.deepEqual(
    await Promise.all(['/', '/a/', '/data/'].map(async path => (await other.send({path})).status)),
    [404, 404, 404],
  )
  t.is((await other.send({path: '/data/set/errors'})).status, 200)
})

test('the path of a base may contain characters of patterns, and escapes', async t => {
  const other = await startService({BASE_URL: 'https://example.org/a:b(c)*+!/caf%c3%a9/%7Ex'})
  t.teardown(other.stop)

  t.is(other.base, 'https://example.org/a:b(c)*+!/caf%C3%A9/~x/')
  t.deepEqual(
    await Promise.all(
      ['', 'errors', '../errors'].map(async path => {
        const {pathname} = new URL(path, other.base)
        return (await other.send({path: pathname})).status
      }),
    ),
    [200, 200, 404],
  )
})

test('a client that stops reading a large answer does not hold the database for ever', async t => {
  const other = await startService({DATABASE_POOL_MAX: '1', BODY_TIMEOUT_MS: '1000'})
  t.teardown(other.stop)
  const lines = Array.from({length: 6000}, (_, n) => `<> <http://x.example/${'p'.repeat(100)}> "value ${n}" .`)
  const writer = await useService(t, {DATABASE_URL: other.database.url, BASE_URL: other.base}) // has time for the body
  const {path} = await create(t, writer, {slug: 'large', body: lines.join('\n')})
  const {hostname, port} = new URL(other.url)
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/n-quads\r\n\r\n`

  const socket = connect(Number(port), hostname, () => socket.write(request.repeat(20)))
  t.teardown(() => socket.destroy())
  socket.pause()
  socket.on('error', () => {}) // the connection will be closed
  const {database} = other.database
  await until(async () => {
    const [row] = await database.query<{count: string}>(
      `select count(*)::text from pg_stat_activity
        where state = 'idle in transaction' and datname = current_database()`,
    )
    return row?.count === '1'
  })

  t.is((await other.send({path: other.base.slice(other.base.indexOf('/', 8))})).status, 200)
})
