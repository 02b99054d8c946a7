/** SPARQL Update over HTTP (docs/interface.md, Updates). */
import {readFileSync} from 'node:fs'
import test, {type ExecutionContext} from 'ava'
import type {Received, Sent} from '../support/client.ts'
import {c, create, saidOf} from '../support/documents.ts'
import {brokenInvariants, ex, ruleOf} from '../support/members.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(async t => {
  t.deepEqual(await brokenInvariants(service), [])
  await service.stop()
})

const updateType = {'Content-Type': 'application/sparql-update'}
const form = {'Content-Type': 'application/x-www-form-urlencoded'}
const prefix = `prefix ex: <${ex}> prefix c: <${c}>`

function update(path: string, text: string, {headers = {}}: Pick<Sent, 'headers'> = {}): Promise<Received> {
  return service.send({method: 'POST', path, headers: {...updateType, ...headers}, body: `${prefix} ${text}`})
}

const said = async (path: string) => (await saidOf(service, path)).map(line => line.replaceAll(ex, 'ex:'))
const etagOf = async (path: string) => String((await service.send({method: 'HEAD', path})).headers.etag)
const refusalOf = (answer: Received) => `${answer.status} ${ruleOf(answer)}`

/** The state of some documents, to show that nothing has changed. */
async function stateOf(...paths: readonly string[]): Promise<readonly unknown[]> {
  return Promise.all(paths.map(async path => [(await service.send({path})).status, await etagOf(path)]))
}

async function made(t: ExecutionContext, slug: string, body = '', parent = '/') {
  return create(t, service, {slug, body: body === '' ? '' : `@prefix ex: <${ex}> . ${body}`, parent})
}

test('an update changes the document of its URL, and answers with counts and tags', async t => {
  const {path, iri, etag} = await made(t, 'one', '<> ex:n 1 ; ex:m 5 .')

  const answer = await update(
    path,
    'DELETE { <> ex:n ?n } INSERT { <> ex:n ?next } WHERE { <> ex:n ?n BIND (?n + 1 AS ?next) }',
  )

  const newTag = await etagOf(path)
  t.not(newTag, etag)
  t.is(answer.status, 200, answer.text)
  t.is(answer.headers['content-type'], 'application/json; charset=utf-8')
  t.deepEqual(JSON.parse(answer.text), {
    triples: {inserted: 1, removed: 1},
    created: [],
    changed: [{iri, etag: newTag}],
    deleted: [],
  })
  t.deepEqual(await said(path), [
    '<> <ex:m> "5"^^<http://www.w3.org/2001/XMLSchema#integer>',
    '<> <ex:n> "2"^^<http://www.w3.org/2001/XMLSchema#integer>',
  ])
})

test('nothing that changes nothing gets a new tag', async t => {
  const {path, etag} = await made(t, 'same', '<> ex:p "kept" .')
  const answer = await update(
    path,
    'INSERT DATA { <> ex:p "kept" }; DELETE DATA { <> ex:p "other" }; DELETE { <> ex:q ?o } WHERE { <> ex:q ?o }',
  )
  t.deepEqual(JSON.parse(answer.text), {triples: {inserted: 0, removed: 0}, created: [], changed: [], deleted: []})
  t.is(await etagOf(path), etag)
})

test('WHERE reads the union; a template changes several documents at once; each operation sees the one before', async t => {
  const a = await made(t, 'many', '<> ex:old "1" .')
  const b = await made(t, 'child', '<> ex:old "2" .', a.path)
  const answer = await update(
    a.path,
    `DELETE { GRAPH ?g { ?s ex:old ?o } } INSERT { GRAPH ?g { ?s ex:new ?o } }
     WHERE { GRAPH ?g { ?s ex:old ?o } FILTER (STRSTARTS(STR(?g), "${a.iri}")) };
     INSERT { <> ex:count ?n } WHERE { SELECT (COUNT(*) AS ?n) { ?s ex:new ?o } }`,
  )
  t.deepEqual(JSON.parse(answer.text).triples, {inserted: 3, removed: 2})
  t.deepEqual(await said(a.path), ['<> <ex:count> "2"^^<http://www.w3.org/2001/XMLSchema#integer>', '<> <ex:new> "1"'])
  t.deepEqual(await said(b.path), ['<> <ex:new> "2"'])
})

