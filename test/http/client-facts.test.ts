/**
 * Requests exactly as the clients in use send them, and what these need in the responses (decision 0013).
 *
 * The clients are a JavaScript SDK and programs that use it. Titles have the numbers of the facts about them.
 */
import test from 'ava'
import {c, create, jsonLd, ldp, saidOf, turtle, xsd} from '../support/documents.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

const ld = {accept: 'application/ld+json'}
const model = (name: string) => `${ldp}${name}; rel=interaction-model`

/** A `$create` of the SDK: chunked, one comma-joined Prefer header. */
function sdkCreate(parent: string, slug: string | undefined, graph: readonly object[], prefer = 'return=minimal') {
  return service.send({
    method: 'POST',
    path: parent,
    headers: {
      ...ld,
      'content-type': 'application/ld+json',
      prefer: `${model('Container')}, ${prefer}`,
      ...(slug === undefined ? {} : {slug}),
    },
    body: JSON.stringify({'@id': '', '@graph': graph}),
    isChunked: true,
  })
}

function sdkGet(path: string, headers: Readonly<Record<string, string>> = {}) {
  return service.send({path, headers: {...ld, prefer: model('RDFSource'), ...headers}})
}

test('1: the Content-Type of a GET is exactly application/ld+json, also the second time', async t => {
  const again = {pragma: 'no-cache', 'cache-control': 'no-cache, max-age=0', 'if-none-match': ''}

  for (const headers of [{}, again]) {
    const {status, headers: got} = await sdkGet('/', headers)
    t.deepEqual([status, got['content-type']], [200, 'application/ld+json'])
  }
})

test('2: every value in JSON-LD is a string; a plain one has no type, a language-tagged one only a language', async t => {
  const {path} = await create(t, service, {
    slug: 'strings',
    body: `<> <http://x.example/p> 12, true, 1.5, 1e0, "plain", "cat"@en, "2015-01-01"^^<${xsd}date> .`,
  })

  const {text} = await sdkGet(path)

  const values: Record<string, unknown>[] = JSON.parse(text)[0]['@graph'][0]['http://x.example/p']
  t.deepEqual(
    values.filter(value => typeof value['@value'] !== 'string'),
    [],
  )
  t.deepEqual(
    values.find(value => value['@value'] === 'plain'),
    {'@value': 'plain'},
  )
  t.deepEqual(
    values.find(value => value['@value'] === 'cat'),
    {'@value': 'cat', '@language': 'en'},
  )
  t.is(values.length, 7)
})

test('3: expanded and flat: one graph a document, no nested nodes, lists as @list', async t => {
  const {path, iri} = await create(t, service, {
    slug: 'flat',
    body: `@prefix x: <http://x.example/> .
      <> x:p <#f>, [ x:q [ x:r 1 ] ] ; x:l ("a" "b"), () .`,
  })

  const [graph, ...others] = JSON.parse((await sdkGet(path)).text)
  const nodes: Record<string, unknown>[] = graph['@graph']
  const values = nodes.flatMap(node =>
    Object.entries(node).flatMap(([key, value]) => (key.startsWith('@') ? [] : (value as Record<string, unknown>[]))),
  )

  t.deepEqual([graph['@id'], Object.keys(graph).sort(), others], [iri, ['@graph', '@id'], []])
  t.deepEqual(
    values.filter(value => '@id' in value && Object.keys(value).length > 1),
    [],
  )
  t.deepEqual(nodes[0]?.['http://x.example/l'], [{'@list': []}, {'@list': [{'@value': 'a'}, {'@value': 'b'}]}])
  t.false(JSON.stringify(nodes).includes('rdf-syntax-ns#'))
})

test('4 and 5: responses have ETags without commas, which clients can send back', async t => {
  const created = await sdkCreate('/', 'etags', [{'@id': ''}], 'return=representation')
  const got = await sdkGet('/etags/')

  for (const {headers} of [created, got]) t.regex(String(headers.etag), /^"[^",]+"$/)
  t.is(got.headers.etag, created.headers.etag)
  const refreshed = await sdkGet('/etags/', {'if-none-match': String(got.headers.etag)})
  t.deepEqual([refreshed.status, refreshed.text], [304, ''])
})

