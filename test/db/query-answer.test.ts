/** Queries over documents: containment, contexts, checksums, datasets, limits (docs/interface.md, Queries). */
import test from 'ava'
import {checksumOf} from '../../src/checksum/canonical.ts'
import {createChecksumPool} from '../../src/checksum/pool.ts'
import {createSession} from '../../src/db/store/create-session.ts'
import {openDataset, readVocabulary} from '../../src/db/store/dataset.ts'
import {readDocument} from '../../src/db/store/document-reads.ts'
import {createDocument} from '../../src/db/store/document-writes.ts'
import type {Session} from '../../src/db/store/session.ts'
import {createQueryService, type QueryAnswer, type QueryRequest, type QueryService} from '../../src/query/answer.ts'
import {literal, namedNode, type Quad, type Term, type Triple, triple} from '../../src/rdf/term.ts'
import {platformVocabulary} from '../../src/rdf/vocabulary.ts'
import {until} from '../support/machine.ts'
import {createTestDatabase, type TestDatabase, testSchema} from '../support/postgres.ts'

const base = 'http://example.org/'
const platform = platformVocabulary('https://carbonldp.com/ns/v1/platform#')
const prefixes = `
  PREFIX c: <https://carbonldp.com/ns/v1/platform#>
  PREFIX ldp: <http://www.w3.org/ns/ldp#>
  PREFIX ex: <http://ex/>
`
const checksums = createChecksumPool()
let place: TestDatabase
let service: QueryService
let session: Session

const ex = (name: string) => namedNode(`http://ex/${name}`)

test.before(async () => {
  place = await createTestDatabase()
  const {database} = place
  const schema = testSchema
  await openDataset(database, {
    schema,
    base,
    defaultBase: base,
    platformNamespace: 'https://carbonldp.com/ns/v1/platform#',
  })
  const vocabulary = await readVocabulary(database, schema)
  session = createSession(database, schema, vocabulary)
  service = createQueryService({database, schema, vocabulary, timeoutMs: 10_000, checksums, platform})
  const create = (iri: string, parent: string, triples: readonly Triple[]) =>
    createDocument(session, iri, parent, {triples, isReturning: false})
  await create(`${base}a/`, base, [
    triple(namedNode(`${base}a/`), ex('title'), literal('A')),
    triple(namedNode(`${base}a/`), ex('shared'), literal('both')),
    triple(namedNode(`${base}a/`), ex('next'), namedNode(`${base}b/`)),
  ])
  await create(`${base}b/`, base, [
    triple(namedNode(`${base}b/`), ex('title'), literal('B')),
    triple(namedNode(`${base}a/`), ex('shared'), literal('both')),
  ])
  await create(`${base}a/c/`, `${base}a/`, [triple(namedNode(`${base}a/c/`), ex('title'), literal('C'))])
})

test.after.always(async () => {
  await checksums.close()
  await place?.drop()
})

async function ask<Result>(
  text: string,
  use: (answer: QueryAnswer) => Promise<Result>,
  preferences: QueryRequest['preferences'] = {contexts: false, checksums: false},
): Promise<Result> {
  return service.answer({text: prefixes + text, base, preferences}, use)
}

function show(term: Term | undefined): string | undefined {
  return term?.termType === 'NamedNode' ? term.value.replace(base, '/').replace('http://ex/', 'ex:') : term?.value
}

function select(text: string): Promise<readonly (readonly (string | undefined)[])[]> {
  return ask(text, async answer => {
    if (answer.form !== 'select') throw new Error('no solutions')
    const rows = []
    for await (const batch of answer.rows) rows.push(...batch)
    return rows.map(row => row.map(show))
  })
}

function graph(
  text: string,
  contexts: boolean,
  checksums: boolean,
): Promise<{applied: readonly string[]; quads: Quad[]}> {
  return ask(
    text,
    async answer => {
      if (answer.form !== 'graph') throw new Error('no graph')
      const quads: Quad[] = []
      for await (const batch of answer.quads) quads.push(...batch)
      return {applied: answer.applied, quads}
    },
    {contexts, checksums},
  )
}

