/**
 * ORDER BY … LIMIT of groups with keys that only describe others (described.ts), if the first sort keys need no
 * description: describes the first groups only, and all that tie with the last of them.
 *
 *   slice(k, orderBy(desc(?n), join(GROUPS, {?f rdfs:label ?l})))
 *     =>  W = join(first 4k with ties(orderBy(desc(?n), GROUPS)), {?f rdfs:label ?l})
 *         slice(k, orderBy(desc(?n), W)) if W has k solutions; all groups otherwise
 *
 * Groups without a description have no solution, so k groups may be too few, and there may be no k solutions among the
 * first groups at all.
 *
 * Source: SPARQL 1.1 §18.5 (Slice, OrderBy), §18.5.1.
 */
import type {Algebra, OrderKey} from '../../algebra.ts'
import {possibleVariables, variablesIn} from '../../analyse/variables.ts'
import {isVolatile} from '../../analyse/volatile.ts'
import {type Block, derive, type Environment, noColumns, type Planner, rowsOf} from '../block.ts'
import {namedIn} from '../expression/moved-scalars.ts'
import {filterBlock} from '../join/combine.ts'
import {estimateAlone, type Step} from '../join/estimate.ts'
import {joinInOrder} from '../join/join.ts'
import {leftJoinBlocks} from '../join/left-join.ts'
import {operandsOf} from '../join/operand.ts'
import {firstOf, hasFewer, inOrder, selectOf} from '../order/enough.ts'
import {orderOf} from '../order/order.ts'
import {inOrderOf, keysBefore, toPage} from '../order/page.ts'
import {type From, not, type SqlQuery} from '../relation.ts'
import {type Later, withDescriptions, withoutDescriptions} from './described.ts'

type Slice = Extract<Algebra, {type: 'slice'}>
type Above = Extract<Algebra, {type: 'extend' | 'filter'}>
type PlanSorted = (planner: Planner, node: Slice, environment: Environment) => Block

const groupsPerRow = 4 // that are described, for each row of the slice
const leastFactor = 4 // groups, for each one that is described

/**
 * @param planSorted  plans the solutions of a slice before LIMIT and OFFSET, in their order
 * @returns           the same; undefined if this is impossible or not worthwhile
 */
export function planFirstDescribed(
  planner: Planner,
  node: Slice,
  environment: Environment,
  planSorted: PlanSorted,
): Block | undefined {
  const page = toPage(node)
  const parts = page && partsOf(page.input, environment)
  if (page === undefined || parts === undefined) return undefined
  const {shown, keys, count} = page
  const bound = possibleVariables(parts.groups)
  const own = keysBefore(keys, name => !bound.has(name))
  if (own.length === 0) return undefined
  const described = groupsPerRow * count
  const rowsIn = (one: Algebra) => estimateAlone(planner, one, environment.graph).rows
  const rows = rowsIn(parts.groups)
  const isFound = groupsPerRow * rowsIn(withDescriptions(parts.groups, parts.later)) >= rows
  if (rows < leastFactor * described || !isFound) return undefined
  const first = inOrderOf(own, parts.groups, {limit: described})
  const within = {...environment, given: noColumns}
  const some = derive(planner, planSorted(planner, first, within), {limit: described, hasTies: true})
  const whole = parts.later.reduce((block, later) => describeBlock(planner, block, later, within), some)
  const needed = [...new Set([...shown, ...keys.flatMap(({expression}) => variablesIn(expression))])]
  const columns = inOrder(whole.columns, needed)
  const sorted = planSorted(planner, inOrderOf(keys, page.input, {limit: count, shown: needed}), environment)
  const all = firstOf(planner, sorted, columns, count)
  return all && firstOrAll(planner, {first: {...whole, columns}, all, count}, {shown, keys, environment})
}

/** The groups without descriptions, below HAVING and BIND, if these need no description. */
function partsOf(
  node: Algebra,
  environment: Environment,
): {readonly groups: Algebra; readonly later: readonly Later[]} | undefined {
  if (node.type === 'group') {
    const parts = withoutDescriptions(node, environment)
    return parts && {groups: parts.group, later: parts.later}
  }
  const parts = isAbove(node) ? partsOf(node.input, environment) : undefined
  if (!isAbove(node) || parts === undefined) return undefined
  const expression = node.type === 'filter' ? node.condition : node.expression
  const bound = possibleVariables(parts.groups)
  if (isVolatile(expression) || !variablesIn(expression).every(name => bound.has(name))) return undefined
  return {...parts, groups: {...node, input: parts.groups}}
}

function isAbove(node: Algebra): node is Above {
  return node.type === 'extend' || node.type === 'filter'
}

function describeBlock(planner: Planner, block: Block, later: Later, environment: Environment): Block {
  if (later.type === 'leftJoin') return leftJoinBlocks(planner, block, later.right, later.condition, environment)
  if (later.type === 'filter')
    return later.tests.reduce((some, test) => filterBlock(planner, some, test, environment), block)
  const rows = rowsOf(block)
  const steps = operandsOf(later).map((operand): Step => {
    return {operand, method: 'probe', rows, untested: rows, share: 1, cost: rows, read: rows}
  })
  return joinInOrder(planner, steps, environment, [], block)
}

type Choice = {readonly first: Block; readonly all: Block; readonly count: number}

/** The first solutions; all solutions if these are fewer than `count`. */
function firstOrAll(
  planner: Planner,
  {first, all, count}: Choice,
  {shown, keys, environment}: {readonly shown: readonly string[]; keys: readonly OrderKey[]; environment: Environment},
): Block {
  const [name, alias, table] = [planner.fresh(), planner.fresh(), planner.fresh()]
  const fewer = hasFewer(planner, name, count)
  const from: From = {kind: 'common', name, alias}
  const enough = selectOf({...first, from, where: [not(fewer)], columns: namedIn(first.columns, alias)})
  const body: SqlQuery = {kind: 'unionAll', queries: [enough, selectOf({...all, where: [fewer]})]}
  const columns = namedIn(first.columns, table)
  return {
    from: {kind: 'query', query: {kind: 'with', name, query: selectOf(first), body}, alias: table, isLateral: false},
    where: [],
    columns: inOrder(columns, shown),
    order: orderOf(planner, keys, {columns, environment}),
    rows: count,
  }
}
