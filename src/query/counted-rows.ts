/**
 * Reads from a measured plan of PostgreSQL how many rows the joins of tables have had, and how long it took.
 *
 * Pure.
 */

/**
 * The tables of a join, by their aliases, its rows, and the rows for which its conditions were tested. Those that a
 * lookup for each row of a nested loop removes are not known: PostgreSQL rounds their mean.
 */
export type CountedRows = {readonly aliases: readonly string[]; readonly rows: number; readonly tested: number}

type PlanNode = {
  readonly 'Node Type': string
  readonly 'Join Type'?: string
  readonly 'Parent Relationship'?: string
  readonly 'Subplan Name'?: string
  readonly 'CTE Name'?: string
  readonly 'Relation Name'?: string
  readonly Alias?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/** Whether a node runs once, and whether it is read to its end. */
type Run = {readonly isOnce: boolean; readonly isEnded: boolean}

type Explained = readonly [{readonly Plan: PlanNode; readonly 'Execution Time': number}]

/** The quads that a node has joined; undefined if its rows are not those of a join of whole tables. */
type Tables = readonly string[] | undefined

/**
 * The rows of tables of quads and of their inner joins, with all conditions that were tested before the next join. Only
 * nodes count that have run once and to their end.
 *
 * @param explained  what EXPLAIN (ANALYZE, FORMAT JSON) returns
 */
export function countedRows(explained: unknown): readonly CountedRows[] {
  const [root] = explained as Explained
  const found = new Map<string, CountedRows>()
  const ofCte = new Map<string, Tables>()
  visit(root.Plan, {isOnce: true, isEnded: true})
  return [...found.values()]

  function visit(node: PlanNode, run: Run): Tables {
    const {'Node Type': type, Plans: plans = []} = node
    for (const plan of plans) {
      const name = /^CTE (.*)$/.exec(plan['Subplan Name'] ?? '')?.[1]
      if (name !== undefined) ofCte.set(name, visit(plan, run))
    }
    const isEnded = (run.isEnded && type !== 'Limit') || type === 'Sort' || type === 'Hash'
    const tables = plans.flatMap(plan => {
      if (isSubplan(plan)) return []
      const isRepeated =
        type === 'Recursive Union' || (type === 'Nested Loop' && plan['Parent Relationship'] === 'Inner')
      return [visit(plan, {isOnce: run.isOnce && !isRepeated, isEnded})]
    })
    const joined = tablesOf(node, tables, ofCte)
    const loops = node['Actual Loops'] ?? 0
    const rows = (node['Actual Rows'] ?? 0) * loops
    const removed = ((node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) * loops
    if (run.isOnce && run.isEnded && joined !== undefined && joined.length > 0 && isCounted(node)) {
      const aliases = [...joined].sort()
      const key = aliases.join(' ')
      found.set(key, {aliases, rows, tested: Math.max(rows + removed, found.get(key)?.tested ?? 0)})
    }
    return joined
  }
}

/** The time of a run without its planning. @param explained  as above */
export function executionMs(explained: unknown): number {
  const [root] = explained as Explained
  return root['Execution Time']
}

function isSubplan({'Parent Relationship': role}: PlanNode): boolean {
  return role === 'InitPlan' || role === 'SubPlan'
}

function isCounted({'Node Type': type, 'Actual Loops': loops = 0}: PlanNode): boolean {
  return loops > 0 && (joins.has(type) || type.endsWith('Scan'))
}

const joins: ReadonlySet<string> = new Set(['Hash Join', 'Nested Loop', 'Merge Join'])
const transparent: ReadonlySet<string> = new Set([
  'Gather',
  'Gather Merge',
  'Hash',
  'Incremental Sort',
  'Materialize',
  'Memoize',
  'Result',
  'Sort',
  'Subquery Scan',
])

function tablesOf(node: PlanNode, inputs: readonly Tables[], ofCte: ReadonlyMap<string, Tables>): Tables {
  const {'Node Type': type, 'Relation Name': relation, 'CTE Name': cte, Alias: alias} = node
  if (cte !== undefined) return ofCte.get(cte) ?? [cte] // a closure is a table of its own
  if (relation !== undefined) return relation === 'term' ? [] : relation === 'quad' && alias ? [alias] : undefined
  if (transparent.has(type)) return inputs.length === 0 ? [] : inputs[0]
  const [left, right] = inputs
  if (!joins.has(type) || left === undefined || right === undefined) return undefined
  switch (node['Join Type']) {
    case 'Inner':
      return [...left, ...right]
    case 'Left': // each row has one term at most
      return right.length === 0 ? left : undefined
    case 'Right':
      return left.length === 0 ? right : undefined
    default:
      return undefined
  }
}