const lines = (quads: readonly Quad[]) =>
  quads
    .map(
      ({subject, predicate, object, graph: place}) =>
        [subject, predicate, object].map(show).join(' ') + (place.termType === 'NamedNode' ? ` @${show(place)}` : ''),
    )
    .map(line => line.replaceAll('https://carbonldp.com/ns/v1/platform#', 'c:'))
    .sort()

test('containment matches with constants, with variables and in its graph', async t => {
  t.deepEqual(await select(`SELECT ?c { <${base}> ldp:contains ?c } ORDER BY ?c`), [['/a/'], ['/b/']])
  t.deepEqual(await select(`SELECT ?p { <${base}a/> ?p <${base}a/c/> } ORDER BY ?p`), [
    ['http://www.w3.org/ns/ldp#contains'],
    ['http://www.w3.org/ns/ldp#member'],
  ])
  t.deepEqual(await select(`SELECT ?g { GRAPH ?g { ?x ldp:contains <${base}a/c/> } }`), [['/a/']])
  t.deepEqual(await select(`SELECT ?c { <${base}> ldp:contains+ ?c } ORDER BY ?c`), [['/a/'], ['/a/c/'], ['/b/']])
  t.deepEqual(await select(`SELECT ?x { ?x ldp:member <${base}b/> }`), [['/']])
  t.deepEqual(await select(`SELECT (COUNT(*) AS ?n) { ?x (ldp:member|ex:next) ?y }`), [['4']])
})

test('a triple of two documents matches once, and twice with its graphs', async t => {
  t.deepEqual(await select('SELECT ?o { ?s ex:shared ?o }'), [['both']])
  t.deepEqual(await select('SELECT ?g { GRAPH ?g { ?s ex:shared ?o } } ORDER BY ?g'), [['/a/'], ['/b/']])
  t.deepEqual(await select(`SELECT ?o FROM <${base}a/> FROM <${base}b/> { ?s ex:shared ?o }`), [['both']])
  t.deepEqual(await select(`SELECT ?s FROM <${base}b/> { ?s ex:title ?o }`), [['/b/']])
  t.deepEqual(await select(`SELECT ?g FROM NAMED <${base}b/> { GRAPH ?g { ?s ex:shared ?o } }`), [['/b/']])
})

test('with contexts each triple is in the graphs that store it, constructed ones are in none', async t => {
  const {applied, quads} = await graph('CONSTRUCT { ?s ex:shared ?o ; ex:made "x" } { ?s ex:shared ?o }', true, false)

  t.deepEqual(applied, [platform.PreferResultsContexts])
  t.deepEqual(lines(quads), ['/a/ ex:made x', '/a/ ex:shared both @/a/', '/a/ ex:shared both @/b/'])
})

test('with contexts, triples from a path are in the c:document of their subject', async t => {
  const {quads} = await graph(
    'CONSTRUCT { ?s c:document ?d ; ex:nextTitle ?t } { GRAPH ?d { ?s ex:next ?n } ?s ex:next/ex:title ?t }',
    true,
    false,
  )

  t.deepEqual(lines(quads), ['/a/ c:document /a/ @/a/', '/a/ ex:nextTitle B @/a/'])
})

test('with both preferences each document node has its checksum', async t => {
  const {applied, quads} = await graph('CONSTRUCT { ?s ex:title ?o } { ?s ex:title ?o }', true, true)
  const a = await readDocument(session, `${base}a/`)
  const checksum = quads.find(
    ({subject, predicate}) => subject.value === `${base}a/` && predicate.value === platform.checksum,
  )

  t.deepEqual(applied, [platform.PreferResultsContexts, platform.PreferDocumentChecksums])
  t.is(quads.length, 6)
  t.deepEqual(checksum?.object, literal(await checksumOf(a?.triples ?? [])))
  t.is(checksum?.graph.value, `${base}a/`)
})

