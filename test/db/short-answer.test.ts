/** The statements by which queries are answered, the first time and later. Each method has the same answer. */
import {setTimeout as delay} from 'node:timers/promises'
import test, {type ExecutionContext} from 'ava'
import {subscribe} from '../../src/base/observation.ts'
import {createChecksumPool} from '../../src/checksum/pool.ts'
import type {Database} from '../../src/db/connection/pool.ts'
import {type HeldStates, type StoreFacts, stateText} from '../../src/db/query/facts.ts'
import {findIds} from '../../src/db/query/rows.ts'
import {readShortAnswer, termsPlace, termsText} from '../../src/db/query/short-answer.ts'
import {createSession} from '../../src/db/store/create-session.ts'
import {openDataset, readVocabulary} from '../../src/db/store/dataset.ts'
import {moveDocument} from '../../src/db/store/document-moves.ts'
import {createDocument} from '../../src/db/store/document-writes.ts'
import {
  createQueryService,
  type QueryAnswer,
  type QueryRequest,
  type QueryServiceOptions,
} from '../../src/query/answer.ts'
import {blankNode, literal, namedNode, type Term, type Triple, triple} from '../../src/rdf/term.ts'
import {termKey} from '../../src/rdf/term-key.ts'
import {platformVocabulary, xsd} from '../../src/rdf/vocabulary.ts'
import {gatherText} from '../../src/sparql/print/gather.ts'
import {until} from '../support/machine.ts'
import {createTestDatabase, testSchema as schema} from '../support/postgres.ts'
import {noConditions} from '../support/store.ts'

const base = 'http://example.org/'
const platformNamespace = 'https://carbonldp.com/ns/v1/platform#'
const ex = (name: string) => namedNode(`http://ex/${name}`)
const key = (name: string) => `Ihttp://ex/${name}`
const text = (value: string) => `Lhttp://www.w3.org/2001/XMLSchema#string  ${value}`

/** A store, its query service, and the statements since the last call. The facts that all plans need are cached. */
async function useQueries(t: ExecutionContext, options: Partial<QueryServiceOptions> = {}) {
  const place = await createTestDatabase()
  t.teardown(() => place.drop())
  await openDataset(place.database, {schema, base, defaultBase: base, platformNamespace})
  const vocabulary = await readVocabulary(place.database, schema)
  const {database, ways, texts, values, beforeTerms} = watched(place.database)
  const checksums = createChecksumPool()
  t.teardown(checksums.close)
  const platform = platformVocabulary(platformNamespace)
  const sampledFromMs = Number.POSITIVE_INFINITY // samples are statements too
  const usual = {database, schema, vocabulary, timeoutMs: 10_000, checksums, platform, sampledFromMs}
  const start = () => createQueryService({...usual, ...options})
  let service = start()
  const session = createSession(place.database, schema, vocabulary)
  const waysSince = () => ways.splice(0).join(' ')
  const move = (from: string, to: string) =>
    moveDocument(session, base + from, noConditions, {iri: base + to, overwrites: false, redirectSeconds: 0})
  let made = 0
  const preferences = {contexts: false, checksums: false}
  await createDocument(session, `${base}first/`, base, {triples: [], isReturning: false})
  const begin = () => service.answer({text: 'ASK {}', base, preferences}, collect).then(waysSince)
  await begin()
  return {
    /** Replaces the service by a new one, whose statistics are those of now. */
    async restart() {
      service = start()
      await begin()
    },
    /** The same, but the new service has prepared for its first query. */
    async restartPrepared() {
      service = start()
      await service.prepareForFirst(base)
      waysSince()
    },
    put: (...triples: readonly (Triple | readonly [string, string, Term])[]) =>
      createDocument(session, `${base}${made++}/`, base, {
        triples: triples.map(one => ('subject' in one ? one : triple(ex(one[0]), ex(one[1]), one[2]))),
        isReturning: false,
      }),
    /** The statements, then the answer: sorted keys of terms. */
    async ask(query: string, how: Pick<QueryRequest, 'grantees' | 'signal'> = {}) {
      const answer = await service.answer({text: query, base, preferences, ...how}, collect)
      return [waysSince(), ...answer]
    },
    waysSince,
    move,
    /** Moves a document before the next look-up of terms. */
    moveMeanwhile: (from: string, to: string) => beforeTerms(() => move(from, to)),
    /** The number of different statements that read short answers since the last call. */
    textsSince: () => new Set(texts.splice(0)).size,
    /** The parameters of the last statement that read a short answer. */
    lastValues: () => values.at(-1),
    idsOf: (keys: readonly string[]) => findIds(place.database, schema, keys),
    /** Running statements, without this one. */
    async running() {
      const text = `select count(*)::int as n from pg_stat_activity
                     where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`
      const [row] = await place.database.query<{n: number}>(text)
      return row?.n
    },
  }
}

