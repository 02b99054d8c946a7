/**
 * ORDER BY … LIMIT over patterns that only add properties: sorts the solutions of the other patterns, and looks for the
 * properties of one solution after the other, until there are enough.
 *
 *   slice(k, orderBy(?l, {?s rdfs:label ?l ; :price ?p ; :maker ?m}))
 *     =>  the first k rows of orderBy(?l, {?s rdfs:label ?l}), joined with {?s :price ?p ; :maker ?m} in their order
 *
 * Applies if statistics say that nearly all solutions have the properties. If they have not, further solutions are
 * looked at, and at the end all. Solutions that are equal to the last one by the keys are taken, too, and then sorted
 * by all keys.
 *
 * Source: SPARQL 1.1 §18.5 (Join, OrderBy, Slice).
 */
import {type Algebra, join, type OrderKey, type TriplePattern} from '../../algebra.ts'
import {conjuncts, filterBy} from '../../analyse/conjuncts.ts'
import {certainVariables, mentionedVariables, possibleVariables, variablesIn} from '../../analyse/variables.ts'
import {isVolatile} from '../../analyse/volatile.ts'
import {type Block, type Column, derive, type Environment, noColumns, type Planner} from '../block.ts'
import {estimateAlone} from '../join/estimate.ts'
import {joinInOrder} from '../join/join.ts'
import {only} from '../join/lateral.ts'
import {isConjunction, operandsOf} from '../join/operand.ts'
import {isUnionOfAll} from '../join/quads.ts'
import {keepsOrder} from './keeps-order.ts'
import {orderOf, tiedByValue} from './order.ts'
import {lookUpTogether} from './terms-together.ts'

type Slice = Extract<Algebra, {type: 'slice'}>
type PlanFirst = (planner: Planner, node: Slice, environment: Environment) => Block

const mostCount = 1000 // rows of the slice
const [leastRows, mostRows] = [300, 20_000] // solutions without the properties: more take longer to sort than to join
const leastFactor = 4 // such solutions for each row of the slice
const leastShare = 0.8 // of them that have a property
const mostPatterns = 12 // each may be estimated several times

/**
 * @param planFirst  plans the solutions of a slice before LIMIT and OFFSET, in their order
 * @returns          the same; undefined if this is impossible or not worthwhile
 */
export function planBeforeProperties(
  planner: Planner,
  {input: project, limit, offset}: Slice,
  environment: Environment,
  planFirst: PlanFirst,
): Block | undefined {
  const {graph, outer} = environment
  if (project.type !== 'project' || project.input.type !== 'orderBy' || limit === undefined) return undefined
  const {keys, input} = project.input
  const count = offset + limit
  if (count > mostCount || !isUnionOfAll(planner, graph) || outer.size > 0) return undefined
  if (keys.some(({expression}) => isVolatile(expression))) return undefined
  const {rest, properties} = partsOf(planner, input, keys, environment)
  const {rows} = estimateAlone(planner, rest, graph)
  if (properties.length === 0 || rows < Math.max(leastRows, leastFactor * count) || rows > mostRows) return undefined
  const given: Environment = {...environment, given: noColumns, needed: undefined, isPartial: false}
  const own = keysBefore(properties, keys)
  const variables = [...possibleVariables(rest)]
  const further = keys.slice(own.length)
  const inOrder: Algebra = {type: 'orderBy', keys: further.length > 0 ? tiedByValue(own) : own, input: rest}
  const all: Slice = {type: 'slice', offset: 0, limit: undefined, input: {type: 'project', variables, input: inOrder}}
  const sorted = withKeys(lookUpTogether(planner, planFirst(planner, all, given)))
  if (sorted === undefined) return undefined
  const {block, order} = sorted
  const before = derive(planner, {...block, order}, {offset: 0, isFenced: true})
  const steps = operandsOf({type: 'bgp', patterns: properties}).map(operand => {
    return {operand, method: 'probe', rows: count, untested: count, share: 1, cost: count, read: 0} as const
  })
  const joined = joinInOrder(planner, steps, given, [], {...before, rows: count})
  if (!keepsOrder(joined, before.from)) return undefined
  const first = derive(planner, {...joined, order: moved(order, joined)}, {limit: count, hasTies: true})
  const [early, late] = [moved(order, first), orderOf(planner, further, {columns: first.columns, environment: given})]
  return {
    ...first,
    columns: only(first.columns, project.variables),
    order: {
      keys: [...early.keys, ...late.keys],
      expressions: keys,
      variables: new Set([...early.variables, ...late.variables]),
    },
  }
}

