/** text:query in SPARQL: what it finds, its arguments, GRAPH, grants, updates, explanations and errors. */
import test from 'ava'
import {longText} from '../../src/sparql/compile.ts'
import {type GuardedService, startGuarded} from '../support/access.ts'
import type {Received} from '../support/client.ts'
import {turtle} from '../support/documents.ts'
import {ruleOf} from '../support/members.ts'
import {startService, type TestService, useService} from '../support/service.ts'

let service: TestService

const prefixes = `PREFIX text: <http://jena.apache.org/text#> PREFIX dct: <http://purl.org/dc/terms/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX e: <http://e/>\n`

const shelf: Readonly<Record<string, string>> = {
  emma: '<> dct:title "Emma" ; e:about "A young woman arranges marriages." .',
  companion: '<> dct:title "A companion to Emma"@en .',
  jane: '<> rdfs:label "Jane Austen" ; e:wrote "Emma" .',
  copy: '<http://e/x> rdfs:label "Emma, a copy" .',
  other: '<http://e/x> rdfs:label "Emma, a copy" .',
}

test.before(async () => {
  service = await startService()
  for (const [slug, body] of Object.entries(shelf)) {
    const {status} = await service.send({
      method: 'POST',
      path: '/',
      headers: {...turtle, Slug: slug},
      body: prefixes.replaceAll(/PREFIX (\S+ \S+)/g, '@prefix $1 .') + body,
    })
    if (status !== 201) throw new Error(`${slug}: ${status}`)
  }
})
test.after.always(() => service.stop())

const sparql = (query: string, type = 'text/csv') => ({
  method: 'POST',
  path: '/sparql',
  headers: {'Content-Type': 'application/sparql-query', Accept: type},
  body: prefixes + query,
})

/** The rows of a query as CSV, with IRIs of documents as paths. */
async function rowsOf(query: string): Promise<readonly string[]> {
  const {status, text} = await service.send(sparql(query))
  if (status !== 200) throw new Error(`${status} ${text}`)
  return text.replaceAll(service.base, '/').trim().split('\r\n').slice(1)
}

test('subjects, scores and literals of a property', async t => {
  t.deepEqual(await rowsOf('SELECT ?s { ?s text:query (dct:title "emma") } ORDER BY ?s'), ['/companion/', '/emma/'])
  t.deepEqual(
    await rowsOf('SELECT ?s ?score ?l { (?s ?score ?l) text:query (dct:title "emma") } ORDER BY DESC(?score)'),
    ['/emma/,1.0,Emma', '/companion/,0.1895,A companion to Emma'],
  )
  t.deepEqual(await rowsOf('SELECT * { (?s ?score) text:query (dct:title "emma" 1) }'), ['/emma/,1.0'])
  t.deepEqual(await rowsOf('SELECT ?s { ?s text:query (e:wrote e:about "emma") }'), ['/jane/'])
  t.deepEqual(await rowsOf('SELECT ?s { ?s text:query (dct:title "companions" "lang:en") }'), ['/companion/'])
  t.deepEqual(await rowsOf('SELECT ?s { ?s text:query (dct:title "companions"@en) }'), ['/companion/'])
  t.deepEqual(await rowsOf('SELECT ?s { ?s text:query (e:about "\\"young woman\\" arr*") }'), ['/emma/'])
})

test('without a property the values of labels are searched', async t => {
  t.deepEqual(await rowsOf('SELECT ?s { ?s text:query "emma" } ORDER BY ?s'), ['http://e/x', '/companion/', '/emma/'])
  t.deepEqual(await rowsOf('SELECT ?s { ?s text:query ("jane austen") }'), ['/jane/'])
})

test('it joins with other patterns, in any order and below OPTIONAL, UNION and EXISTS', async t => {
  t.deepEqual(await rowsOf('SELECT ?a { ?s e:about ?a . ?s text:query (dct:title "emma") }'), [
    'A young woman arranges marriages.',
  ])
  t.deepEqual(await rowsOf('SELECT ?s { ?s dct:title ?t FILTER EXISTS { ?s text:query (dct:title "companion") } }'), [
    '/companion/',
  ])
  t.deepEqual(
    await rowsOf('SELECT ?s ?l { ?s rdfs:label "Jane Austen" OPTIONAL { (?s ?x ?l) text:query (e:wrote "emma") } }'),
    ['/jane/,Emma'],
  )
  t.deepEqual(
    await rowsOf(
      'SELECT ?s { { ?s text:query (e:wrote "emma") } UNION { ?s text:query (e:about "woman") } } ORDER BY ?s',
    ),
    ['/emma/', '/jane/'],
  )
  t.deepEqual(await rowsOf(`SELECT ?l { (<${service.base}emma/> ?score ?l) text:query (dct:title "emma") }`), ['Emma'])
  t.deepEqual(await rowsOf('SELECT (COUNT(*) AS ?n) { ?s text:query (dct:title "emma") }'), ['2'])
})

