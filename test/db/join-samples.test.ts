/** Samples of joins tell how often values occur together. A slow query is planned again by them. */
import {setTimeout} from 'node:timers/promises'
import test, {type ExecutionContext} from 'ava'
import {subscribe} from '../../src/base/observation.ts'
import {createChecksumPool} from '../../src/checksum/pool.ts'
import type {Database} from '../../src/db/connection/pool.ts'
import {readFrequencies} from '../../src/db/query/frequencies.ts'
import {readJoinSamples} from '../../src/db/query/join-samples.ts'
import {openDataset, readVocabulary} from '../../src/db/store/dataset.ts'
import {createQueryService} from '../../src/query/answer.ts'
import {platformVocabulary} from '../../src/rdf/vocabulary.ts'
import {until} from '../support/machine.ts'
import {createTestDatabase, testSchema as schema, schemaIdentifier} from '../support/postgres.ts'

const [type, part, label] = ['2000', '2001', '2002']
const [rare, common, other] = ['3000', '3001', '3002']

/** 8,000 things: 1,000 are rare and have ten parts each, the others have none. Each part has a label. */
async function fillWithIds(database: Database): Promise<void> {
  await database.query(
    `insert into ${schemaIdentifier}.quad (g, s, p, o)
     select 1000, n, ${type}, case when n % 8 = 0 then ${rare} else ${common} end
       from generate_series(10000, 17999) as n
     union all
     select 1000, n, ${part}, 20000 + n * 10 + i
       from generate_series(10000, 17999, 8) as n, generate_series(0, 9) as i
     union all
     select 1000, 20000 + n * 10 + i, ${label}, 900000 + n % 50
       from generate_series(10000, 17999, 8) as n, generate_series(0, 9) as i`,
  )
}

test('samples count the triples that have the values of other triples', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  await fillWithIds(database)
  const frequencies = await readFrequencies(database, schema)
  const asked = [
    [`s ${part} `, `s ${type} ${rare}`, 10], // parts of a rare thing
    [`s ${part} `, `s ${type} ${common}`, 0.5 / 64], // none
    [`s ${type} ${rare}`, `s ${part} `, 1], // whether a thing with parts is rare
    [`s ${type} ${common}`, `s ${part} `, 0.5 / 64],
    [`s ${label} `, `o ${part} `, 1],
    [`o ${part} `, `s ${label} `, 1],
    [`o ${part} 10000`, `s ${label} 900000`, 0.05], // whether a part with this label is one of this thing
    [`s ${label} 900000`, `o ${part} 10000`, 1],
    [`s ${type} ${rare}`, '', 1000],
    [`s ${type} ${other}`, '', 0.5 / 64],
    [`s ${part} `, `s ${type} ${other}`, 0.5 / 64], // there are no values
    ['s  ', `s ${type} ${rare}`, 11], // triples with any predicate of a rare thing
    ['s  ', `s ${type} ${common}`, 1],
    ['o  ', `o ${part} `, 1],
    ['o  ', `s ${type} ${rare}`, 0.5 / 64],
  ] as const
  const joins = asked.map(([side, from]) => ({side, from}))

  const means = await readJoinSamples(database, schema, joins, frequencies)
  const isNear = (mean: number, expected: number) => Math.abs(mean - expected) <= 0.04

  for (const [index, [side, from, expected]] of asked.entries()) {
    const {mean = 0, error} = means[index] ?? {}
    t.true(isNear(mean, expected), `${side} from ${from}: ${mean}, expected ${expected}`)
    const isVaried = expected === 0.05
    t.is(error, expected < 1 / 64 ? Number.POSITIVE_INFINITY : isVaried ? error : 0, `${side} from ${from}`)
  }
})

test('a sample of a frequent object has subjects from all of its triples', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  await database.query(
    `insert into ${schemaIdentifier}.quad (g, s, p, o)
     select 1000, n, ${type}, ${rare} from generate_series(10000, 29999) as n
     union all
     select 1000, n, ${part}, n from generate_series(15000, 19999) as n`,
  )
  const frequencies = await readFrequencies(database, schema)

  for (const from of [`s ${type} ${rare}`, `s ${type} `]) {
    const [sample] = await readJoinSamples(database, schema, [{side: `s ${part} `, from}], frequencies)
    const {mean = 0, error = 0} = sample ?? {}
    t.true(mean > 0.2 && mean < 0.3, `${from}: ${mean}`) // a quarter of them
    t.true(error > 0.15 && error < 0.3, `${from}: ${error}`) // √(3 ÷ 64)
  }
})

test('a sample of a predicate has other subjects of an object than the first ones', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  await database.query(
    `insert into ${schemaIdentifier}.quad (g, s, p, o)
     select 1000, n, ${type}, 5000 + n % 100 from generate_series(10000, 19999) as n
     union all
     select 1000, n, ${part}, n from generate_series(12500, 19999) as n`,
  )
  const frequencies = await readFrequencies(database, schema)

  const join = {side: `s ${part} `, from: `s ${type} `}
  const [{mean} = {mean: 0}] = await readJoinSamples(database, schema, [join], frequencies)

  t.true(mean > 0.6 && mean < 0.9, String(mean)) // three quarters of them
})

test('few subjects of an object all count once, whatever their ids', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  await database.query(
    `insert into ${schemaIdentifier}.quad (g, s, p, o)
     select 1000, n, ${type}, ${rare} from unnest('{10001, 10002, 10003, 900000}'::int8[]) as n
     union all
     select 1000, 900000, ${part}, n from generate_series(1, 8) as n`,
  )
  const frequencies = await readFrequencies(database, schema)

  const join = {side: `s ${part} `, from: `s ${type} ${rare}`}
  t.like(await readJoinSamples(database, schema, [join], frequencies), [{mean: 2, error: 1}])
})

