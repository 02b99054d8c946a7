/** The statistics for plans follow a store that grows. */
import test from 'ava'
import {readFrequencies} from '../../src/db/query/frequencies.ts'
import {frequenciesOf, heldFrequencies} from '../../src/query/frequencies.ts'
import {createPlanCache} from '../../src/query/plan-cache.ts'
import {until} from '../support/machine.ts'
import {createTestDatabase, testSchema} from '../support/postgres.ts'

test('after growth the statistics are renewed within seconds; meanwhile queries use the old ones', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  const source = {database, schema: testSchema, cache: createPlanCache()}
  t.is(heldFrequencies(source), undefined)
  const first = await database.begin('repeatable read read only', inside => frequenciesOf(source, inside))
  t.is(heldFrequencies(source), first)

  await database.query(
    `insert into ${testSchema}.quad (g, s, p, o) select 1000, n, 2000, n from generate_series(5000, 64999) as n`,
  )
  await until(async () => heldFrequencies(source) !== first)

  t.is(heldFrequencies(source)?.predicates.get('2000')?.triples, 60_000)
})

test('queries that come while statistics are counted wait for them, and count themselves if that fails', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  const source = {database, schema: testSchema, cache: createPlanCache()}
  const broken = {...database, query: () => Promise.reject(new Error('cancelled'))}

  const failing = frequenciesOf(source, broken)
  const waiting = frequenciesOf(source, database)
  await t.throwsAsync(failing, {message: 'cancelled'})
  const counted = await waiting
  t.is(await frequenciesOf(source, broken), counted)

  const other = {...source, cache: createPlanCache()}
  const [first, second] = [frequenciesOf(other, database), frequenciesOf(other, broken)]
  t.is(await second, await first)
})

test('the statistics have the number of children of large containers', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  await database.query(
    `insert into ${testSchema}.document (id, parent, created, modified, has_member_relation)
     select n, case when n > 5000 then case when n % 1000 = 0 then n - 1 else 5000 end end, now(), now(), 11
       from generate_series(5000, 64999) as n`,
  )

  const {children, values, mentioned} = await readFrequencies(database, testSchema)

  t.deepEqual([...(children?.keys() ?? [])], ['5000'])
  const found = children?.get('5000') ?? 0
  t.true(found > 45_000 && found < 75_000, `${found} of 59,940`)
  t.deepEqual(
    [...values.keys()].filter(key => key.startsWith('10 ')),
    [],
  )
  t.truthy(mentioned)
})

test('a large graph on few pages is known once the table was analyzed', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  await database.query(
    `insert into ${testSchema}.quad (g, s, p, o)
     select case when n between 90000 and 92999 then 1000 else 5000 + n / 10 end, n, 2000, n
       from generate_series(5000, 204999) as n`,
  )
  await database.query(`analyze ${testSchema}.quad`)

  const {graphs} = await readFrequencies(database, testSchema)

  t.deepEqual([...(graphs?.keys() ?? [])], ['1000'])
  const found = graphs?.get('1000') ?? 0
  t.true(found > 2000 && found < 4000, `${found} of 3,000`)
})

test('objects whose rows are neighbours are counted like objects whose rows are anywhere', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  await database.query(
    `insert into ${testSchema}.quad (g, s, p, o)
     select 1000, n, p, case p when 2000 then 5000 + n / 20 else 5000 + n * 7919 % 3000 end
       from generate_series(0, 59999) as n, unnest(array[2000, 2001]) as p`,
  )

  const {predicates, values} = await readFrequencies(database, testSchema)

  for (const predicate of ['2000', '2001']) {
    const {objects = 0, ofSameObject = 0} = predicates.get(predicate) ?? {}
    t.true(objects > 2400 && objects < 3600, `${predicate}: ${objects} of 3000 objects`)
    t.true(
      ofSameObject > 16 && ofSameObject < 25,
      `${predicate}: ${ofSameObject} rows, not 20, have the object of a row`,
    )
  }
  t.deepEqual(
    [...values.keys()].filter(key => key.startsWith('2000 ')),
    [],
    'no object is frequent because all of its rows are on one page',
  )
})

test('subjects that many pages describe are counted like those of one page', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  await database.query(
    `insert into ${testSchema}.quad (g, s, p, o)
     select 1000, case p when 2000 then 5000 + n / 20 else 5000 + n * 7919 % 3000 end, p, n
       from generate_series(0, 59999) as n, unnest(array[2000, 2001]) as p`,
  )

  const {predicates} = await readFrequencies(database, testSchema)

  for (const predicate of ['2000', '2001']) {
    const {subjects = 0, ofSameSubject = 0} = predicates.get(predicate) ?? {}
    t.true(subjects > 2400 && subjects < 3600, `${predicate}: ${subjects} of 3000 subjects`)
    t.true(
      ofSameSubject > 16 && ofSameSubject < 25,
      `${predicate}: ${ofSameSubject} rows, not 20, have a row's subject`,
    )
  }
})

test('the quantiles of a predicate have the object and the subject of rows at equal distances', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  await database.query(
    `insert into ${testSchema}.quad (g, s, p, o)
     select 1000, 10000 - n, p, 20000 + n from unnest(array[2000, 2001]) as p, generate_series(1, 64) as n
      where p = 2000 or n <= 5`,
  )

  const {predicates} = await readFrequencies(database, testSchema)

  const steps = Array.from({length: 33}, (_, step) => step)
  for (const [predicate, rows] of [
    ['2000', steps.map(step => Math.max(1, 2 * step))],
    ['2001', steps.map(step => Math.max(1, Math.ceil((5 * step) / 32)))],
  ] as const) {
    const {quantiles, subjectsAt} = predicates.get(predicate) ?? {}
    t.deepEqual(
      quantiles,
      rows.map(row => BigInt(20_000 + row)),
    )
    t.deepEqual(
      subjectsAt,
      rows.map(row => BigInt(10_000 - row)),
    )
  }
})

test('statistics take at most four times as long as grouping their sample three times', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  await database.query(
    `insert into ${testSchema}.quad (g, s, p, o)
     select 1000, n / 10, 2000 + n % 10, n * 7919 % 3000 from generate_series(0, 59999) as n`,
  )
  const groups = ['p, s', 'p, o, page', 'p, o, s'].map(
    columns => `(select count(*) from (select from sample group by ${columns}) as g)`,
  )
  const floor = `with sample as materialized (select * from ${testSchema}.quad_sample(1)) select ${groups.join()}`

  const [least, took] = [await leastMs(floor), await leastMs(`select * from ${testSchema}.sparql_frequencies()`)]

  t.true(took < 4 * least, `${took} ms, ${least} ms`)

  async function leastMs(text: string): Promise<number> {
    const times: number[] = []
    for (let run = 0; run < 3; run += 1) {
      const begin = performance.now()
      await database.query(text)
      times.push(performance.now() - begin)
    }
    return Math.min(...times)
  }
})
