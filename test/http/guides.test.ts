/**
 * The documents guide of existing clients, and examples of documents in their other guides, in order, over HTTP,
 * unchanged (decision 0013).
 *
 * Titles have the numbers of the acceptance cases. The base is http://localhost:PORT/, as in the guides.
 */
import test, {type ExecutionContext} from 'ava'
import {c, jsonLd, ldp, quadsOf, saidOf, trig, turtle} from '../support/documents.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService
let etag = ''

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

const context = {
  c: {'@id': c},
  ex: {'@id': 'http://example.org/ns#'},
  xsd: {'@id': 'http://www.w3.org/2001/XMLSchema#'},
}
const asContainer = `${ldp}Container; rel=interaction-model`
const asSource = `${ldp}RDFSource; rel=interaction-model`
const exampleLd = JSON.stringify({
  '@context': {
    ...context,
    'ex:literalProperty': {'@type': 'xsd:string'},
    'ex:numericalProperty': {'@type': 'xsd:int'},
  },
  '@id': '',
  '@type': ['c:Document'],
  'ex:literalProperty': 'Example property',
  'ex:numericalProperty': '1',
})
const prefixes = `@prefix c: <${c}> .
@prefix ex: <http://example.org/ns#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix ldp: <${ldp}> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
`
const exampleTrig = `${prefixes}
<> {
  <> a c:Document ;
    ex:literalProperty "Example property" ;
    ex:numericalProperty "1"^^xsd:int .
}`
const exampleSaid = [
  '<> <http://example.org/ns#literalProperty> "Example property"',
  '<> <http://example.org/ns#numericalProperty> "1"^^<http://www.w3.org/2001/XMLSchema#int>',
]

function post(path: string, slug: string, headers: Readonly<Record<string, string>>, body: string) {
  return service.send({method: 'POST', path, headers: {Prefer: asContainer, Slug: slug, ...headers}, body})
}

function expectCreated(t: ExecutionContext, answer: Awaited<ReturnType<typeof post>>, location: string): void {
  t.is(answer.status, 201, answer.text)
  t.is(answer.headers.location, service.base + location)
  t.regex(String(answer.headers.etag), /^"[^",]+"$/)
}

test.serial('1: a document is created in JSON-LD with a context of the 1.0 form', async t => {
  const answer = await post('/', 'test-document', jsonLd, exampleLd)

  expectCreated(t, answer, 'test-document/')
  etag = String(answer.headers.etag)
  t.deepEqual(await saidOf(service, '/test-document/'), exampleSaid)
})

test.serial('2: the same in TriG', async t => {
  expectCreated(t, await post('/', 'test-document-trig', trig, exampleTrig), 'test-document-trig/')
  t.deepEqual(await saidOf(service, '/test-document-trig/'), exampleSaid)
})

test.serial('3: the same POST again is a 409', async t => {
  t.is((await post('/', 'test-document', jsonLd, exampleLd)).status, 409)
})

