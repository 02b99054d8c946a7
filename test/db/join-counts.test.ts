/** A run tells how many rows its joins have had. The query is planned again by these numbers. */
import {setTimeout} from 'node:timers/promises'
import test, {type ExecutionContext} from 'ava'
import {subscribe} from '../../src/base/observation.ts'
import {createChecksumPool} from '../../src/checksum/pool.ts'
import type {Database} from '../../src/db/connection/pool.ts'
import {readFrequencies} from '../../src/db/query/frequencies.ts'
import {openDataset, readVocabulary} from '../../src/db/store/dataset.ts'
import {createQueryService, type QueryAnswer} from '../../src/query/answer.ts'
import {askedFor} from '../../src/query/facts.ts'
import {countJoins} from '../../src/query/join-counts.ts'
import {findFacts, optionsFor} from '../../src/query/plans.ts'
import {inlineId, inlineKinds} from '../../src/rdf/id-layout.ts'
import {iriKey} from '../../src/rdf/term-key.ts'
import {platformVocabulary} from '../../src/rdf/vocabulary.ts'
import {compileText, prepareQuery} from '../../src/sparql/compile.ts'
import {until} from '../support/machine.ts'
import {createTestDatabase, testSchema as schema, schemaIdentifier} from '../support/postgres.ts'

const base = 'http://e/'
const platformNamespace = 'https://carbonldp.com/ns/v1/platform#'
const sizes = Array.from({length: 7}, (_, size) => inlineId(inlineKinds.integer, BigInt(size)))
const names = ['in', 'kind', 'size', 'Region', 'Town'].map(name => iriKey(base + name))

/**
 * Two regions with 5 districts each, which have 200 towns each. Each of 20,000 other places is in one of its own. Towns
 * have a size.
 */
async function usePlaces(t: ExecutionContext) {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  await openDataset(database, {schema, base, defaultBase: base, platformNamespace})
  await database.query(`select ${schemaIdentifier}.intern_terms($1)`, [names])
  await database.query(
    `with named as (select ${schemaIdentifier}.term_ids($1) as ids)
     insert into ${schemaIdentifier}.quad (g, s, p, o)
     select 1000, n, ids[2], ids[4] from named, generate_series(10000, 10001) as n
     union all
     select 1000, 11000 + n, ids[1], 10000 + n % 2 from named, generate_series(0, 9) as n
     union all
     select 1000, 20000 + n, ids[1], 11000 + n % 10 from named, generate_series(0, 1999) as n
     union all
     select 1000, 20000 + n, ids[2], ids[5] from named, generate_series(0, 1999) as n
     union all
     select 1000, 20000 + n, ids[3], ($2::int8[])[1 + n % 7] from named, generate_series(0, 1999) as n
     union all
     select 1000, 100000 + n, ids[1], 200000 + n from named, generate_series(0, 19999) as n`,
    [names, sizes],
  )
  return database
}

/** The joins of a query, which are counted at each call of `count`. */
async function useCounts(t: ExecutionContext, pattern: string, end = '') {
  const database = await usePlaces(t)
  const frequencies = await readFrequencies(database, schema)
  const prepared = prepareQuery(`PREFIX : <${base}> SELECT * { ${pattern} } ${end}`, base)
  const facts = await findFacts(database, schema, askedFor(prepared, undefined))
  const options = optionsFor(schema, {facts, frequencies})
  return {
    count: async () =>
      (await countJoins(database, schema, frequencies, {prepared, options, timeoutMs: 10_000}))?.isNew === true,
    counts: () =>
      Object.fromEntries(
        Array.from(frequencies.joins?.counts ?? [], ([key, {rows, tested}]) => [
          key.replaceAll(/"I[^"]*\/(\w+)"/g, ':$1'),
          rows === tested ? rows : [rows, tested],
        ]),
      ),
    rows: () => Math.round(compileText(prepared, options).rows),
  }
}

const towns = '?r :kind :Region . ?d :in ?r . ?t :in ?d . ?t :size ?s'

test('the joins of a run are counted, and planned by these numbers', async t => {
  const {count, counts, rows} = await useCounts(t, towns)
  t.true(rows() < 200, String(rows())) // most places have nothing in them

  t.true(await count())
  t.like(counts(), {
    '?r :kind :Region': 2,
    '?d :in ?r\n?r :kind :Region': 10,
    '?d :in ?r\n?r :kind :Region\n?t :in ?d': 2000,
    '?d :in ?r\n?r :kind :Region\n?t :in ?d\n?t :size ?s': 2000,
  })
  t.is(rows(), 2000)

  while (await count());
  t.is(rows(), 2000)
})

