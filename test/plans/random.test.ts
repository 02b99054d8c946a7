/**
 * Plans of random queries on data of several kinds: no join compares all pairs of its two sides.
 *
 * PLANS_RUNS is the number of queries of each kind, PLANS_SEED selects other queries.
 */
import {readdirSync, readFileSync} from 'node:fs'
import test from 'ava'
import {explainQuery} from '../../src/query/explain.ts'
import {createTestDatabase} from '../support/postgres.ts'
import {createRandom} from '../support/random.ts'
import {drawQuery} from './draw.ts'
import {fill, storeIn} from './fill.ts'
import {base, kinds} from './kinds.ts'
import {readStatements} from './statements.ts'

const runs = Number(process.env.PLANS_RUNS ?? 40)
const seed = Number(process.env.PLANS_SEED ?? 1)
const quads = 6000

type Node = {
  readonly 'Node Type': string
  readonly Alias?: string
  readonly 'Join Filter'?: string
  readonly Plans?: readonly Node[]
} & Readonly<Record<string, unknown>>

function nodesOf(node: Node): readonly Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

/** Rows in the text of the query: VALUES. */
const listed = new Set(['Values Scan', 'Materialize', 'Subquery Scan'])

const fewPairs = 1000

/** Whether a join takes a few rows of a LIMIT and keeps their order. To sort them again would not be cheaper. */
function keepsFewInOrder(outer: Node, inner: Node): boolean {
  return outer['Node Type'] === 'Limit' && Number(outer['Plan Rows']) * Number(inner['Plan Rows']) < fewPairs
}

/** Joins on an equality in which one side is read as a whole for each row of the other. */
function comparisonsOfAllPairs(plan: Node): readonly Node[] {
  return nodesOf(plan).filter(node => {
    const {'Join Filter': filter = '', Plans: [outer, inner] = []} = node
    if (node['Node Type'] !== 'Nested Loop' || outer === undefined || inner === undefined) return false
    if (!/ = /.test(filter) || /IS NULL/.test(filter)) return false
    if (nodesOf(inner).every(one => listed.has(one['Node Type'])) || keepsFewInOrder(outer, inner)) return false
    const aliases = nodesOf(outer).flatMap(({Alias}) => Alias ?? [])
    const conditions = nodesOf(inner).flatMap(one => Object.values(one).filter(value => typeof value === 'string'))
    return !aliases.some(alias => conditions.some(text => text.includes(`${alias}.`) || text.includes(`"${alias}".`)))
  })
}

for (const [index, kind] of kinds.entries()) {
  test(`${kind.name}: no join compares all pairs`, async t => {
    const {database, drop} = await createTestDatabase()
    t.teardown(drop)
    const lines = [...kind.write(quads)]
    await fill(database, kind, lines)
    const store = await storeIn(database)
    const data = readStatements(lines, kind.isRaw ? undefined : base)
    const drawn = Array.from({length: runs}, (_, run) => {
      const random = createRandom(seed + 1_000_003 * index + 7919 * (run + 1))
      return drawQuery(random, data, kind.transitive).text
    })

    for (const text of [...drawn, ...corpusOf(kind.name)]) {
      const {plan} = await explainQuery(store, {text, base, isMeasured: false, planForm: 'json'})
      const [{Plan: root}] = plan as [{Plan: Node}]
      t.deepEqual(comparisonsOfAllPairs(root), [], `PLANS_SEED=${seed}\n${text}`)
    }
  })
}

/** Queries that once had bad plans. */
function corpusOf(kind: string): readonly string[] {
  const folder = new URL(`corpus/${kind}/`, import.meta.url)
  return readdirSync(folder).map(file => readFileSync(new URL(file, folder), 'utf8'))
}