test('7: one comma-joined Prefer with quoted lists and separate unquoted fields mean the same', async t => {
  const preferences = [
    [
      [
        model('Container'),
        `include="${c}PreferContainmentResources"`,
        `omit="${c}PreferContainer ${c}PreferMembershipTriples"`,
      ].join(', '),
    ],
    [
      model('Container'),
      `include=${c}PreferContainmentResources`,
      `omit=${c}PreferContainer`,
      `omit=${c}PreferMembershipTriples`,
    ],
  ]
  for (const [number, prefer] of preferences.entries()) {
    const parent = await create(t, service, {slug: `prefer-${number}`})
    const child = await create(t, service, {parent: parent.path})
    t.is((await service.send({method: 'DELETE', path: parent.path, headers: {...ld, prefer}})).status, 204)
    t.is((await sdkGet(child.path)).status, 404)
  }
})

test('9: return=representation on POST: the graph, ETag, Location and Preference-Applied exactly', async t => {
  const {status, headers, text} = await sdkCreate(
    '/',
    'representation',
    [{'@id': '', 'http://x.example/p': 'v'}],
    'return=representation',
  )

  t.is(status, 201)
  t.is(headers.location, `${service.base}representation/`)
  t.true(String(headers['preference-applied']).split(/, */).includes('return=representation'))
  t.is(JSON.parse(text)[0]['@id'], `${service.base}representation/`)
})

test('10: blank nodes keep their label between GETs and after a PUT', async t => {
  const {path, etag} = await create(t, service, {
    slug: 'labels',
    body: '<> <http://x.example/p> [ <http://x.example/q> 1 ] .',
  })
  const first = (await sdkGet(path)).text
  const graph = JSON.parse(first)
  graph[0]['@graph'][0]['http://x.example/more'] = [{'@value': 'v'}]

  t.is((await sdkGet(path)).text, first)
  const headers = {...ld, ...jsonLd, prefer: model('RDFSource'), 'if-match': etag}
  const put = await service.send({method: 'PUT', path, headers, body: JSON.stringify(graph), isChunked: true})
  t.is(put.status, 204, put.text)
  const label = /"_:\w+"/.exec(first)?.[0] ?? 'none'
  t.true((await sdkGet(path)).text.includes(label))
})

test('10: the response maps renamed labels, also with return=minimal', async t => {
  const {status, text} = await sdkCreate('/', 'renamed', [
    {'@id': '', 'http://x.example/p': {'@id': '_:mine'}},
    {'@id': '_:mine', 'http://x.example/q': 'v'},
  ])

  t.is(status, 201)
  t.true(text.includes(`"${c}entryKey":[{"@id":"_:mine"}]`), text)
})

test('14: a body without triples creates a document', async t => {
  const {status, headers, text} = await sdkCreate('/', undefined, [{'@id': ''}])

  t.deepEqual([status, text], [201, ''])
  t.is((await sdkGet(String(headers.location).replace(service.base, '/'))).status, 200)
})

test('15: "", "#fragment" and the graph name "" denote the new document', async t => {
  const {status, headers} = await sdkCreate('/', undefined, [
    {'@id': '', 'http://x.example/p': {'@id': '#fragment'}},
    {'@id': '#fragment', 'http://x.example/q': {'@id': '../'}},
  ])
  const location = String(headers.location)

  t.is(status, 201)
  t.deepEqual(await saidOf(service, location.replace(service.base, '/')), [
    `<> <http://x.example/p> <${location}#fragment>`,
    `<${location}#fragment> <http://x.example/q> <${service.base}>`,
  ])
})

test('16: language maps as the SDK writes them, with an unreferenced blank node', async t => {
  const value = (text: string, language: string) => ({
    '@value': text,
    '@type': 'http://www.w3.org/2001/XMLSchema#string',
    '@language': language,
  })
  const {status, text} = await sdkCreate('/', 'language-map', [
    {'@id': '', 'http://x.example/p': [value('cat', 'en'), value('gato', 'es')]},
    {'@id': '_:map', 'http://x.example/en': [{'@value': 'cat'}]},
  ])

  t.is(status, 201, text)
  t.deepEqual(
    (await saidOf(service, '/language-map/')).map(line => line.replace(/_:\w+/, '_:b')),
    ['<> <http://x.example/p> "cat"@en', '<> <http://x.example/p> "gato"@es', '_:b <http://x.example/en> "cat"'],
  )
})