function watched(inner: Database) {
  const [ways, texts, values]: [string[], string[], (readonly unknown[])[]] = [[], [], []]
  let waiting: (() => Promise<unknown>) | undefined
  const database: Database = {
    ...inner,
    read: (_, work) => work(database, undefined),
    openSnapshot: (...asked) => {
      ways.push('begin')
      return inner.openSnapshot(...asked)
    },
    query: async (...asked) => {
      const [text, bound = [], how] = asked
      const work = how?.before === undefined && text.includes('terms_up_to') ? waiting : undefined
      if (work !== undefined) waiting = undefined
      await work?.()
      if (how?.before !== undefined) {
        texts.push(text)
        values.push(bound)
        ways.push('short')
      } else if (!text.includes('pg_relation_size')) ways.push('query') // without the size of the store
      return inner.query(...asked)
    },
  }
  const beforeTerms = (work: () => Promise<unknown>) => {
    waiting = work
  }
  return {database, ways, texts, values, beforeTerms}
}

async function collect(answer: QueryAnswer): Promise<string[]> {
  const told: string[] = []
  if (answer.form === 'ask') told.push(String(answer.value))
  if (answer.form === 'select') {
    for await (const rows of answer.rows)
      for (const row of rows) told.push(row.map(term => (term === undefined ? '-' : termKey(term))).join(' | '))
  }
  if (answer.form === 'graph') {
    for await (const quads of answer.quads)
      for (const {subject, predicate, object} of quads) told.push([subject, predicate, object].map(termKey).join(' | '))
  }
  return told.sort()
}

test('a short answer is one statement, after the look-ups that it needs', async t => {
  const {put, ask} = await useQueries(t)
  await put(['a', 'p', literal('one')], ['b', 'p', literal('two')], ['b', 'q', ex('c')])
  const all = 'SELECT ?s ?o ?q { ?s <http://ex/p> ?o OPTIONAL { ?s <http://ex/q> ?q } }'
  const rows = [`${key('a')} | ${text('one')} | -`, `${key('b')} | ${text('two')} | ${key('c')}`]
  const graph = 'CONSTRUCT { ?o a <http://ex/Text> } { ?s <http://ex/p> ?o FILTER(false) }'
  const turned = 'CONSTRUCT { <http://ex/new> <http://ex/of> ?s } { ?s <http://ex/p> ?o }'
  const triples = ['a', 'b'].map(name => [key('new'), key('of'), key(name)].join(' | '))
  const computed = 'SELECT (UCASE(?o) AS ?u) ?s { ?s <http://ex/p> ?o }'
  const computedRows = [`${text('ONE')} | ${key('a')}`, `${text('TWO')} | ${key('b')}`]
  const answers = [
    ['query short', 'SELECT ?o { <http://ex/b> <http://ex/q> ?o }', key('c')], // ids, rows, terms
    ['short', 'SELECT ?p { <http://ex/c> ?p ?o }'], // the terms of an answer are cached
    ['query begin', all, ...rows], // without statistics the predicate is expected to have a thousand triples
    ['short', 'ASK { ?s <http://ex/p> "two" }', 'true'], // the statement looks the constant up
    ['short', 'SELECT * { <http://ex/a> <http://ex/p> "one" }', ''],
    ['query begin', graph],
    ['query begin', turned, ...triples],
    ['query begin', computed, ...computedRows],
    ['short', 'SELECT ?o { <http://ex/b> <http://ex/p> ?o }', text('two')], // everything is cached
  ] as const

  for (const [way, query, ...answer] of answers) {
    t.deepEqual(await ask(query), [way, ...answer])
    for (let again = 0; again < 3; again += 1) t.deepEqual(await ask(query), ['short', ...answer])
  }
})

