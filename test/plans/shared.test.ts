/**
 * PostgreSQL's generic plan of a shared plan reads the tables as its plan for the constants of the query does.
 *
 * PLANS_RUNS is the number of queries of each kind, PLANS_SEED selects other queries.
 */
import test from 'ava'
import type {Transaction} from '../../src/db/connection/pool.ts'
import {readFrequencies} from '../../src/db/query/frequencies.ts'
import {settle} from '../../src/db/query/rows.ts'
import {constantText} from '../../src/db/query/short-answer.ts'
import {askedFor} from '../../src/query/facts.ts'
import {createPlanCache} from '../../src/query/plan-cache.ts'
import {findFacts, optionsFor} from '../../src/query/plans.ts'
import {sharedPlan} from '../../src/query/shared-plans.ts'
import {prepareQuery} from '../../src/sparql/compile.ts'
import {liftableConstants, withParameters} from '../../src/sparql/lift.ts'
import {createTestDatabase, testSchema as schema} from '../support/postgres.ts'
import {createRandom} from '../support/random.ts'
import {drawQuery} from './draw.ts'
import {fill} from './fill.ts'
import {base, kinds} from './kinds.ts'
import {readStatements} from './statements.ts'

const runs = Number(process.env.PLANS_RUNS ?? 40)
const seed = Number(process.env.PLANS_SEED ?? 1)
const quads = 6000

type Node = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly Plans?: readonly Node[]
}

/**
 * The tables and indexes that a plan reads, in order, without the numbers of shards. The index of objects counts as
 * that of predicates and objects: where a value is the object of one predicate only, they cost the same.
 */
function readsOf(node: Node): readonly string[] {
  const {'Relation Name': table, 'Index Name': index = 'whole', Plans: plans = []} = node
  const [shown, used] = [table, index].map(name => name?.replace(/_\d+$/, '').replace(/^quad_o$/, 'quad_pos'))
  return [...(shown === undefined ? [] : [`${shown} ${used}`]), ...plans.flatMap(readsOf)]
}

async function explained(transaction: Transaction, text: string): Promise<string> {
  const [row] = await transaction.query<{'QUERY PLAN': readonly {Plan: Node}[]}>(`explain (format json) ${text}`, [], {
    once: true,
  })
  const root = row?.['QUERY PLAN'][0]?.Plan
  return root === undefined ? '' : [...readsOf(root)].sort().join(', ')
}

for (const [index, kind] of kinds.entries()) {
  test(`${kind.name}: a generic plan reads what the plan for its constants reads`, async t => {
    const {database, drop} = await createTestDatabase()
    t.teardown(drop)
    const lines = [...kind.write(quads)]
    await fill(database, kind, lines)
    const frequencies = await readFrequencies(database, schema)
    const data = readStatements(lines, kind.isRaw ? undefined : base)
    let compared = 0
    for (let run = 0; run < runs; run += 1) {
      const {text} = drawQuery(createRandom(seed + 1_000_003 * index + 7919 * (run + 1)), data, kind.transitive)
      const prepared = prepareQuery(text, base)
      const facts = await findFacts(database, schema, askedFor(prepared, undefined))
      const query = {prepared, liftable: liftableConstants(prepared.query), plans: []}
      const plan = sharedPlan(createPlanCache(), query, {facts, frequencies}, known => optionsFor(schema, known))
      if (plan?.shared === undefined || plan.compiled.parameters.length > 0) continue
      const generic = withParameters(plan.shared.plan.compiled.text, index => constantText(schema, 1 + 2 * index))
      if (generic === undefined || generic.order.length === 0) continue
      compared += 1
      const [own, shared] = await database.begin('read committed', async transaction => {
        await settle(transaction, schema, {timeoutMs: 10_000, requestId: undefined})
        await transaction.script('set local enable_nestloop = off; set local plan_cache_mode = force_generic_plan')
        const alone = await explained(transaction, plan.compiled.text)
        const types = generic.order.flatMap(() => ['int8', 'text'])
        await transaction.script(`prepare shared (${types}) as ${generic.text}`)
        const values = generic.order.flatMap(place => [plan.shared?.ids[place] ?? 'null', 'null'])
        const together = await explained(transaction, `execute shared (${values})`)
        await transaction.script('deallocate shared')
        return [alone, together]
      })
      t.is(shared, own, text)
    }
    t.true(compared > runs / 20, `${compared} plans`)
  })
}