const platformNamespace = 'https://carbonldp.com/ns/v1/platform#'

/**
 * A query for the labels of the parts of a class. Of 2,000 rare things two have a part; there is no thing at all.
 *
 * @param more         patterns
 * @param from         FROM clauses; all triples are in the graph <http://e/g>
 * @param isFirstSlow  whether the first plan takes a second longer, so that another one stays
 */
async function useParts(
  t: ExecutionContext,
  className: 'Rare' | 'Thing',
  more = '',
  {from = '', isFirstSlow = false} = {},
) {
  const {database: inner, drop} = await createTestDatabase()
  t.teardown(drop)
  await openDataset(inner, {schema, base: 'http://e/', defaultBase: 'http://e/', platformNamespace})
  const names = ['type', 'part', 'label', 'Rare', 'Common', 'Thing', 'g'].map(name => `Ihttp://e/${name}`)
  await inner.query(`select ${schemaIdentifier}.intern_terms($1)`, [names])
  await inner.query(
    `with named as (select ${schemaIdentifier}.term_ids($1) as ids)
     insert into ${schemaIdentifier}.quad (g, s, p, o)
     select ids[7], n, ids[1], case when n < 12000 then ids[4] else ids[5] end
       from named, generate_series(10000, 29999) as n
     union all
     select ids[7], n, ids[2], n + 50000 from named, generate_series(11998, 29999) as n
     union all
     select ids[7], n + 50000, ids[3], n from named, generate_series(10000, 29999) as n`,
    [names],
  )
  await inner.query(`insert into ${schemaIdentifier}.raw_graph (id) select distinct g from ${schemaIdentifier}.quad`)
  const checksums = createChecksumPool()
  t.teardown(checksums.close)
  let samples = 0
  const sqls: string[] = []
  const database: Database = {
    ...inner,
    read: (_, work) => work(database, undefined),
    query: async (...asked) => {
      const [sql] = asked
      if (sql.includes('sparql_join_samples')) samples += 1
      if (isFirstSlow && sql.includes('count(*)') && sql.includes(sqls[0] ?? sql)) await setTimeout(1000)
      return inner.query(...asked)
    },
  }
  const vocabulary = await readVocabulary(inner, schema)
  const platform = platformVocabulary(platformNamespace)
  const pattern = `?x <http://e/type> <http://e/${className}> ; <http://e/part> ?y . ?y <http://e/label> ?z . ${more}`
  const text = `SELECT (COUNT(*) AS ?n) ${from} { ${pattern} }`
  t.teardown(
    subscribe(event => {
      if (event.kind === 'query' && event.text === text && event.sql !== undefined) sqls.push(event.sql)
    }),
  )
  return {
    open: (sampledFromMs: number, timeoutMs = 10_000) => {
      const store = {database, schema, vocabulary, timeoutMs, checksums, platform, sampledFromMs}
      const service = createQueryService(store)
      const preferences = {contexts: false, checksums: false}
      return () =>
        service.answer({text, base: 'http://e/', preferences}, async answer => {
          const values: (string | undefined)[] = []
          if (answer.form === 'select')
            for await (const rows of answer.rows) for (const [term] of rows) values.push(term?.value)
          return values
        })
    },
    sqls,
    samples: () => samples,
  }
}

test('a slow query is planned again after its joins were sampled', async t => {
  const {open, sqls} = await useParts(t, 'Rare')

  const askQuick = open(Number.POSITIVE_INFINITY)
  for (let turn = 0; turn < 3; turn += 1) t.deepEqual(await askQuick(), ['2'])
  t.is(new Set(sqls).size, 1)

  const askSlow = open(0)
  await until(async () => {
    t.deepEqual(await askSlow(), ['2'])
    return sqls.at(-1) !== sqls[0]
  })
  const last = sqls.at(-1) ?? ''
  t.true(last.split('lateral').length > (sqls[0] ?? '').split('lateral').length, last)
  for (let turn = 0; turn < 3; turn += 1) t.deepEqual(await askSlow(), ['2'])
  t.is(sqls.at(-1), last)
})

test('so is a query whose rows cannot be counted, because it chooses its graphs', async t => {
  const {open, sqls} = await useParts(t, 'Rare', '', {from: 'FROM <http://e/g>', isFirstSlow: true})
  const ask = open(0)

  await until(async () => {
    t.deepEqual(await ask(), ['2'])
    return sqls.at(-1) !== sqls[0]
  })
  for (let turn = 0; turn < 20; turn += 1) t.deepEqual(await ask(), ['2'])
  t.not(sqls.at(-1), sqls[0])
})

test('joins are sampled until all are known, also those without any triple', async t => {
  const {open, samples} = await useParts(t, 'Thing')
  const ask = open(0)
  await until(async () => {
    t.deepEqual(await ask(), ['0'])
    return samples() > 0
  })

  let [known, unchanged] = [samples(), 0]
  await until(async () => {
    await ask()
    unchanged = samples() === known ? unchanged + 1 : 0
    known = samples()
    return unchanged === 50
  })
  t.true(known <= 4, `${known} times`)
})

test('the joins of a query that reached the time limit are sampled', async t => {
  const {open, samples} = await useParts(t, 'Rare', '?a <http://e/label> ?b . ?c <http://e/label> ?d FILTER(?b != ?d)')
  const ask = open(100, 200)

  await until(async () => {
    await t.throwsAsync(ask(), {message: /limit of 200 ms/})
    return samples() > 0
  })
})