test('a statement looks up a new constant, and the next one of the same text has its id', async t => {
  const {put, ask, textsSince, lastValues, idsOf} = await useQueries(t)
  await put(['a', 'p', literal('one')], ['b', 'p', literal('two')])
  await ask('ASK { <http://ex/b> <http://ex/p> ?o }') // facts are cached from now on
  textsSince()
  const constantsIn = async (query: string, answer: string) => {
    t.deepEqual(await ask(query), ['short', answer])
    return lastValues()?.slice(-4)
  }
  const ids = await idsOf([key('a'), text('one'), text('two')])
  const [a, one, two] = [key('a'), text('one'), text('two')].map(of => ids.get(of))
  const query = 'ASK { <http://ex/a> <http://ex/p> "one" }'

  t.deepEqual(await constantsIn(query, 'true'), [null, key('a'), null, text('one')])
  t.deepEqual(await constantsIn(query, 'true'), [a, null, one, null])
  t.deepEqual(await constantsIn('ASK { <http://ex/a> <http://ex/p> "two" }', 'false'), [a, null, null, text('two')])
  t.deepEqual(await constantsIn('ASK { <http://ex/a> <http://ex/p> "two" }', 'false'), [a, null, two, null])
  const absent = 'ASK { <http://ex/a> <http://ex/p> "none" }'
  for (let again = 0; again < 2; again += 1)
    t.deepEqual(await constantsIn(absent, 'false'), [a, null, null, text('none')])
  await put(['a', 'p', literal('none')])
  t.deepEqual(await constantsIn(absent, 'true'), [a, null, null, text('none')])
  t.is(textsSince(), 1)
})

test('DESCRIBE of few resources is one statement, blank nodes in a cycle included', async t => {
  const {put, ask, textsSince} = await useQueries(t)
  const [inner, outer] = [blankNode('inner'), blankNode('outer')]
  const quads = [
    triple(ex('a'), ex('p'), outer),
    triple(outer, ex('q'), inner),
    triple(inner, ex('q'), outer),
    triple(inner, ex('r'), ex('b')),
    triple(ex('b'), ex('p'), literal('two')),
  ]
  await put(...quads)
  const about = (query: string) => ask(query).then(([way, ...triples]) => [way, ...triples.map(withoutLabels)])
  const line = (...terms: readonly string[]) => terms.join(' | ')
  textsSince()
  const ofB = line(key('b'), key('p'), text('two'))
  const ofA = [
    line('B', key('q'), 'B'),
    line('B', key('q'), 'B'),
    line('B', key('r'), key('b')),
    line(key('a'), key('p'), 'B'),
  ]

  t.deepEqual(await about('DESCRIBE <http://ex/a>'), ['short', ...ofA])
  t.deepEqual(await about('DESCRIBE <http://ex/b>'), ['short', ofB])
  t.deepEqual(await about('DESCRIBE <http://ex/absent>'), ['short'])
  t.is(textsSince(), 1) // another resource has the same plan
  t.deepEqual(await about('DESCRIBE <http://ex/a> <http://ex/b> <http://ex/a>'), ['short', ...ofA, ofB])
  t.deepEqual(await about('DESCRIBE ?s { ?s <http://ex/p> "two" }'), ['short', ofB])
})

function withoutLabels(line: string): string {
  return line.replaceAll(/B\w+/g, 'B')
}

test('a service that has prepared for its first query looks up nothing for it, and observes it alone', async t => {
  const {ask, restartPrepared} = await useQueries(t, {name: 'prepared'})
  const observed: string[] = []
  const end = subscribe(seen => {
    if (seen.kind === 'query' && seen.dataset === 'prepared') observed.push(seen.text)
  })
  t.teardown(end)
  await restartPrepared()
  const first = 'ASK { ?s ?p ?o }'

  t.deepEqual(await ask(first), ['short', 'true'])
  t.deepEqual(observed, [first])
})