test('checksums alone need c:document in the template', async t => {
  const without = await graph('CONSTRUCT { ?s ex:title ?o } { ?s ex:title ?o }', false, true)
  const {applied, quads} = await graph(
    'CONSTRUCT { ?s c:document ?d ; ex:title ?o } { GRAPH ?d { ?s ex:title ?o } FILTER(?o = "B") }',
    false,
    true,
  )

  t.deepEqual(without.applied, [])
  t.is(without.quads.length, 3)
  t.deepEqual(applied, [platform.PreferDocumentChecksums])
  t.deepEqual(
    lines(quads).map(line => line.replace(/[0-9a-f]{64}/, '…')),
    ['/b/ c:checksum …', '/b/ c:document /b/', '/b/ ex:title B'],
  )
})

test('DESCRIBE returns the triples about a resource', async t => {
  const {quads} = await graph(`DESCRIBE <${base}a/>`, true, false)

  t.true(lines(quads).includes('/a/ ex:title A @/a/'))
  t.true(lines(quads).includes('/a/ ex:shared both @/b/'))
  t.true(lines(quads).some(line => line.startsWith('/a/ http://www.w3.org/ns/ldp#contains /a/c/ @/a/')))
})

test('a query that takes too long is a 503 that names the limit', async t => {
  const cross = Array.from({length: 9}, (_, index) => `?a${index} ?b${index} ?c${index} .`).join(' ')
  const hasty = createQueryService({
    database: place.database,
    schema: testSchema,
    vocabulary: await readVocabulary(place.database, testSchema),
    timeoutMs: 50,
    checksums,
    platform,
  })
  const preferences = {contexts: false, checksums: false}
  const request = {text: `SELECT (COUNT(*) AS ?n) { ${cross} }`, base, preferences}

  const error = await t.throwsAsync(() => hasty.answer(request, async () => undefined))

  t.like(error, {status: 503, rule: 'query-timeout', members: {limitMs: 50}})
})

test('SERVICE is refused without SILENT', async t => {
  const error = await t.throwsAsync(() => ask('SELECT * { SERVICE <http://x/> { ?s ?p ?o } }', async () => undefined))

  t.like(error, {status: 403, rule: 'federation-disabled'})
  t.deepEqual(await select('SELECT ?v ?s { SERVICE SILENT <http://x/> { ?s ?p ?o } VALUES ?v { 1 } }'), [
    ['1', undefined],
  ])
})

test('a query ends if its client disconnects', async t => {
  const controller = new AbortController()
  const cross = Array.from({length: 9}, (_, index) => `?a${index} ?b${index} ?c${index} .`).join(' ')
  const request = {
    text: `SELECT (COUNT(*) AS ?n) { ${cross} }`,
    base,
    preferences: {contexts: false, checksums: false},
    signal: controller.signal,
  }
  const longRunning = `select from pg_stat_activity where datname = current_database() and state = 'active'
    and query like '%count(*) * 16%' and query_start < clock_timestamp() - interval '50 ms'` // the query, not its plan

  const answering = t.throwsAsync(() => service.answer(request, async () => undefined))
  await until(async () => (await place.database.query(longRunning)).length > 0)
  controller.abort()

  t.like(await answering, {status: 503, rule: 'query-timeout'})
})

test('MIN and MAX use the order of ORDER BY; a member without a value makes them an error', async t => {
  const of = (values: string) =>
    select(`SELECT (MIN(?x) AS ?least) (MAX(?x) AS ?most) { VALUES ?x { ${values} } }`).then(([row]) => row)

  t.deepEqual(await of('3 2.5 10 "01"^^<http://www.w3.org/2001/XMLSchema#integer> 1e1'), ['01', '1e1'])
  t.deepEqual(await of('"b" "a"@en "a" <http://ex/z>'), ['ex:z', 'a'])
  t.deepEqual(await of('1 UNDEF'), [undefined, undefined])
  t.deepEqual(await of(''), [undefined, undefined])
  const date = (text: string) => `"${text}"^^<http://www.w3.org/2001/XMLSchema#date>`
  t.deepEqual(await of(['2020-01-02+14:00', '2020-01-01-12:00', '2020-01-02Z'].map(date).join(' ')), [
    '2020-01-02+14:00',
    '2020-01-02Z',
  ])
})