test('INSERT into a free child of a document creates it, with terms that are computed and blank nodes', async t => {
  const {path, iri} = await made(t, 'parent')
  const answer = await update(
    path,
    `INSERT { GRAPH ?g { ?g ex:title ?title ; ex:part [ ex:n ?n ] } }
      WHERE { VALUES ?n { 1 2 } BIND (IRI(CONCAT("${iri}made-", STR(?n), "/")) AS ?g)
              BIND (CONCAT("No ", STR(?n)) AS ?title) }`,
  )
  t.is(answer.status, 200, answer.text)
  const result = JSON.parse(answer.text)
  t.deepEqual(
    result.created.map(({iri: made}: {iri: string}) => made),
    [`${iri}made-1/`, `${iri}made-2/`],
  )
  t.is(result.created[0].etag, await etagOf(`${path}made-1/`))
  t.deepEqual(result.triples, {inserted: 6, removed: 0})
  t.true((await said(`${path}made-2/`)).includes('<> <ex:title> "No 2"'))
  t.is((await said(`${path}made-2/`)).length, 3)
})

test('a graph that is no document and no free child is a 422, and nothing is done', async t => {
  const {path} = await made(t, 'atomic', '<> ex:p 1 .')
  const before = await stateOf(path)
  for (const graph of [
    'http://elsewhere.example/',
    `${service.base}no/parent/`,
    `${service.base}atomic/a`,
    `${service.base}atomic/a%41/`,
    `${service.base}.system/`,
  ]) {
    const answer = await update(path, `INSERT DATA { <> ex:q 2 }; INSERT DATA { GRAPH <${graph}> { <> ex:q 2 } }`)
    t.is(refusalOf(answer), '422 graph-known', graph)
  }
  t.deepEqual(await stateOf(path), before)
})

test('what the service owns cannot be changed', async t => {
  const {path} = await made(t, 'owned', '<> ex:p 1 .')
  const before = await stateOf(path)
  t.is(refusalOf(await update(path, 'DELETE { <> c:created ?o } WHERE { <> c:created ?o }')), '409 reserved-free')
  t.is(refusalOf(await update(path, 'INSERT DATA { <> c:modified "now" }')), '409 reserved-free')
  t.is(
    refusalOf(await update(path, 'INSERT DATA { <> <http://www.w3.org/ns/ldp#contains> <urn:x> }')),
    '409 containment-kept',
  )
  t.deepEqual(await stateOf(path), before)
  t.is(
    (
      await update(
        path,
        'DELETE { ?s ?p ?o } INSERT { ?s ?p ?o . ?s ex:r ?p } WHERE { GRAPH <> { ?s ?p ?o FILTER (?p = c:created) } }',
      )
    ).status,
    200,
  )
})

test('CREATE, ADD, COPY, MOVE, CLEAR and DROP act on documents', async t => {
  const {path, iri} = await made(t, 'graphs', '<> ex:p "1" ; ex:b [ ex:q "2" ] .')
  const at = (name: string) => `<${iri}${name}/>`
  const run = async (text: string) => {
    const answer = await update(path, text)
    t.is(answer.status, 200, `${text} ${answer.text}`)
    return JSON.parse(answer.text)
  }
  const own = async (name: string) => (await said(`${path}${name}/`)).length

  t.is((await run(`CREATE GRAPH ${at('a')}`)).created[0].iri, `${iri}a/`)
  t.is(refusalOf(await update(path, `CREATE GRAPH ${at('a')}`)), '409 document-iri-free')
  t.deepEqual((await run(`CREATE SILENT GRAPH ${at('a')}`)).created, [])
  await run(`COPY DEFAULT TO ${at('a')}; ADD ${at('a')} TO ${at('b')}; COPY ${at('a')} TO ${at('a')}`)
  t.deepEqual([await own('a'), await own('b')], [3, 3])
  await run(`INSERT DATA { GRAPH ${at('b')} { <> ex:more 1 } }; COPY ${at('a')} TO ${at('b')}`)
  t.is(await own('b'), 3)
  t.deepEqual((await run(`MOVE ${at('b')} TO ${at('c')}`)).deleted, [`${iri}b/`])
  t.is(await own('c'), 3)
  const missing = await update(path, `COPY ${at('b')} TO ${at('c')}`)
  t.is(refusalOf(missing), '422 graph-known')
  t.regex(JSON.parse(missing.text).detail, /^There is no document <[^>]*b\/>:/)
  await run(`COPY SILENT ${at('b')} TO ${at('c')}; CLEAR GRAPH ${at('c')}`)
  t.is(await own('c'), 0)
  t.is(refusalOf(await update('/', `DROP GRAPH <${iri}>`)), '409 document-empty')
  t.deepEqual((await run(`DROP GRAPH ${at('c')}; DROP SILENT GRAPH ${at('c')}`)).deleted, [`${iri}c/`])
  t.is((await service.send({path: `${path}c/`})).status, 404)
})