test('queries of one shape have their own words', async t => {
  for (let round = 0; round < 3; round += 1) {
    t.deepEqual(await rowsOf('SELECT ?s { ?s text:query (rdfs:label "jane") }'), ['/jane/'])
    t.deepEqual(await rowsOf('SELECT ?s { ?s text:query (rdfs:label "copy") }'), ['http://e/x'])
    const plain = 'SELECT ?s { ?s <http://e/wrote> "Emma" }'
    t.deepEqual(await rowsOf(plain), ['/jane/'])
    const searched = await rowsOf(plain.replace('http://e/wrote', 'http://jena.apache.org/text#query'))
    t.deepEqual([...searched].sort(), ['/companion/', '/emma/', 'http://e/x'])
  }
})

test('GRAPH names the documents, with a limit for each', async t => {
  t.deepEqual(await rowsOf('SELECT ?g { GRAPH ?g { ?s text:query (rdfs:label "copy") } } ORDER BY ?g'), [
    '/copy/',
    '/other/',
  ])
  t.deepEqual(await rowsOf('SELECT ?g { GRAPH ?g { ?s text:query (rdfs:label "copy" 1) } } ORDER BY ?g'), [
    '/copy/',
    '/other/',
  ])
  t.deepEqual(await rowsOf(`SELECT ?s { GRAPH <${service.base}emma/> { ?s text:query "emma" } }`), ['/emma/'])
})

test('CONSTRUCT, an update and a query of the past', async t => {
  const {text} = await service.send(
    sparql('CONSTRUCT { ?s e:found ?l } { (?s ?score ?l) text:query (dct:title "emma" 1) }', 'application/n-triples'),
  )
  t.is(text, `<${service.base}emma/> <http://e/found> "Emma" .\n`)

  const update = await service.send({
    method: 'POST',
    path: '/sparql',
    headers: {'Content-Type': 'application/sparql-update'},
    body: `${prefixes} INSERT { GRAPH ?s { ?s e:tagged true } } WHERE { ?s text:query (e:about "woman") }`,
  })
  t.is(update.status, 200, update.text)
  t.deepEqual(await rowsOf('SELECT ?s { ?s e:tagged true }'), ['/emma/'])

  const past = await service.send({
    ...sparql('SELECT ?s { ?s text:query (dct:title "companion") }'),
    path: `/sparql?at=${new Date().toISOString()}`,
  })
  t.is(past.text.replaceAll(service.base, '/'), 's\r\n/companion/\r\n')
})

test('an explanation shows the search', async t => {
  const {text} = await service.send({
    ...sparql('SELECT ?s { ?s text:query (dct:title "emma" 5) }', 'application/vnd.quadstead.explain+json'),
  })
  const {sql, passes} = JSON.parse(text)
  t.true(String(sql).includes('sparql_search('), text)
  t.true(JSON.stringify(passes).includes('(search ?.'), text)
})

test('wrong arguments are refused', async t => {
  const refused = async (pattern: string) => ruleOf((await service.send(sparql(`SELECT * { ${pattern} }`))) as Received)

  for (const pattern of [
    '?s text:query ()',
    '?s text:query (rdfs:label)',
    '?s text:query (rdfs:label ?words)',
    '?s text:query 10',
    '?s text:query (rdfs:label "emma" ?n)',
    '?s text:query (rdfs:label "emma" "en")',
    '?s text:query (rdfs:label "emma" 1.5)',
    '(?s "x") text:query "emma"',
    '(?s ?score ?l ?g ?x) text:query "emma"',
    '() text:query "emma"',
  ])
    t.is(await refused(pattern), 'text-query', pattern)
  t.is(await refused('?s text:query (rdfs:label "*")'), 'search-words')
  t.is(await refused('?s text:query (rdfs:label "a*")'), 'search-words')
})

test('SEARCH=off refuses it', async t => {
  const {send} = await useService(t, {SEARCH: 'off'})
  const query = 'SELECT * { ?s text:query "emma" }'
  const long = `${query} # ${'-'.repeat(longText)}` // a worker thread compiles it

  for (const text of [query, long]) {
    const answer = await send(sparql(text))
    t.deepEqual([answer.status, JSON.parse(answer.text).title], [403, 'search-off'])
  }
})

test('a caller finds only what it may read, and its limit counts only that', async t => {
  const guarded: GuardedService = await startGuarded()
  t.teardown(guarded.stop)
  for (const [slug, title] of [
    ['closed', 'Emma'],
    ['open', 'Emma and more words'],
  ])
    await guarded.sendAs('root', {
      method: 'POST',
      path: '/',
      headers: {...turtle, Slug: String(slug)},
      body: `<> <http://purl.org/dc/terms/title> "${title}" .`,
    })
  await guarded.grant('/open/', {public: ['read']})
  const query = sparql('SELECT ?s { ?s text:query (dct:title "emma" 1) }')

  t.is((await guarded.sendAs('root', query)).text, `s\r\n${guarded.base}closed/\r\n`)
  t.is((await guarded.sendAs(undefined, query)).text, `s\r\n${guarded.base}open/\r\n`)
  t.is(
    (await guarded.sendAs(undefined, sparql('SELECT ?s { ?s text:query "emma" }'))).text,
    `s\r\n${guarded.base}open/\r\n`,
  )
})