test.serial('4: GET as JSON-LD shows the document in its graph, with the ETag of its creation', async t => {
  const {status, headers, text} = await service.send({
    path: '/test-document/',
    headers: {Accept: 'application/ld+json'},
  })
  const [graph, ...others] = JSON.parse(text)
  const [node, ...nodes] = graph['@graph']
  const iri = `${service.base}test-document/`

  t.deepEqual([status, headers.etag, headers['content-type']], [200, etag, 'application/ld+json'])
  t.deepEqual([graph['@id'], node['@id'], others, nodes], [iri, iri, [], []])
  t.deepEqual([...node['@type']].sort(), [`${c}Document`, `${ldp}BasicContainer`, `${ldp}RDFSource`].sort())
  t.deepEqual(node['http://example.org/ns#literalProperty'], [{'@value': 'Example property'}])
  t.deepEqual(node['http://example.org/ns#numericalProperty'], [
    {'@type': 'http://www.w3.org/2001/XMLSchema#int', '@value': '1'},
  ])
  t.deepEqual(node[`${c}created`], node[`${c}modified`])
  t.regex(node[`${c}created`][0]['@value'], /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
})

test.serial('5: GET as TriG shows the graph named by the document', async t => {
  const {status, headers, text} = await service.send({path: '/test-document/', headers: {Accept: 'application/trig'}})

  t.is(status, 200)
  t.regex(String(headers['content-type']), /^application\/trig\b/)
  t.true(text.includes(`<${service.base}test-document/> {`))
})

test.serial('6: GET without Accept is Turtle', async t => {
  const {status, headers} = await service.send({path: '/test-document/'})

  t.is(status, 200)
  t.regex(String(headers['content-type']), /^text\/turtle\b/)
})

test.serial('7: PUT in JSON-LD: the body of a GET with a context, a changed value and a prefixed type', async t => {
  const [graph] = JSON.parse(
    (await service.send({path: '/test-document/', headers: {Accept: 'application/ld+json'}})).text,
  )
  const node = graph['@graph'][0]
  node['http://example.org/ns#literalProperty'] = [{'@value': 'Modified example property'}]
  node['@type'].push('ex:PUTExample')
  const body = JSON.stringify([{'@context': context, ...graph}])

  const headers = {...jsonLd, Prefer: asSource, 'If-Match': etag}
  const answer = await service.send({method: 'PUT', path: '/test-document/', headers, body})

  t.is(answer.status, 204, answer.text)
  t.not(answer.headers.etag, etag)
  etag = String(answer.headers.etag)
  t.deepEqual(await saidOf(service, '/test-document/'), [
    '<> <http://example.org/ns#literalProperty> "Modified example property"',
    exampleSaid[1] ?? '',
  ])
  t.true((await service.send({path: '/test-document/'})).text.includes('<http://example.org/ns#PUTExample>'))
})

test.serial('8: PUT in TriG', async t => {
  const path = '/test-document-trig/'
  const got = await service.send({path, headers: {Accept: 'application/trig'}})
  const body = got.text.replace('"Example property"', '"Modified example property"')

  const headers = {...trig, Prefer: asSource, 'If-Match': String(got.headers.etag)}
  const answer = await service.send({method: 'PUT', path, headers, body})

  t.is(answer.status, 204, answer.text)
  t.not(answer.headers.etag, got.headers.etag)
  t.true(
    (await saidOf(service, path)).includes('<> <http://example.org/ns#literalProperty> "Modified example property"'),
  )
})

test.serial('9: PUT without c:created is a 412 whose body names the property', async t => {
  const path = '/test-document-trig/'
  const got = await service.send({path, headers: {Accept: 'application/trig'}})
  const body = got.text.replace(/ *c:created .*\n/, '')

  const headers = {...trig, Prefer: asSource, 'If-Match': String(got.headers.etag)}
  const answer = await service.send({method: 'PUT', path, headers, body})

  t.is(answer.status, 412)
  t.true(answer.text.includes(`${c}created`))
  t.false(answer.text.includes(`${c}modified`))
})

test.serial('11: DELETE with the model RDFSource or with none, If-Match optional, is a 204 with Date', async t => {
  const headers = {Prefer: asSource, 'If-Match': etag}
  const first = await service.send({method: 'DELETE', path: '/test-document/', headers})
  const second = await service.send({method: 'DELETE', path: '/test-document-trig/'})

  t.deepEqual([first.status, second.status], [204, 204])
  t.true(Number.isFinite(Date.parse(String(first.headers.date))))
  t.is((await service.send({path: '/test-document/'})).status, 404)
})

test.serial('12 and 13: project-x and john-doe are created in JSON-LD, without c:Document', async t => {
  const body = (type: string, name: string) =>
    JSON.stringify({
      '@context': {...context, 'ex:name': {'@type': 'xsd:string'}},
      '@id': '',
      '@type': [`ex:${type}`],
      'ex:name': name,
    })

  expectCreated(t, await post('/', 'project-x', jsonLd, body('Project', 'Project X')), 'project-x/')
  expectCreated(t, await post('/', 'john-doe', jsonLd, body('Person', 'John Doe')), 'john-doe/')

  t.deepEqual(await saidOf(service, '/project-x/'), ['<> <http://example.org/ns#name> "Project X"'])
  t.deepEqual(await saidOf(service, '/john-doe/'), ['<> <http://example.org/ns#name> "John Doe"'])
  t.true((await service.send({path: '/project-x/'})).text.includes('c:Document'))
})

test.serial('14: the same two in TriG', async t => {
  for (const [slug, type, name] of [
    ['project-y', 'Project', 'Project Y'],
    ['jane-doe', 'Person', 'Jane Doe'],
  ] as const) {
    const body = `${prefixes}<> { <> a ex:${type} ; ex:name "${name}" . }`
    expectCreated(t, await post('/', slug, trig, body), `${slug}/`)
    t.deepEqual(await saidOf(service, `/${slug}/`), [`<> <http://example.org/ns#name> "${name}"`])
  }
})

test.serial('25: a named fragment and a blank node are in the graph of their document: three nodes', async t => {
  const body = JSON.stringify([
    {
      '@context': {...context, 'ex:since': {'@type': 'xsd:dateTime'}},
      '@id': '',
      '@graph': [
        {'@id': '', '@type': 'ex:Person', 'ex:phones': {'@id': '#phones'}, 'ex:friends': {'@id': '_:friends'}},
        {'@id': '#phones', 'ex:home': '555-0100', 'ex:mobile': '555-0101'},
        {'@id': '_:friends', 'ex:since': '2015-01-01T00:00:00.00000'},
      ],
    },
  ])
  expectCreated(t, await post('/', 'john-doe-fragments', jsonLd, body), 'john-doe-fragments/')

  const {text} = await service.send({path: '/john-doe-fragments/', headers: {Accept: 'application/ld+json'}})
  const graphs = JSON.parse(text)
  const iri = `${service.base}john-doe-fragments/`
  const nodes: Record<string, unknown>[] = graphs[0]['@graph']
  const find = (id: unknown) => nodes.find(node => node['@id'] === id)
  const blank = nodes.map(node => String(node['@id'])).find(id => id.startsWith('_:'))

  t.deepEqual([graphs.length, nodes.length], [1, 3])
  t.deepEqual(find(iri)?.['http://example.org/ns#friends'], [{'@id': blank}])
  t.deepEqual(find(iri)?.['http://example.org/ns#phones'], [{'@id': `${iri}#phones`}])
  t.deepEqual(find(`${iri}#phones`), {
    '@id': `${iri}#phones`,
    'http://example.org/ns#home': [{'@value': '555-0100'}],
    'http://example.org/ns#mobile': [{'@value': '555-0101'}],
  })
  t.deepEqual(find(blank), {
    '@id': blank,
    'http://example.org/ns#since': [
      {'@type': 'http://www.w3.org/2001/XMLSchema#dateTime', '@value': '2015-01-01T00:00:00.00000'},
    ],
  })
})

test.serial('28: schemes is created from TriG whose only statement is a type the service adds anyway', async t => {
  expectCreated(t, await post('/', 'schemes', trig, `${prefixes}<>{ <> a ldp:BasicContainer . }`), 'schemes/')
  t.deepEqual(await saidOf(service, '/schemes/'), [])
})

test.serial('29: topics is created in schemes', async t => {
  const body = `${prefixes}<> a ldp:BasicContainer, skos:ConceptScheme ;
    ldp:memberOfRelation skos:inScheme ; dct:title "Topics" .`

  expectCreated(t, await post('/schemes/', 'topics', turtle, body), 'schemes/topics/')
  t.deepEqual(await saidOf(service, '/schemes/topics/'), [
    '<> <http://purl.org/dc/terms/title> "Topics"',
    `<> <${ldp}memberOfRelation> <http://www.w3.org/2004/02/skos/core#inScheme>`,
  ])
})

test.serial('35: the guide on RDF sources: POST, GET, PUT with If-Match, DELETE', async t => {
  const created = await post('/', 'me', turtle, `${prefixes}<> a ldp:RDFSource ; ex:name "Me" .`)
  const got = await service.send({path: '/me/'})
  const headers = {...turtle, Prefer: asSource, 'If-Match': String(created.headers.etag)}
  const body = `${got.text}\n<> <http://example.org/ns#email> "me@example.org" .`
  const put = await service.send({method: 'PUT', path: '/me/', headers, body})
  const emails = (await quadsOf(await service.send({path: '/me/'}))).filter(quad =>
    quad.predicate.value.endsWith('#email'),
  )
  const removed = await service.send({method: 'DELETE', path: '/me/'})

  t.deepEqual([created.status, got.status, put.status, emails.length, removed.status], [201, 200, 204, 1, 204])
})