test('terms of the statistics need no look-up, unless terms were renamed since', async t => {
  const {put, ask, restart, move} = await useQueries(t)
  await put(...['a', 'b', 'c', 'd', 'e'].map((s): [string, string, Term] => [s, 'p', namedNode(`${base}first/`)]))
  await restart()
  const to = (name: string, variable: string) =>
    `SELECT (COUNT(${variable}) AS ?n) { ${variable} <http://ex/p> <${base}${name}/> }`
  const count = (n: number) => termKey(literal(`${n}`, xsd.integer))
  t.deepEqual(await ask(to('first', '?s')), ['short', count(5)])

  await move('first/', 'second/')
  t.deepEqual(await ask(to('second', '?s')), ['short begin', count(5)])
  t.deepEqual(await ask(to('first', '?x')), ['query short', count(0)])
})

test('a plan for triples that are each in one graph is not used when one of them is in two', async t => {
  const {put, ask} = await useQueries(t)
  await put(['a', 'p', ex('x')], ['a', 'q', ex('y')])
  const graph = (number: number) => `I${base}${number}/`
  const inGraphs = (name: string) => `SELECT ${name} ?o { GRAPH ${name} { <http://ex/a> <http://ex/p> ?o } } LIMIT 5`
  const fromGraphs = (name: string) =>
    `SELECT ${name} FROM <${base}0/> FROM <${base}1/> { ${name} (<http://ex/q>|<http://ex/p>) ?o }`
  const line = (number: number) => `${graph(number)} | ${key('x')}`
  t.deepEqual(await ask(inGraphs('?g')), ['query short', line(0)])
  t.deepEqual(await ask(inGraphs('?h')), ['short', line(0)])
  t.deepEqual((await ask(fromGraphs('?s'))).slice(1), [key('a'), key('a')])

  await put(['a', 'p', ex('x')])
  t.deepEqual(await ask(inGraphs('?i')), ['short begin', line(0), line(1)])
  t.deepEqual(await ask(inGraphs('?j')), ['short', line(0), line(1)])
  t.deepEqual((await ask(fromGraphs('?t'))).slice(1), [key('a'), key('a')])
})

test('a plan for cached facts is not used if they have changed', async t => {
  const {put, ask} = await useQueries(t)
  await put(['a', 'p', literal('1', xsd.integer)], ['b', 'p', literal('3', xsd.integer)])
  const over = (least: number) => `SELECT ?s { ?s <http://ex/p> ?o FILTER(?o > ${least}) }`
  t.deepEqual(await ask(over(2)), ['query short', key('b')])
  t.deepEqual(await ask(over(0)), ['short', key('a'), key('b')])

  await put(['c', 'p', literal('1e3', xsd.double)]) // another kind of value
  t.deepEqual(await ask(over(1)), ['short begin', key('b'), key('c')])
  t.deepEqual(await ask(over(-1)), ['short', key('a'), key('b'), key('c')])
})

test('a plan for integers and texts is not used if there is a number of another kind between them', async t => {
  const {put, ask} = await useQueries(t)
  await put(['a', 'p', literal('1', xsd.integer)], ['b', 'p', literal('3', xsd.integer)], ['c', 'p', literal('n/a')])
  const sum = `SELECT (SUM(?o + 1) AS ?n) { ?s <http://ex/p> ?o FILTER(isNumeric(?o)) }`
  t.deepEqual(await ask(sum), ['query short', termKey(literal('6', xsd.integer))])

  await put(['d', 'p', literal('7', xsd.integer)], ['e', 'p', literal('none')])
  t.deepEqual(await ask(sum), ['short', termKey(literal('14', xsd.integer))])

  await put(['f', 'p', literal('0.5', xsd.decimal)])
  t.deepEqual(await ask(sum), ['short begin', termKey(literal('15.5', xsd.decimal))])

  await put(['g', 'p', literal('1e400', xsd.double)]) // in the dictionary, infinite
  t.deepEqual(await ask(sum), ['short begin', termKey(literal('INF', xsd.double))])
})

test('a plan for another caller is not used if they may read different documents', async t => {
  const {put, ask} = await useQueries(t)
  await put(['a', 'p', literal('one')])
  const [first, second, third] = ['?x', '?y', '?z'].map(
    name => `SELECT ${name} { <http://ex/a> <http://ex/p> ${name} }`,
  )
  const nobody = {grantees: ['agent:nobody']}
  t.deepEqual(await ask(first ?? ''), ['query short', text('one')])
  t.deepEqual(await ask(second ?? '', nobody), ['query short'])
  t.deepEqual(await ask(third ?? '', nobody), ['short'])
  t.deepEqual(await ask(second ?? ''), ['short', text('one')])
})