test('at /sparql every graph has a name; the parameters of the protocol choose the dataset', async t => {
  const {path, iri} = await made(t, 'endpoint', '<> ex:p "here" .')
  const other = await made(t, 'endpoint-other', '<> ex:p "there" .')
  const insert = `INSERT { GRAPH <${iri}> { <${iri}> ex:found ?o } } WHERE { ?s ex:p ?o }`
  const body = (text: string) => new URLSearchParams({update: `${prefix} ${text}`}).toString()
  const post = (query: string, text: string) =>
    service.send({method: 'POST', path: `/sparql${query}`, headers: form, body: body(text)})

  const using = `?using-graph-uri=${encodeURIComponent(other.iri)}`
  t.is((await post(using, insert)).status, 200)
  t.deepEqual(await said(path), ['<> <ex:found> "there"', '<> <ex:p> "here"'])
  const direct = await service.send({
    method: 'POST',
    path: `/sparql${using}`,
    headers: updateType,
    body: `${prefix} ${insert}`,
  })
  t.is(direct.status, 200)
  t.is(refusalOf(await post('', 'INSERT DATA { <urn:s> ex:p 1 }')), '422 update-graph')
  t.is(refusalOf(await post(using, `WITH <${iri}> INSERT { <urn:s> ex:p 1 } WHERE {}`)), '400 update-dataset')
  t.is(refusalOf(await post('?using-graph-uri=a', insert)), '400 query-graph')
  t.is(refusalOf(await post(`?query=${encodeURIComponent('ASK {}')}`, insert)), '400 query-given')
  t.is(refusalOf(await service.send({path: `/sparql?${body(insert)}`})), '400 query-reads-only')
})

test('preconditions, preferences and refused texts', async t => {
  const {path, etag} = await made(t, 'conditions', '<> ex:p 1 .')
  const insert = 'INSERT DATA { <> ex:q 1 }'
  t.is(refusalOf(await update(path, insert, {headers: {'If-Match': '"0"'}})), '412 etag-mismatch')
  t.is(refusalOf(await update(path, 'INSERT', {headers: {'If-Match': '"0"'}})), '412 etag-mismatch')
  t.is(refusalOf(await update(path, 'INSERT', {headers: {'If-Match': etag}})), '400 query-syntax')
  const quiet = await update(path, insert, {headers: {'If-Match': etag, Prefer: 'return=minimal'}})
  t.is(quiet.status, 204)
  t.is(quiet.headers['preference-applied'], 'return=minimal')
  t.is(refusalOf(await update('/missing/', insert)), '404 document-exists')
  t.is(refusalOf(await update(path, 'LOAD <http://example.org/>')), '403 load-disabled')
  t.is((await update(path, 'LOAD SILENT <http://example.org/>')).status, 200)
  t.is(
    refusalOf(await update(path, 'INSERT { <> ex:p ?o } WHERE { SERVICE <http://x/> { ?s ?p ?o } }')),
    '403 federation-disabled',
  )
})

test('increments by updates at once are all done', async t => {
  const {path, iri} = await made(t, 'counter', '<> ex:n 0 .')
  const increment = () =>
    update(
      path,
      `DELETE { <> ex:n ?n } INSERT { <> ex:n ?next } WHERE { GRAPH <${iri}> { <> ex:n ?n } BIND (?n + 1 AS ?next) }`,
    )
  const answers = await Promise.all(Array.from({length: 20}, increment))
  const done = answers.filter(({status}) => status === 200).length
  t.deepEqual(await said(path), [`<> <ex:n> "${done}"^^<http://www.w3.org/2001/XMLSchema#integer>`])
  t.true(
    answers.every(({status}) => status === 200 || status === 503),
    answers.map(({text}) => text).join(),
  )
})

