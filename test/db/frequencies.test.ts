/** The statistics for plans follow a store that grows. */
import test from 'ava'
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