const noFacts: StoreFacts = {
  names: '0',
  hasDocuments: false,
  memberRelations: [],
  ids: new Map(),
  extents: new Map(),
  uncopied: new Set(),
  realms: undefined,
}

test('a statement with an outdated plan is not executed', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  await openDataset(database, {schema, base, defaultBase: base, platformNamespace})
  const text = gatherText('select 6 / ($1::text[])[1]::int8 as c0', {
    reps: ['id'],
    rowLimit: 1,
    isBounded: true,
    termsOf: ids => termsText(schema, ids, termsPlace(['2'])),
  })
  const ask = (divisor: string, others: Partial<StoreFacts> = {}) => {
    const facts = {...noFacts, ...others}
    const conditions = {timeoutMs: 1000, requestId: undefined}
    const known = {schema, facts: {keys: [], valued: [], byGraph: [], facts}, conditions}
    const statement = {text, parameters: [divisor], constants: [], isWalked: false, isMemoized: true, hasTerms: true}
    return readShortAnswer(database, known, statement, {})
  }
  t.like(await ask('2'), {solutions: 1, ids: ['3']})
  await t.throwsAsync(ask('0'), {message: /division by zero/})
  t.is(await ask('0', {names: '1'}), undefined)
  t.is(await ask('0', {uncopied: new Set(['7']), names: '1'}), undefined) // facts of one plan, too

  const documents = `${schema}.document`
  await database.query(`insert into ${documents} (id, parent, created, modified, has_member_relation, member_by)
                        select 3000, d.id, now(), now(), 11, 11 from ${documents} as d`)
  t.is(await ask('0'), undefined)
  for (const memberRelations of [[], ['5', '20'], ['5'], ['20']]) {
    t.is(await ask('0', {hasDocuments: true, memberRelations}), undefined)
  }
  for (const memberRelations of [['11'], ['5', '11'], ['11', '20']]) {
    t.like(await ask('2', {hasDocuments: true, memberRelations}), {solutions: 1}) // a superset is as good
  }
})

test('facts are checked once in a state of the store, unless a caller may not read all', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  await openDataset(database, {schema, base, defaultBase: base, platformNamespace})
  const text = gatherText('select 1::int8 as c0', {
    reps: ['id'],
    rowLimit: 1,
    isBounded: true,
    termsOf: ids => termsText(schema, ids, termsPlace([])),
    state: stateText,
  })
  const held: HeldStates = {states: []}
  const ids = new Map([['Ihttp://ex/p', '3000']])
  const ask = (high = 20n, grantees?: readonly string[]) => {
    const facts = {...noFacts, ids, extents: new Map([['3000', {low: 10n, high}]])}
    const asked = {keys: [...ids.keys()], valued: [...ids.keys()], byGraph: [], grantees}
    const conditions = {timeoutMs: 1000, requestId: undefined}
    const statement = {text, parameters: [], constants: [], isWalked: false, isMemoized: true, hasTerms: false}
    return readShortAnswer(database, {schema, facts: {...asked, facts, held}, conditions}, statement, {})
  }
  const put = (object: number) =>
    database.query(`insert into ${schema}.quad (g, s, p, o) values (1000, ${object}, 3000, ${object})`)

  await put(15)
  t.is(await ask(14n), undefined)
  t.deepEqual(held.states, [])
  t.like(await ask(), {solutions: 1})
  t.regex(held.states[0] ?? '', /^\d+:\d+:\S* \d+ \d{4}-/)
  // Other tests write to the same server, so that the state is often a new one.
  await until(async () => (await ask()) !== undefined && (await ask(14n)) !== undefined)
  t.is(await ask(20n, ['agent:nobody']), undefined, 'this caller has no realms')

  await put(30)
  t.is(await ask(), undefined)
})