test('two updates that create the same document both write to it', async t => {
  const {path, iri} = await made(t, 'race')
  const write = (n: number) => update(path, `INSERT DATA { GRAPH <${iri}child/> { <> ex:n ${n} } }`)
  const answers = await Promise.all([1, 2, 3, 4].map(write))
  t.deepEqual(
    answers.map(({status}) => status),
    [200, 200, 200, 200],
    answers.map(({text}) => text).join(),
  )
  t.is((await said(`${path}child/`)).length, 4)
})

test('a blank node that is added to another document is a new node there, once for the request', async t => {
  const {path, iri} = await made(t, 'blank', '<> ex:b [ ex:p 1 ] .')
  const copy = `INSERT { GRAPH <${iri}copy/> { ?s ?p ?o } } WHERE { GRAPH <${iri}> { ?s ?p ?o FILTER (?p IN (ex:b, ex:p)) } }`
  await update(path, `${copy}; ${copy}`)
  t.is((await said(`${path}copy/`)).length, 2)
})

test('a patch by an update changes its document alone', async t => {
  const {path, iri, etag} = await made(t, 'patched', '<> ex:p 1 .')
  const other = await made(t, 'not-patched', '<> ex:p 2 .')
  const patch = (text: string, headers = {}) =>
    service.send({method: 'PATCH', path, headers: {...updateType, ...headers}, body: `${prefix} ${text}`})

  const answer = await patch('DELETE { ?s ex:p ?o } INSERT { ?s ex:q ?o } WHERE { ?s ex:p ?o }', {'If-Match': etag})

  t.is(answer.status, 204, answer.text)
  t.is(answer.headers.etag, await etagOf(path))
  t.not(answer.headers.etag, etag)
  t.deepEqual(await said(path), ['<> <ex:q> "1"^^<http://www.w3.org/2001/XMLSchema#integer>'])
  t.is(await etagOf(other.path), other.etag)
  t.is(refusalOf(await patch(`INSERT DATA { GRAPH <${iri}> { <> ex:p 1 } }`)), '422 patch-graph')
  t.is(refusalOf(await patch('INSERT DATA { <> ex:p 3 }', {'If-Match': etag})), '412 etag-mismatch')
  const whole = await patch('INSERT DATA { <> ex:p 3 }', {Prefer: 'return=representation', Accept: 'text/turtle'})
  t.is(whole.status, 200)
  t.true(whole.text.includes('3'))
  t.true(String(whole.headers['preference-applied']).includes('return=representation'))
  const offered = await service.send({method: 'OPTIONS', path})
  t.is(offered.headers['accept-patch'], 'text/ldpatch, application/sparql-update')
  t.true(String(offered.headers['accept-post']).includes('application/sparql-update'))
})

/** The SPARQL examples of a section of a page. */
function examplesOf(page: string, heading: string): readonly string[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
  const [, section = ''] = text.split(`\n## ${heading}\n`)
  return [...(section.split('\n## ')[0] ?? '').matchAll(/```sparql\n(.*?)```/gs)].map(([, example = '']) => example)
}

test.serial('the examples of the guides do what they say', async t => {
  const {path, iri} = await made(t, 'example', '<> ex:price 10 ; ex:name "Emma" ; ex:draft true .')
  const [patch = ''] = examplesOf('interface.md', 'Patching')
  const [discount = ''] = examplesOf('interface.md', 'Updates')
  const [labels = ''] = examplesOf('sparql.md', 'Updates')

  t.is((await service.send({method: 'PATCH', path, headers: updateType, body: patch})).status, 204)
  for (const text of [discount, labels]) {
    const answer = await service.send({method: 'POST', path, headers: updateType, body: text})
    t.is(answer.status, 200, answer.text)
    t.true(JSON.parse(answer.text).changed.some((changed: {iri: string}) => changed.iri === iri))
  }
  t.deepEqual(await said(path), [
    '<> <ex:label> "EMMA"',
    '<> <ex:name> "Emma"',
    '<> <ex:price> "7.2"^^<http://www.w3.org/2001/XMLSchema#decimal>',
  ])
})
