/** SPARQL 1.1 Graph Store HTTP Protocol: each sentence of §4.2 and §5 (docs/interface.md, Graph store). */
import {readFileSync} from 'node:fs'
import test, {type ExecutionContext} from 'ava'
import {formats} from '../../src/format/registry.ts'
import {namedNode, type Quad} from '../../src/rdf/term.ts'
import type {Received, Sent} from '../support/client.ts'
import {
  abilities,
  acceptGraph,
  acceptPost,
  create,
  documentHeaders,
  jsonLd,
  ldp,
  quadsOf,
  saidOf,
  turtle,
} from '../support/documents.ts'
import {isIsomorphic} from '../support/isomorphism.ts'
import {brokenInvariants, createAccessPoint, ex, ldpatch, ruleOf} from '../support/members.ts'
import {loadRawGraph} from '../support/raw-graph.ts'
import {startService, type TestService, useService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(async t => {
  t.deepEqual(await brokenInvariants(service), [])
  await service.stop()
})

const storePath = '/rdf-graph-store'
const update = {'Content-Type': 'application/sparql-update'}

/** The path of a graph, named by its IRI or by its path below the base. */
function pathOf(graph: string, of = service): string {
  const iri = graph.startsWith('/') ? of.base + graph.slice(1) : graph
  return `${storePath}?graph=${encodeURIComponent(iri)}`
}

const ask = (method: string, graph: string, {headers, body}: Sent = {}) =>
  service.send({method, path: pathOf(graph), ...(headers && {headers}), ...(body !== undefined && {body})})
const put = (graph: string, body: string, headers: Sent['headers'] = {}) =>
  ask('PUT', graph, {headers: {...turtle, ...headers}, body})
const post = (graph: string, body: string, headers: Sent['headers'] = {}) =>
  ask('POST', graph, {headers: {...turtle, ...headers}, body})
const outcome = (answer: Received) => (answer.status < 300 ? `${answer.status}` : `${answer.status} ${ruleOf(answer)}`)
const asNTriples = {headers: {Accept: 'application/n-triples'}}

/** The triples of an answer, without graph names. */
async function triplesOf(answer: Received): Promise<readonly Quad[]> {
  return (await quadsOf(answer)).map(quad => ({...quad, graph: namedNode('http://graph.example/')}))
}

async function sameGraph(t: ExecutionContext, one: Received, other: Received): Promise<void> {
  t.deepEqual([one.status, other.status], [200, 200])
  t.true(isIsomorphic(await triplesOf(one), await triplesOf(other)), `${one.text}\n\n${other.text}`)
}

const jane = '<> a <http://xmlns.com/foaf/0.1/Person> ; <http://e/card> [ <http://e/fn> "Jane Doe" ] .'
const alice = '<> <http://e/card> [ <http://e/given> "Alice"@en ] ; <http://e/n> 01, 1.0 .'

test('PUT of a new graph creates it; GET returns what was put, and the triples of the service', async t => {
  const answer = await put('/person/', jane)

  const iri = `${service.base}person/`
  t.is(answer.status, 201, answer.text)
  t.is(answer.headers.location, iri)
  t.regex(String(answer.headers.etag), /^"\d+"$/)
  const read = await ask('GET', '/person/')
  await sameGraph(t, read, await service.send({path: '/person/'}))
  t.is((await saidOf(service, '/person/')).length, 2, "without the service's types: the card and its name")
  t.true(read.text.includes('foaf/0.1/Person'))
  t.like(read.headers, {
    ...documentHeaders(service, '/person/', answer.headers.etag),
    'content-type': 'text/turtle; charset=utf-8',
  })
})

test('PUT of an existing graph replaces it: what the service owns stays, all else goes', async t => {
  await put('/replaced/', jane)
  const before = await ask('GET', '/replaced/', asNTriples)

  const answer = await put('/replaced/', alice)

  t.is(answer.status, 204, answer.text)
  t.is(answer.text, '')
  const said = await saidOf(service, '/replaced/')
  t.deepEqual(said.map(line => line.replace(/_:\S+/, '_:b')).sort(), [
    '<> <http://e/card> _:b',
    '<> <http://e/n> "01"^^<http://www.w3.org/2001/XMLSchema#integer>',
    '<> <http://e/n> "1.0"^^<http://www.w3.org/2001/XMLSchema#decimal>',
    '_:b <http://e/given> "Alice"@en',
  ])
  const owned = (text: string) =>
    text
      .split('\n')
      .filter(line => /platform#created|ns\/ldp#|platform#Document/.test(line))
      .sort()
  t.deepEqual(owned((await ask('GET', '/replaced/', asNTriples)).text), owned(before.text))
  t.is(owned(before.text).length, 7)
})

test('what GET returns can be put back: nothing changes but tag and c:modified, and blank nodes keep their labels', async t => {
  await put('/back/', jane)
  await create(t, service, {parent: '/back/', slug: 'child'})
  await createAccessPoint(t, service, {parent: '/back/', slug: 'point', relation: `${ex}m`})
  const {text} = await ask('GET', '/back/', asNTriples)

  const answer = await ask('PUT', '/back/', {headers: {'Content-Type': 'application/n-triples'}, body: text})

  t.is(answer.status, 204, answer.text)
  const again = (await ask('GET', '/back/', asNTriples)).text
  const lines = (all: string) =>
    all
      .split('\n')
      .filter(line => !line.includes('#modified>'))
      .sort()
  t.deepEqual(lines(again), lines(text))
  t.not(again, text)
})

test('POST merges into a graph: triples are added, blank nodes are new, and repeating it adds no ground triple', async t => {
  await put('/merged/', jane)
  const answer = await post('/merged/', `${jane} <> <http://e/name> "Jane" .`)
  t.is(answer.status, 204, answer.text)
  const said = await saidOf(service, '/merged/')
  t.is(said.filter(line => line.includes('e/card')).length, 2)
  t.true(said.includes('<> <http://e/name> "Jane"'))
  t.is((await post('/merged/', '<> <http://e/name> "Jane" .')).status, 204)
  t.deepEqual(await saidOf(service, '/merged/'), said)
  t.is((await post('/merged/', '')).status, 204)
})

test('POST to a free child of a document creates it', async t => {
  const answer = await post('/posted/', jane)
  t.deepEqual([answer.status, answer.headers.location], [201, `${service.base}posted/`], answer.text)
  t.is((await post('/posted/inner/', alice)).status, 201)
  t.is((await saidOf(service, '/posted/inner/')).length, 4)
})

test('POST to the graph store creates a graph with a new IRI, as a child of the root', async t => {
  const answer = await service.send({method: 'POST', path: storePath, headers: turtle, body: jane})
  t.is(answer.status, 201, answer.text)
  const iri = answer.headers.location ?? ''
  t.regex(iri.slice(service.base.length), /^\d+\/$/)
  await sameGraph(t, await ask('GET', iri), await service.send({path: `/${iri.slice(service.base.length)}`}))
  const named = {method: 'POST', path: storePath, headers: {...turtle, Slug: 'with slug'}, body: ''}
  t.is((await service.send(named)).headers.location, `${service.base}with%20slug/`)
})

test('DELETE drops a graph: 204, then 404 for GET, HEAD and DELETE', async t => {
  await put('/dropped/', jane)
  await put('/refers/', `<> <http://e/to> <${service.base}dropped/> ; <http://e/p> 1 .`)
  t.is((await ask('DELETE', '/dropped/')).status, 204)
  for (const method of ['GET', 'DELETE', 'PATCH', 'OPTIONS']) {
    const answer = await ask(method, '/dropped/')
    t.is(outcome(answer), '404 document-exists', method)
  }
  t.is((await ask('HEAD', '/dropped/')).status, 404)
  t.deepEqual(await saidOf(service, '/refers/'), ['<> <http://e/p> "1"^^<http://www.w3.org/2001/XMLSchema#integer>'])
})

test('DELETE of a graph with children is refused, unless Depth asks for all below', async t => {
  await put('/tree/', jane)
  await put('/tree/leaf/', jane)
  t.is(outcome(await ask('DELETE', '/tree/')), '409 document-empty')
  t.is(outcome(await ask('DELETE', '/tree/', {headers: {Depth: '1'}})), '400 depth-known')
  t.is(
    outcome(await ask('DELETE', '/tree/', {headers: {Prefer: `include="${ldp}PreferMembership"`}})),
    '409 document-empty',
  )
  t.is((await ask('GET', '/tree/leaf/')).status, 200)
  t.is((await ask('DELETE', '/tree/', {headers: {Depth: 'infinity'}})).status, 204)
  t.is((await ask('GET', '/tree/leaf/')).status, 404)
  t.is(outcome(await ask('DELETE', '/')), '405 root-stays')
})

test('HEAD has the header fields of GET', async t => {
  await put('/head/', jane)
  const [head, get] = [await ask('HEAD', '/head/'), await ask('GET', '/head/')]
  const kept = ({headers}: Received) => ({...headers, date: '', 'x-request-id': '', 'content-length': ''})
  t.deepEqual([head.status, head.text, kept(head)], [200, '', kept(get)])
})

test('PATCH takes an LD Patch or an update of the graph alone', async t => {
  await put('/patched/', '<> <http://e/p> 1 .')
  const patched = await ask('PATCH', '/patched/', {headers: ldpatch, body: 'Add { <> <http://e/q> 2 } .'})
  t.is(patched.status, 204, patched.text)
  const updated = await ask('PATCH', '/patched/', {
    headers: update,
    body: 'DELETE { ?s <http://e/p> ?o } INSERT { ?s <http://e/r> ?o } WHERE { ?s <http://e/p> ?o }',
  })
  t.is(updated.status, 204, updated.text)
  const integer = '^^<http://www.w3.org/2001/XMLSchema#integer>'
  t.deepEqual(await saidOf(service, '/patched/'), [`<> <http://e/q> "2"${integer}`, `<> <http://e/r> "1"${integer}`])
  t.is(outcome(await ask('PATCH', '/patched/', {headers: turtle, body: ''})), '415 media-type-known')
  t.is(outcome(await ask('PATCH', '/none/', {headers: ldpatch, body: ''})), '404 document-exists')
})

test('a query or an update POSTed to a graph is one POSTed to its document', async t => {
  await put('/asked/', '<> <http://e/p> 1 .')
  const asked = await ask('POST', '/asked/', {
    headers: {'Content-Type': 'application/sparql-query', Accept: 'text/csv'},
    body: 'SELECT ?o { <> <http://e/p> ?o }',
  })
  t.is(asked.text, 'o\r\n1\r\n')
  t.is((await ask('POST', '/asked/', {headers: update, body: 'INSERT DATA { <> <http://e/q> 2 }'})).status, 200)
  t.is((await saidOf(service, '/asked/')).length, 2)
})

test('every format that documents have can be read, and every readable one written', async t => {
  await put('/formats/', alice)
  const whole = await ask('GET', '/formats/', asNTriples)
  for (const {id, mediaTypes, parse} of formats) {
    const [type] = mediaTypes
    const answer = await ask('GET', '/formats/', {headers: {Accept: type}})
    t.is(answer.headers['content-type']?.split(';')[0], type)
    if (parse === undefined) continue
    await sameGraph(t, answer, whole)
    const written = await service.send({
      method: 'PUT',
      path: pathOf(`/formats/${id}/`),
      headers: {'Content-Type': type},
      body: '',
    })
    t.true([201, 400].includes(written.status), `${id} ${written.text}`) // an empty body is not RDF in every format
  }
  t.is(outcome(await ask('GET', '/formats/', {headers: {Accept: 'image/png'}})), '406 format-acceptable')
})

test('relative IRIs of a body are resolved against the IRI of the graph', async t => {
  await put('/relative/', '<> <http://e/p> <#it>, <../other/> .')
  t.deepEqual(await saidOf(service, '/relative/'), [
    `<> <http://e/p> <${service.base}other/>`,
    `<> <http://e/p> <${service.base}relative/#it>`,
  ])
  const quads = {'Content-Type': 'application/trig'}
  t.is((await put('/relative/', '<> { <> <http://e/p> 1 }', quads)).status, 204)
  t.is(outcome(await put('/relative/', '<http://e/g> { <> <http://e/p> 1 }', quads)), '422 graph-own')
})

test('tags and conditions are those of the document', async t => {
  const {headers} = await put('/conditions/', jane)
  const tag = String(headers.etag)
  t.is((await ask('GET', '/conditions/', {headers: {'If-None-Match': tag}})).status, 304)
  t.is(outcome(await ask('GET', '/conditions/', {headers: {'If-Match': '"0"'}})), '412 etag-mismatch')
  for (const write of [put, post]) {
    t.is(outcome(await write('/conditions/', alice, {'If-Match': '"0"'})), '412 etag-mismatch')
    t.is(outcome(await write('/conditions/', 'not Turtle', {'If-Match': '"0"'})), '412 etag-mismatch')
    t.is(outcome(await write('/conditions/', alice, {'If-None-Match': '*'})), '412 etag-mismatch')
    t.is(outcome(await write('/absent/', alice, {'If-Match': '*'})), '404 document-exists')
  }
  t.is(outcome(await ask('DELETE', '/conditions/', {headers: {'If-Match': '"0"'}})), '412 etag-mismatch')
  t.is((await ask('GET', '/conditions/')).headers.etag, tag)
  t.is((await put('/conditions/', alice, {'If-Match': tag})).status, 204)
  t.is((await put('/created/', alice, {'If-None-Match': '*'})).status, 201)
})

test('what the service owns cannot be changed: 409, and nothing is done', async t => {
  await put('/owned/', jane)
  const {headers} = await ask('HEAD', '/owned/')
  const created =
    '<https://carbonldp.com/ns/v1/platform#created> "2000-01-01T00:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>'
  for (const write of [put, post]) {
    t.is(outcome(await write('/owned/', `<> ${created} .`)), '409 reserved-free')
    t.is(outcome(await write('/owned/', `<> <${ldp}hasMemberRelation> <http://e/m> .`)), '409 reserved-free')
    t.is(outcome(await write('/owned/', `<> <${ldp}contains> <http://e/other> .`)), '409 containment-kept')
    t.is(
      outcome(await write('/owned/', '<> a <https://carbonldp.com/ns/v1/platform#AccessPoint> .')),
      '409 reserved-free',
    )
    t.is(outcome(await write('/new-one/', `<> ${created} .`)), '409 reserved-free')
    t.is(
      outcome(await write('/owned/', '<> <https://carbonldp.com/ns/v1/platform#checksum> "x" .')),
      '409 reserved-free',
    )
  }
  t.is((await ask('HEAD', '/owned/')).headers.etag, headers.etag)
  t.is((await ask('GET', '/new-one/')).status, 404)
  t.is(
    (await put('/owned/', `<> <${ldp}hasMemberRelation> <${ldp}member> .`)).status,
    204,
    'the stored value may be repeated',
  )
})

test('the root and access points are written in the same way', async t => {
  t.is((await put('/', '<> <http://e/p> "root" .')).status, 204)
  t.deepEqual(await saidOf(service, '/'), ['<> <http://e/p> "root"'])
  t.is((await put('/', '')).status, 204)
  await put('/holder/', '')
  const point = await createAccessPoint(t, service, {
    parent: '/holder/',
    slug: 'point',
    relation: `${ex}m`,
    inverse: `${ex}in`,
  })
  const before = (await ask('GET', point.iri, asNTriples)).text
  t.is((await put(point.iri, '<> <http://e/p> 1 .')).status, 204)
  const after = (await ask('GET', point.iri, asNTriples)).text
  const kept = (text: string) =>
    text
      .split('\n')
      .filter(line => !/#modified>|e\/p>/.test(line))
      .sort()
  t.deepEqual(kept(after), kept(before))
  t.is((await put('/holder/', '')).status, 204)
  t.true((await ask('GET', '/holder/')).text.includes('c:accessPoint'))
  t.is((await ask('DELETE', point.iri)).status, 204)
  t.false((await ask('GET', '/holder/')).text.includes('c:accessPoint'))
})

test('the members of a list are ordinary triples; containment is not changed by what a body leaves out', async t => {
  await put('/listing/', jane)
  const {iri} = await create(t, service, {parent: '/listing/', slug: 'child'})
  t.is((await put('/listing/', `<> <${ldp}contains> <${iri}> ; <${ldp}member> <${iri}> .`)).status, 204)
  t.deepEqual(await saidOf(service, '/listing/'), [])
  t.is((await put('/listing/', '')).status, 204)
  const asked = await service.send({
    path: `/sparql?query=${encodeURIComponent(`ASK { <${service.base}listing/> <${ldp}contains> <${iri}> }`)}`,
  })
  t.true(JSON.parse(asked.text).boolean)
})

test('which graphs can be written: documents, and free children of documents', async t => {
  for (const write of [put, post]) {
    t.is(outcome(await write('/none/child/', jane)), '404 parent-exists')
    t.is(outcome(await write('http://elsewhere.example/g/', jane)), '422 graph-known')
    t.is(outcome(await write('urn:graph', jane)), '422 graph-known')
    t.is(outcome(await write('/no-slash', jane)), '422 graph-known')
    t.is(outcome(await write('/.system/', jane)), '400 segment-usable')
    t.is(outcome(await write('/a%2Fb/', jane)), '400 segment-usable')
    t.is(outcome(await write(`/${'x'.repeat(256)}/`, jane)), '400 segment-usable')
  }
  for (const graph of ['http://elsewhere.example/g', 'urn:graph', '/no-slash'])
    t.is(outcome(await ask('GET', graph)), '404 document-exists')
  t.is((await put('/a+b%20c/', jane)).status, 201)
  t.is((await service.send({path: `${storePath}?graph=${service.base}a+b%2520c/`})).status, 200, 'a plus is no space')
})

test('one graph must be named, by an absolute IRI', async t => {
  const iri = encodeURIComponent(service.base)
  for (const query of [
    '?graph=',
    '?graph=books/',
    '?graph=//host/',
    `?graph=${iri}&graph=${iri}`,
    `?graph=${iri}&default`,
    '?default&default',
  ])
    for (const method of ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'])
      t.is(
        outcome(await service.send({method, path: storePath + query, headers: turtle, body: ''})),
        '400 graph-named',
        query,
      )
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
    t.is(outcome(await service.send({method, path: storePath, headers: turtle, body: ''})), '400 graph-named')
})

test('bodies: without Content-Type 400, of another type 415, malformed 400; nothing is created', async t => {
  for (const method of ['PUT', 'POST']) {
    t.is(outcome(await ask(method, '/bad/', {body: jane})), '400 content-type-given')
    const multipart = await ask(method, '/bad/', {
      headers: {'Content-Type': 'multipart/form-data; boundary=x'},
      body: '',
    })
    t.is(outcome(multipart), '415 media-type-known')
    const isPut = method === 'PUT'
    t.is(multipart.headers[isPut ? 'accept' : 'accept-post'], isPut ? acceptGraph : acceptPost)
    t.is(outcome(await ask(method, '/bad/', {headers: turtle, body: '<> <http://e/p> .'})), '400 body-syntax')
  }
  t.is((await ask('GET', '/bad/')).status, 404)
})

test('Prefer: the stored graph, and the labels of blank nodes, are returned as for a document', async t => {
  const answer = await put('/preferred/', '<> <http://e/p> _:b .', {Prefer: 'return=representation'})
  t.deepEqual([answer.status, answer.headers['content-location']], [201, `${service.base}preferred/`])
  t.true(answer.text.includes('bNodesMap'))
  const minimal = await post('/preferred/', '<> <http://e/q> 1 .', {Prefer: 'return=minimal'})
  t.deepEqual([minimal.status, minimal.headers['preference-applied']], [204, 'return=minimal'])
  t.is(
    outcome(await put('/preferred/', '', {Prefer: '<http://e/model>; rel=interaction-model'})),
    '400 interaction-model-known',
  )
})

test('OPTIONS: what can be done with the store, a graph and the default graph', async t => {
  await put('/able/', jane)
  const allowed = async (path: string) => {
    const {status, headers} = await service.send({method: 'OPTIONS', path})
    return [status, headers.allow, headers['accept-post'], headers['accept-patch']]
  }
  const [all, allButDelete] = [abilities('/able/'), abilities('/')]
  t.deepEqual(await allowed(pathOf('/able/')), [204, all.allow, acceptPost, all['accept-patch']])
  t.deepEqual(await allowed(pathOf('/')), [204, allButDelete.allow, acceptPost, all['accept-patch']])
  t.deepEqual(await allowed(storePath), [204, all.allow, acceptPost, all['accept-patch']])
  t.deepEqual(await allowed(`${storePath}?default`), [204, 'GET, HEAD, OPTIONS', undefined, undefined])
  const preflight = {Origin: 'http://app.example', 'Access-Control-Request-Method': 'PUT'}
  t.is((await service.send({method: 'OPTIONS', path: pathOf('/able/'), headers: preflight})).status, 204)
})

test('a large graph is read and written through the same limits', async t => {
  const body = Array.from({length: 6000}, (_, n) => `<http://e/${n}> <http://e/p> ${n} .`).join('\n')
  t.is((await put('/large/', body)).status, 201)
  t.is((await put('/large/', `${body} <http://e/last> <http://e/p> "x" .`)).status, 204)
  t.is((await post('/large/', body.replaceAll('e/p', 'e/q'))).status, 204)
  const read = await ask('GET', '/large/', asNTriples)
  t.is(read.text.split('\n').filter(line => /<http:\/\/e\/[pq]>/.test(line)).length, 12_001)
  t.is((await ask('DELETE', '/large/')).status, 204)
})

test('concurrent requests for a free graph: one creates it, the others write to it', async t => {
  const bodies = Array.from({length: 8}, (_, n) => `<> <http://e/n> ${n} .`)
  const answers = await Promise.all(bodies.map(body => post('/raced/', body)))
  t.deepEqual(answers.map(({status}) => status).sort(), [201, 204, 204, 204, 204, 204, 204, 204])
  t.is((await saidOf(service, '/raced/')).length, 8)
})

test('the default graph is the union of all documents: read as the query does, in any format, and not written', async t => {
  const own = await useService(t)
  const send = (method: string, headers: Sent['headers'] = {}, body?: string) =>
    own.send({method, path: `${storePath}?default`, headers, ...(body !== undefined && {body})})
  for (const slug of ['one', 'two']) await create(t, own, {slug, body: '<http://e/same> <http://e/p> "once" .'})
  const query = 'CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }'

  const read = await send('GET', {Accept: 'application/n-triples'})

  await sameGraph(t, read, await own.send({path: `/sparql?query=${encodeURIComponent(query)}`}))
  t.is(read.text.split('\n').filter(line => line.includes('"once"')).length, 1)
  t.is((await send('GET')).headers['content-type'], 'text/turtle; charset=utf-8')
  const head = await send('HEAD', jsonLd)
  t.deepEqual([head.status, head.text, head.headers['content-type']], [200, '', 'text/turtle; charset=utf-8'])
  t.is(outcome(await send('GET', {Accept: 'image/png'})), '406 format-acceptable')
  t.is(outcome(await send('GET', {Prefer: 'handling=strict, other'})), '400 preference-known')
  for (const method of ['PUT', 'POST', 'PATCH', 'DELETE']) {
    const answer = await send(method, turtle, jane)
    t.deepEqual([outcome(answer), answer.headers.allow], ['405 graph-read-only', 'GET, HEAD, OPTIONS'])
  }
})

test('a raw graph is read by its IRI, and not written', async t => {
  const own = await useService(t)
  const iri = 'http://raw.example/g'
  const path = pathOf(iri, own)
  await loadRawGraph(own.database.database, iri)

  const read = await own.send({path, headers: {Accept: 'application/n-triples'}})

  t.deepEqual([read.status, read.text], [200, '<http://e/s> <http://e/p> <http://e/o> .\n'])
  t.is((await own.send({method: 'HEAD', path})).status, 200)
  const options = await own.send({method: 'OPTIONS', path})
  t.deepEqual([options.status, options.headers.allow], [204, 'GET, HEAD, OPTIONS'])
  for (const method of ['PUT', 'POST', 'DELETE', 'PATCH']) {
    const headers = method === 'PATCH' ? ldpatch : method === 'DELETE' ? {} : turtle
    const answer = await own.send({method, path, headers, ...(method !== 'DELETE' && {body: ''})})
    t.deepEqual([outcome(answer), answer.headers.allow], ['405 graph-read-only', 'GET, HEAD, OPTIONS'], method)
  }
})

test('REQUIRE_IF_MATCH=all: a graph that exists is written with If-Match only', async t => {
  const own = await useService(t, {REQUIRE_IF_MATCH: 'all'})
  const send = (method: string, headers: Sent['headers'] = {}) =>
    own.send({method, path: pathOf('/strict/', own), headers: {...turtle, ...headers}, body: ''})
  const {status, headers} = await send('PUT')
  t.is(status, 201)
  t.is(outcome(await send('PUT')), '428 precondition-required')
  t.is(outcome(await send('POST')), '428 precondition-required')
  t.is((await send('PUT', {'If-Match': String(headers.etag)})).status, 204)
})

test('the example of the guide', async t => {
  const text = readFileSync(new URL('../../docs/interface.md', import.meta.url), 'utf8')
  const [, line = '', type = '', body = ''] =
    /```http\n(\w+ \/rdf-graph-store\S*) HTTP\/1\.1\nContent-Type: (.*)\n\n([^`]*)```/.exec(text) ?? []
  const [method = '', path = ''] = line.split(' ')
  const here = path.replace(encodeURIComponent('http://localhost:8080/'), encodeURIComponent(service.base))
  await put('/books/', '')

  const answer = await service.send({method, path: here, headers: {'Content-Type': type}, body})

  t.deepEqual([answer.status, answer.headers.location], [201, `${service.base}books/persuasion/`], answer.text)
  t.deepEqual(await saidOf(service, '/books/persuasion/'), ['<> <http://purl.org/dc/terms/title> "Persuasion"'])
})