test('queries that differ in a constant are one statement, unless the statistics mention it', async t => {
  let values = new Map<string, number>()
  const frequencies = async () => ({triples: 5000, predicates: new Map(), values})
  const {put, ask, textsSince, idsOf} = await useQueries(t, {frequencies})
  await put(['a', 'p', ex('x')], ['b', 'p', ex('y')], ['c', 'p', ex('y')], ['d', 'p', ex('z')])
  textsSince()
  const of = (name: string) => `SELECT ?o { <http://ex/${name}> <http://ex/p> ?o }`
  const to = (name: string) => `SELECT ?s { ?s <http://ex/p> <http://ex/${name}> }`

  for (let round = 0; round < 2; round += 1) {
    t.deepEqual((await ask(of('a'))).slice(1), [key('x')])
    t.deepEqual((await ask(of('b'))).slice(1), [key('y')])
    t.deepEqual((await ask(of('absent'))).slice(1), [])
    t.is(textsSince(), 1)
  }
  await put(['absent', 'p', ex('z')])
  t.deepEqual((await ask(of('absent'))).slice(1), [key('z')])
  textsSince()

  for (const name of ['x', 'y', 'z']) await ask(to(name))
  t.is(textsSince(), 1)
  t.deepEqual((await ask(to('y'))).slice(1), [key('b'), key('c')])

  const ids = await idsOf(['p', 'y'].map(key))
  values = new Map([[[...ids.values()].join(' '), 700]])
  for (const name of ['x', 'y', 'z']) await ask(`${to(name)} LIMIT 5`)
  t.is(textsSince(), 3) // with the one before, and one for y
})

test('an answer that is expected to be long uses a cursor from the first time on', async t => {
  const frequencies = {triples: 5000, predicates: new Map(), values: new Map()}
  const {put, ask} = await useQueries(t, {frequencies: async () => frequencies})
  await put(['a', 'p', literal('one')])
  t.is((await ask('SELECT * { ?s ?p ?o }'))[0], 'query begin')
  t.is((await ask('SELECT (COUNT(*) AS ?n) { ?s ?p ?o }'))[0], 'query short')
})

test('an answer follows the data with each method', async t => {
  const {put, ask} = await useQueries(t)
  const query = 'SELECT ?o { <http://ex/a> <http://ex/p> ?o }'
  await put(['a', 'p', literal('one')])
  for (const way of ['query short', 'short']) t.deepEqual(await ask(query), [way, text('one')])

  await put(['a', 'p', literal('two')]) // an uncached term needs another statement
  t.deepEqual(await ask(query), ['short query', text('one'), text('two')])
  t.deepEqual(await ask(query), ['short', text('one'), text('two')])

  const putMany = (count: number, name: string) =>
    put(...Array.from({length: count}, (_, n): [string, string, Term] => ['a', 'p', literal(`${name} ${n}`)]))
  await putMany(2000, 'many') // more rows than in one batch
  for (const expected of ['short query', 'short']) {
    const [way, ...values] = await ask(query)
    t.is(way, expected)
    t.is(values.length, 2002)
  }

  await putMany(6000, 'more') // more than one statement returns
  const [way, ...values] = await ask(query)
  t.is(way, 'short begin')
  t.is(values.length, 8002)
  t.is((await ask(query))[0], 'begin')
})

test('a plan that is no longer valid is made again', async t => {
  const {put, ask} = await useQueries(t)
  const query = 'SELECT ?o { <http://ex/a> <http://ex/later> ?o }'
  await put(['a', 'p', literal('one')])
  for (const way of ['query short', 'short']) t.deepEqual(await ask(query), [way])

  await put(['a', 'later', literal('now')])
  t.deepEqual(await ask(query), ['short begin', text('now')])
  t.deepEqual(await ask(query), ['short', text('now')])
})

test('a short answer whose terms are renamed before they are looked up is read again', async t => {
  const {put, ask, moveMeanwhile} = await useQueries(t)
  const query = 'SELECT ?o (STR(?o) AS ?t) { <http://ex/a> <http://ex/p>|<http://ex/q> ?o }'
  await put(['b', 'p', ex('a')], ['b', 'q', ex('a')])
  t.deepEqual(await ask(query), ['query short'])
  await put(['a', 'p', namedNode(`${base}first/`)], ['a', 'q', namedNode(`${base}first/#it`)])
  const answer = (name: string) =>
    ['', '#it'].map(part => `I${base}${name}/${part} | ${text(`${base}${name}/${part}`)}`)

  moveMeanwhile('first/', 'second/')
  t.deepEqual(await ask(query), ['short query begin', ...answer('second')])
  t.deepEqual(await ask(query), ['short', ...answer('second')]) // everything is cached
})