test('texts that double with each step have a limit, and are complete up to it', async t => {
  const steps = (count: number, step: (value: string) => string) =>
    Array.from({length: count}, (_, index) => `BIND(${step(`?v${index}`)} AS ?v${index + 1})`).join(' ')
  const doubling: readonly ((value: string) => string)[] = [
    value => `CONCAT(${value}, ${value})`,
    value => `CONCAT(STR(${value}), STR(${value}))`,
    value => `CONCAT(${Array(12).fill(value).join(', ')})`,
    value => `REPLACE(${value}, "a+", "$0$0")`,
  ]
  for (const step of doubling) {
    const query = (count: number) => `SELECT (STRLEN(?v${count}) AS ?n) { VALUES ?v0 { "a" } ${steps(count, step)} }`
    t.like(await t.throwsAsync(select(query(40))), {status: 422, rule: 'text-size', members: {limitBytes: 10_000_000}})
  }
  const encoded = steps(21, value => `CONCAT(${value}, ${value})`)
  t.like(await t.throwsAsync(select(`SELECT (ENCODE_FOR_URI(?v21) AS ?n) { VALUES ?v0 { "ä" } ${encoded} }`)), {
    rule: 'text-size',
  })
  const long = steps(23, value => `CONCAT(${value}, ${value})`)
  const of = (argument: string) => `SELECT (STRLEN(CONCAT(${Array(150).fill(argument).join(', ')})) AS ?n)`
  for (const argument of ['?v23', 'STR(?v23)']) // an array of these would be more than PostgreSQL can hold
    t.like(await t.throwsAsync(select(`${of(argument)} { VALUES ?v0 { "a" } ${long} }`)), {rule: 'text-size'})
  const double = `SELECT (STRLEN(?v20) AS ?n) { VALUES ?v0 { "a" } ${steps(20, value => `CONCAT(${value}, ${value})`)} }`
  t.deepEqual(await select(double), [[String(2 ** 20)]])
})

test('GROUP_CONCAT has a limit, separators count, and a long text is refused before it is computed', async t => {
  const range = (count: number) => Array.from({length: count}, (_, number) => number).join(' ')
  const long = 'x'.repeat(100_000)
  const members = `VALUES ?long { "${long}" } VALUES ?a { ${range(110)} } VALUES ?b { ${range(110)} }`
  const refused = {status: 422, rule: 'group-concat-size', members: {limitBytes: 10_000_000}}

  // Each would need more than a gigabyte, which PostgreSQL cannot hold.
  t.like(await t.throwsAsync(select(`SELECT (GROUP_CONCAT(?long) AS ?all) { ${members} }`)), refused)
  t.like(await t.throwsAsync(select(`SELECT (GROUP_CONCAT(?a; SEPARATOR="${long}") AS ?all) { ${members} }`)), refused)
  const separated = `SELECT (GROUP_CONCAT(DISTINCT ?c; SEPARATOR="${long}") AS ?all) {
    VALUES ?c { ${range(12_000)} } }`
  t.like(await t.throwsAsync(select(separated)), refused)
  const different = `SELECT (GROUP_CONCAT(DISTINCT ?c) AS ?all) {
    VALUES ?long { "${long}" } VALUES ?a { ${range(110)} } BIND(CONCAT(?long, STR(?a)) AS ?c) }`
  t.like(await t.throwsAsync(select(different)), refused)

  const same = `SELECT (GROUP_CONCAT(DISTINCT ?long) AS ?all) { ${members.replace(long, 'x'.repeat(1000))} }`
  t.is((await select(same))[0]?.[0]?.length, 1000)
  const groups = `SELECT ?a (STRLEN(GROUP_CONCAT(?long)) AS ?n) (MAX(STR(?b)) AS ?last) {
    VALUES ?long { "${long}" } VALUES ?a { 1 2 3 } VALUES ?b { ${range(98)} } } GROUP BY ?a ORDER BY ?a`
  const lengthOf98 = String(98 * 100_001 - 1)
  t.deepEqual(
    await select(groups),
    ['1', '2', '3'].map(group => [group, lengthOf98, '97']),
  )
})