test('17: prefixes of JSON-LD 1.0, expanded term definitions without @prefix', async t => {
  const body = JSON.stringify({
    '@context': {ex: {'@id': 'http://example.org/ns#'}, xsd: {'@id': 'http://www.w3.org/2001/XMLSchema#'}},
    '@id': '',
    '@type': 'ex:T',
    'ex:n': {'@value': '1', '@type': 'xsd:int'},
  })

  const {status} = await service.send({method: 'POST', headers: {...jsonLd, slug: 'prefixes'}, body})

  t.is(status, 201)
  t.deepEqual(await saidOf(service, '/prefixes/'), [
    '<> <http://example.org/ns#n> "1"^^<http://www.w3.org/2001/XMLSchema#int>',
  ])
  t.true((await service.send({path: '/prefixes/'})).text.includes('<http://example.org/ns#T>'))
})

test('18: a stale If-Match is a 412 on PUT and DELETE', async t => {
  const {path, etag} = await create(t, service, {slug: 'stale'})
  const body = (await service.send({path})).text
  const headers = {...turtle, prefer: model('RDFSource'), 'if-match': etag}

  t.is((await service.send({method: 'PUT', path, headers, body})).status, 204)
  t.is((await service.send({method: 'PUT', path, headers, body})).status, 412)
  t.is((await service.send({method: 'DELETE', path, headers: {'if-match': etag}})).status, 412)
})

test('19: an error is a c:ErrorResponse in English; a taken URI has the code 0x8901 and the parameter uri', async t => {
  await sdkCreate('/', 'taken', [{'@id': ''}])

  const {status, headers, text} = await sdkCreate('/', 'taken', [{'@id': ''}])
  const nodes: Record<string, unknown>[] = JSON.parse(text)
  const error = nodes.find(node => (node['@type'] as string[] | undefined)?.includes(`${c}Error`)) ?? {}
  const response = nodes.find(node => (node['@type'] as string[] | undefined)?.includes(`${c}ErrorResponse`)) ?? {}
  const [message] = error[`${c}errorMessage`] as {'@value': string; '@language': string}[]
  const parameter = nodes.find(node => JSON.stringify(node[`${c}entryKey`]) === '[{"@value":"uri"}]') ?? {}

  t.deepEqual([status, headers['content-type']], [409, 'application/ld+json'])
  t.deepEqual(error[`${c}errorCode`], [{'@value': '0x8901'}])
  t.deepEqual(response[`${c}httpStatusCode`], [{'@value': '409', '@type': 'http://www.w3.org/2001/XMLSchema#int'}])
  t.is(message?.['@language'], 'en')
  t.deepEqual(parameter[`${c}entryValue`], [{'@id': `${service.base}taken/`}])
})

test('20: slugs are sent unescaped: a trailing slash, spaces, commas; Location has no comma', async t => {
  for (const [slug, segment] of [
    ['comments/', 'comments/'],
    ['two words, one comma', 'two%20words%2C%20one%20comma/'],
  ] as const) {
    const {status, headers} = await sdkCreate('/', slug, [{'@id': ''}])
    t.deepEqual([status, headers.location], [201, service.base + segment])
    t.false(String(headers.location).includes(','))
  }
  t.is((await sdkCreate('/', '../../x', [{'@id': ''}])).status, 400)
})

test('21: Location and IRIs begin with the URL that clients use', async t => {
  const {headers} = await sdkCreate('/', 'host', [{'@id': '', 'http://x.example/p': {'@id': '#f'}}])
  const {text} = await sdkGet('/host/', {host: '127.0.0.1'})

  t.is(headers.location, `${service.base}host/`)
  t.is(JSON.parse(text)[0]['@id'], `${service.base}host/`)
})

test('22: bodies are chunked and without a length, on POST and PUT', async t => {
  t.is((await sdkCreate('/', 'chunked', [{'@id': '', 'http://x.example/p': 'v'}])).status, 201)
  const got = await sdkGet('/chunked/')
  const headers = {...ld, ...jsonLd, prefer: model('RDFSource'), 'if-match': String(got.headers.etag)}

  t.is((await service.send({method: 'PUT', path: '/chunked/', headers, body: got.text, isChunked: true})).status, 204)
})

test('$exists is a HEAD: 200 and 404', async t => {
  const {path} = await create(t, service, {slug: 'exists'})
  const head = (target: string) =>
    service.send({method: 'HEAD', path: target, headers: {...ld, prefer: model('RDFSource')}})

  t.deepEqual([(await head(path)).status, (await head('/exists-not/')).status], [200, 404])
})