test('tests and closures count too, the inside of OPTIONAL and a cut join do not', async t => {
  const tested = await useCounts(t, `${towns} FILTER(?s != ?d) OPTIONAL { ?t :kind ?k }`)
  await tested.count()
  const keys = Object.keys(tested.counts())
  t.true(
    keys.some(key => key.includes('"name":"!="')),
    keys.join('; '),
  )
  t.false(
    keys.some(key => key.includes('?k')),
    keys.join('; '),
  )

  const closure = await useCounts(t, '?p :in+ ?r . ?r :kind :Region')
  await closure.count()
  t.like(closure.counts(), {'?r :kind :Region': 2})
  t.deepEqual(
    Object.entries(closure.counts()).flatMap(([key, rows]) => (key.includes('oneOrMore') ? [rows] : [])),
    [2010],
  )

  const cut = await useCounts(t, towns, 'LIMIT 3')
  t.false(await cut.count())
  t.deepEqual(cut.counts(), {})
})

test('the solutions that a test removes are counted, too', async t => {
  const {count, counts} = await useCounts(t, '?t :size ?s FILTER(?s * ?s > 15)')
  await count()
  const tested = Object.entries(counts()).flatMap(([key, rows]) => (key.includes('"name":"*"') ? [rows] : []))

  t.deepEqual(tested, [[856, 2000]])
})

type QueryArguments = Parameters<Database['query']> extends [string, ...infer Rest] ? Rest : never

/**
 * A service that samples and counts the joins of each query.
 *
 * @param isSlow  whether every plan but the first one seems to take long
 */
async function useLearning(t: ExecutionContext, isSlow: boolean) {
  const database = await usePlaces(t)
  const checksums = createChecksumPool()
  t.teardown(checksums.close)
  const statements: (string | undefined)[] = []
  const learning = useLearningTime()
  let firstMs = 0 // the longest answer by the first plan
  const timed =
    (query: Database['query']): Database['query'] =>
    async <Result extends object>(text: string, ...rest: QueryArguments) => {
      const isOther = text.includes('count(*)') && !text.includes(statements[0] ?? text)
      if (isOther && isSlow) await setTimeout(100 + firstMs)
      const rows = await learning.timed(text.includes('sparql_join_samples'), () => query<Result>(text, ...rest))
      return rows.map(row => withTime(row, isOther === isSlow ? 1000 + firstMs : 0))
    }
  const observed: Database = {
    ...database,
    query: timed(database.query),
    read: (_, work) => work(observed, undefined),
    openSnapshot: async () => {
      const snapshot = await learning.timed(true, database.openSnapshot)
      const query = timed(snapshot.query)
      return {...snapshot, query: (...asked) => learning.timed(true, () => query(...asked))}
    },
  }
  const vocabulary = await readVocabulary(database, schema)
  const platform = platformVocabulary(platformNamespace)
  const store = {database: observed, schema, vocabulary, timeoutMs: 10_000, checksums, platform}
  const service = createQueryService({...store, sampledFromMs: 0})
  const text = `PREFIX : <${base}> SELECT (COUNT(*) AS ?n) { ${towns} }`
  t.teardown(subscribe(one => one.kind === 'query' && one.text === text && statements.push(one.sql)))
  const ask = async () => {
    const begin = performance.now()
    const values = await service.answer({text, base, preferences: {contexts: false, checksums: false}}, valuesOf)
    if (statements.at(-1) === statements[0]) firstMs = Math.max(firstMs, performance.now() - begin)
    return values
  }
  await until(async () => {
    t.deepEqual(await ask(), ['2000'])
    return learning.isOver()
  }, 60_000)
  return statements
}

/**
 * Tells when a service no longer learns. It pauses for four times as long as it has learnt, so its steps are over only
 * if they do not go on after that.
 */
function useLearningTime() {
  let [begin, end, running] = [0, 0, 0]
  return {
    timed: async <Result>(isStep: boolean, work: () => Promise<Result>): Promise<Result> => {
      if (!isStep) return work()
      const now = performance.now()
      if (running === 0 && now - end > 4 * (end - begin)) begin = now
      running += 1
      try {
        return await work()
      } finally {
        running -= 1
        end = performance.now()
      }
    },
    isOver: () => end > 0 && running === 0 && performance.now() - end > 1000 + 6 * (end - begin),
  }
}

function withTime<Row extends object>(row: Row, ms: number): Row {
  if (!('QUERY PLAN' in row)) return row
  const [plan] = row['QUERY PLAN'] as readonly [object]
  return {...row, 'QUERY PLAN': [{...plan, 'Execution Time': ms}]}
}

test('a slow query is planned again by what its run has counted', async t => {
  const statements = await useLearning(t, false)

  t.true(new Set(statements).size > 1)
  t.not(statements.at(-1), statements[0])
})

test('a plan that is slower than the one before is not kept', async t => {
  const statements = await useLearning(t, true)

  t.is(statements.at(-1), statements[0])
})

async function valuesOf(answer: QueryAnswer): Promise<readonly (string | undefined)[]> {
  const values: (string | undefined)[] = []
  if (answer.form === 'select') for await (const rows of answer.rows) values.push(...rows.map(([term]) => term?.value))
  return values
}