/** Patterns that add a property each, in their order, and the other patterns with the filters. */
function partsOf(planner: Planner, input: Algebra, keys: readonly OrderKey[], {graph}: Environment) {
  const properties: TriplePattern[] = []
  const tests = input.type === 'filter' ? conjuncts(input.condition) : []
  let patterns = input.type === 'filter' ? input.input : input
  if (!isConjunction(patterns) || triplesIn(patterns).length > mostPatterns) return {rest: input, properties}
  const used = new Set([...tests.flatMap(variablesIn), ...keys.slice(0, 1).flatMap(key => variablesIn(key.expression))])
  let rows = estimateAlone(planner, input, graph).rows
  for (let candidates = leavesOf(patterns, used); candidates.length > 0; ) {
    const [leaf, ...others] = candidates
    candidates = others
    if (leaf === undefined) break
    const fewer = without(patterns, leaf)
    const before = estimateAlone(planner, filterBy(fewer, tests), graph).rows
    if (rows < leastShare * before) continue
    properties.unshift(leaf)
    patterns = fewer
    rows = before
    candidates = leavesOf(patterns, used)
  }
  return {rest: filterBy(patterns, tests), properties}
}

/** Patterns with a subject that other patterns bind, and an object that nothing else uses. */
function leavesOf(patterns: Algebra, used: ReadonlySet<string>): readonly TriplePattern[] {
  return triplesIn(patterns).filter(pattern => {
    const {subject, predicate, object} = pattern
    if (subject.termType !== 'Variable' || predicate.termType === 'Variable' || object.termType !== 'Variable')
      return false
    const others = without(patterns, pattern)
    const isLeaf = !used.has(object.value) && !mentionedVariables(others).has(object.value)
    return isLeaf && subject.value !== object.value && certainVariables(others).has(subject.value)
  })
}

function triplesIn(node: Algebra): readonly TriplePattern[] {
  if (node.type === 'bgp') return node.patterns
  return node.type === 'join' ? [...triplesIn(node.left), ...triplesIn(node.right)] : []
}

function without(node: Algebra, pattern: TriplePattern): Algebra {
  if (node.type === 'bgp') return {...node, patterns: node.patterns.filter(one => one !== pattern)}
  return node.type === 'join' ? join(without(node.left, pattern), without(node.right, pattern)) : node
}

/** The keys before the first one that needs a property. */
function keysBefore(properties: readonly TriplePattern[], keys: readonly OrderKey[]): readonly OrderKey[] {
  const added = new Set(properties.map(({object}) => object.value))
  const end = keys.findIndex(({expression}) => variablesIn(expression).some(name => added.has(name)))
  return end < 0 ? keys : keys.slice(0, end)
}

type Order = NonNullable<Block['order']>

/** The block with its keys as further columns, and its order; undefined if it has none. */
function withKeys(block: Block): {readonly block: Block; readonly order: Order} | undefined {
  const {order} = block
  if (order === undefined || order.keys.length === 0 || block.isWalked === true) return undefined
  const made = order.keys.map(({scalar}, index): [string, Column] => {
    return [nameOfKey(index), {scalar, rep: 'id', isNullable: true, isNode: false}]
  })
  return {block: {...block, columns: new Map([...block.columns, ...made])}, order}
}

/** The same order over the columns that have its keys. */
function moved(order: Order, {columns}: Block): Order {
  const scalarOf = (index: number) => columns.get(nameOfKey(index))?.scalar
  return {...order, keys: order.keys.map((key, index) => ({...key, scalar: scalarOf(index) ?? key.scalar}))}
}

function nameOfKey(index: number): string {
  return `.key${index}`
}