test('the terms of a new text come with its rows, unless they are many or long', async t => {
  const {put, ask} = await useQueries(t)
  const items = (prefix: string, count: number) =>
    Array.from({length: count}, (_, n): [string, string, Term] => ['a', prefix, literal(`${prefix} ${n}`)])
  const query = (name: string) => `SELECT ?o { <http://ex/a> <http://ex/${name}> ?o }`
  await put(...items('few', 200), ...items('many', 201), ['a', 'long', literal('x'.repeat(70_000))])
  await put(['a', 'long', literal('y')])

  for (const [name, way, count] of [
    ['few', 'query short', 200],
    ['many', 'query short query', 201],
  ] as const) {
    const [found, ...rows] = await ask(query(name))
    t.is(found, way)
    t.is(rows.length, count)
  }
  t.deepEqual((await ask(query('long'))).slice(1), [text('x'.repeat(70_000)), text('y')])
})

test('terms that are long together use a cursor', async t => {
  const {put, ask} = await useQueries(t)
  const values = Array.from({length: 6}, (_, n) => `${n}${'x'.repeat(300_000)}`)
  await put(...values.map((value): [string, string, Term] => ['a', 'p', literal(value)]))
  const query = 'SELECT ?o { <http://ex/a> <http://ex/p> ?o }'
  const rows = values.map(text)
  t.deepEqual(await ask(query), ['query short query begin', ...rows])
  t.deepEqual((await ask(query)).slice(1), rows)
  t.deepEqual((await ask(query)).slice(1), rows)
})

test('the size of one solution is limited with each method', async t => {
  const {put, ask} = await useQueries(t, {heldLimits: {bytes: 1000, items: 10}})
  const names = ['p', 'q', 'r']
  const query = `SELECT * { <http://ex/a> ${names.map(name => `<http://ex/${name}> ?${name}`).join(' ; ')} }`
  const putLong = (length: number) =>
    put(...names.map((name): [string, string, Term] => ['a', name, literal(name.repeat(length))]))
  await putLong(1)
  for (const way of ['query short', 'short']) t.deepEqual(await ask(query), [way, names.map(text).join(' | ')])

  await putLong(900)
  await t.throwsAsync(() => ask(query), {message: /longer than 1000 bytes/})
})

test('a caller who may read nothing gets nothing with each method', async t => {
  const {put, ask} = await useQueries(t)
  await put(['a', 'p', literal('one')])
  const query = 'SELECT ?o { <http://ex/a> <http://ex/p> ?o }'
  for (const way of ['query short', 'short']) t.deepEqual(await ask(query, {grantees: ['agent:nobody']}), [way])
  for (const way of ['short', 'short']) t.deepEqual(await ask(query), [way, text('one')])
})

const slow = 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(?a != ?k || ?c = ?j) }'
const much = Array.from({length: 60}, (_, n): [string, string, Term] => [`s${n}`, 'p', literal(`${n}`)])

test('a query that takes too long is cancelled', async t => {
  const {put, ask, waysSince} = await useQueries(t, {timeoutMs: 1000})
  await put(['a', 'p', literal('one')])
  await ask(slow)
  await put(...much)
  waysSince()
  for (const way of ['short', 'short']) {
    await t.throwsAsync(() => ask(slow), {message: /1000 ms/})
    t.is(waysSince(), way)
  }
})

test('a query is cancelled in the database if its client disconnects', async t => {
  const {put, ask, running, waysSince} = await useQueries(t)
  await put(['a', 'p', literal('one')])
  await ask(slow)
  await put(...much)
  waysSince()
  const gone = new AbortController()
  const asked = t.throwsAsync(() => ask(slow, {signal: gone.signal}))
  while ((await running()) === 0) await delay(10)
  gone.abort()
  await asked
  t.is(await running(), 0)
  t.is(waysSince(), 'short')
})
