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
import {propertyOf} from '../../analyse/property.ts'
import {certainVariables, mentionedVariables, variablesIn} from '../../analyse/variables.ts'
import {type Block, derive, type Environment, noColumns, type Planner} from '../block.ts'
import {estimateAlone} from '../join/estimate.ts'
import {joinInOrder} from '../join/join.ts'
import {only} from '../join/lateral.ts'
import {isConjunction, operandsOf} from '../join/operand.ts'
import {isUnionOfAll} from '../join/quads.ts'
import {keepsOrder} from './keeps-order.ts'
import {overKeptKeys, withKeptKeys} from './kept-keys.ts'
import {orderOf, tiedByValue} from './order.ts'
import {inOrderOf, keysBefore, toPage} from './page.ts'
import {lookUpTogether} from './terms-together.ts'

type Slice = Extract<Algebra, {type: 'slice'}>
type PlanFirst = (planner: Planner, node: Slice, environment: Environment) => Block

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
  node: Slice,
  environment: Environment,
  planFirst: PlanFirst,
): Block | undefined {
  const {graph, outer} = environment
  const page = toPage(node)
  if (page === undefined || !isUnionOfAll(planner, graph) || outer.size > 0) return undefined
  const {shown, keys, input, count} = page
  const {rest, properties} = partsOf(planner, input, keys, environment)
  const {rows} = estimateAlone(planner, rest, graph)
  if (properties.length === 0 || rows < Math.max(leastRows, leastFactor * count) || rows > mostRows) return undefined
  const given: Environment = {...environment, given: noColumns, needed: undefined, isPartial: false}
  const added = new Set(properties.map(({object}) => object.value))
  const own = keysBefore(keys, name => added.has(name))
  const further = keys.slice(own.length)
  const all = inOrderOf(further.length > 0 ? tiedByValue(own) : own, rest)
  const sorted = lookUpTogether(planner, planFirst(planner, all, given))
  const {order} = sorted
  if (order === undefined || order.keys.length === 0 || sorted.isWalked === true) return undefined
  const before = derive(planner, withKeptKeys(sorted), {offset: 0, isFenced: true})
  const steps = operandsOf({type: 'bgp', patterns: properties}).map(operand => {
    return {operand, method: 'probe', rows: count, untested: count, share: 1, cost: count, read: 0} as const
  })
  const joined = joinInOrder(planner, steps, given, [], {...before, rows: count})
  if (!keepsOrder(joined, before.from)) return undefined
  const first = derive(planner, {...joined, order: overKeptKeys(order, joined)}, {limit: count, hasTies: true})
  const [early, late] = [
    overKeptKeys(order, first),
    orderOf(planner, further, {columns: first.columns, environment: given}),
  ]
  return {
    ...first,
    columns: only(first.columns, shown),
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
    const {subject, object} = propertyOf(pattern) ?? {}
    if (subject === undefined || object === undefined || used.has(object)) return false
    const others = without(patterns, pattern)
    return !mentionedVariables(others).has(object) && certainVariables(others).has(subject)
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
