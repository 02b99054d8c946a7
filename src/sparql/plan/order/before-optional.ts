/**
 * ORDER BY … LIMIT over OPTIONAL, by keys of the required part: takes the first solutions of that part, and looks for
 * optional ones for these only.
 *
 *   slice(k, orderBy(n, leftJoin(A, B)))  =>  slice(k, orderBy(n, leftJoin(slice(k, orderBy(n, A)), B)))
 *
 * Each solution of A has at least one solution in the left join, so the first k solutions of A lead to the first k of
 * all. Ties are broken by the values of A before those of B, so that pages neither overlap nor leave gaps. If only the
 * first keys are of A, its first solutions by these are taken with all that are equal to the last one.
 *
 * Source: SPARQL 1.1 §18.5 (LeftJoin, OrderBy, Slice).
 */
import type {Algebra, OrderKey} from '../../algebra.ts'
import {certainVariables, possibleVariables, variablesIn} from '../../analyse/variables.ts'
import {isVolatile} from '../../analyse/volatile.ts'
import {type Block, derive, type Environment, noColumns, type Planner} from '../block.ts'
import {extendBlock} from '../join/combine.ts'
import {estimateAlone} from '../join/estimate.ts'
import {only} from '../join/lateral.ts'
import {leftJoinBlocks} from '../join/left-join.ts'
import {isConjunction, operandsOf} from '../join/operand.ts'
import {overKeptKeys, withKeptKeys} from './kept-keys.ts'
import {ordered, tiedByValue, withTies} from './order.ts'
import {inOrderOf, keysBefore, toPage} from './page.ts'

type Slice = Extract<Algebra, {type: 'slice'}>
/** What is done with the first solutions only. */
type Late = Extract<Algebra, {type: 'leftJoin' | 'extend'}>
type PlanFirst = (planner: Planner, node: Slice, environment: Environment) => Block

const leastFactor = 2 // solutions of the required part for each row of the slice
const leastPatterns = 3 // whose number of solutions is not known well

/**
 * @param planFirst  plans the solutions of a slice before LIMIT and OFFSET, in their order
 * @returns          the same; undefined if this is impossible or not worthwhile
 */
export function planBeforeOptional(
  planner: Planner,
  node: Slice,
  environment: Environment,
  planFirst: PlanFirst,
): Block | undefined {
  const {graph, outer} = environment
  const page = toPage(node)
  if (page === undefined || graph.kind === 'each' || outer.size > 0) return undefined
  const {shown, keys, input, count} = page
  const parts = partsOf(input, keys) ?? partsOf(input, keys.slice(0, 1))
  if (parts === undefined) return undefined
  const {required, late} = parts
  if (!isUncertain(required) && estimateAlone(planner, required, graph).rows < leastFactor * count) return undefined
  const own = keysBefore(keys, isBoundBy(late, required))
  const hasTies = own.length < keys.length
  const slice = inOrderOf(hasTies ? tiedByValue(own) : own, required, {limit: count})
  const given = {...environment, given: noColumns}
  const block = planFirst(planner, slice, given)
  if (hasTies && (block.order?.keys ?? []).length === 0) return undefined
  const first = hasTies ? derive(planner, block, {limit: count, hasTies}) : firstOf(planner, block, count)
  const all = late.reduce((before, one) => added(planner, before, one, given), first)
  const sorted = hasTies ? ordered(planner, all, keys, given) : {...all, order: orderAfter(block, all)}
  return {...sorted, columns: only(sorted.columns, shown)}
}

/** Whether so many patterns are joined that there may be many more solutions than expected. */
function isUncertain(required: Algebra): boolean {
  const patterns = required.type === 'filter' ? required.input : required
  return isConjunction(patterns) && operandsOf(patterns).length >= leastPatterns
}

function added(planner: Planner, block: Block, node: Late, environment: Environment): Block {
  if (node.type === 'extend') return extendBlock(planner, block, node, environment)
  return leftJoinBlocks(planner, block, node.right, node.condition, environment)
}

/**
 * The OPTIONALs, and BINDs after them, that can be added after the first solutions by some keys are known, innermost
 * first, and what is left without.
 *
 * @returns  undefined if there is no such OPTIONAL
 */
function partsOf(input: Algebra, keys: readonly OrderKey[]) {
  const names = keys.flatMap(({expression}) => variablesIn(expression))
  const late: Late[] = []
  let required = input
  while (required.type === 'leftJoin' || required.type === 'extend') {
    const before: Algebra = required.type === 'extend' ? required.input : required.left
    // A variable that A may leave unbound could get a value from B.
    const certain = certainVariables(before)
    const others = boundBy(required)
    const own = [...possibleVariables(before), ...names]
    if (own.some(name => others.has(name) && !certain.has(name))) break
    if (required.type === 'extend' && isVolatile(required.expression)) break
    late.unshift(required)
    required = before
  }
  return late.some(({type}) => type === 'leftJoin') ? {required, late} : undefined
}

/** Tells whether a variable is bound late. */
function isBoundBy(late: readonly Late[], required: Algebra): (variable: string) => boolean {
  const certain = certainVariables(required)
  const added = new Set(late.flatMap(node => [...boundBy(node)]))
  return name => added.has(name) && !certain.has(name)
}

function boundBy(node: Late): ReadonlySet<string> {
  return node.type === 'extend' ? new Set([node.variable]) : possibleVariables(node.right)
}

/** The first solutions of a block, with its keys as further columns. */
function firstOf(planner: Planner, block: Block, count: number): Block {
  return derive(planner, {...withKeptKeys(block), order: withTies(block)}, {limit: count})
}

/** The order of a block over the columns of another one that is made from its first solutions. */
function orderAfter({columns, order}: Block, {columns: after}: Block): Block['order'] {
  if (order === undefined) return undefined
  return withTies({columns: only(after, columns.keys()), order: overKeptKeys(order, {columns: after})})
}
