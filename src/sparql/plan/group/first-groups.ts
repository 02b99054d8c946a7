/**
 * ORDER BY … LIMIT by keys of groups: finds the keys of the first groups, and aggregates the solutions of these only.
 *
 *   slice(k, orderBy(n, group(n, max(?t), A)))
 *     =>  orderBy(n, group(n, max(?t), join(slice(k, orderBy(n, distinct(project(n, A)))), A)))
 *
 * Each solution binds the keys, so a group is found if and only if its key is. This is worthwhile if an aggregate reads
 * a text of each solution; other aggregates cost less than to evaluate A twice.
 *
 * Source: SPARQL 1.1 §18.5 (Slice, OrderBy), §18.5.1.
 */
import {type Algebra, type Expression, join, type TriplePattern} from '../../algebra.ts'
import {certainVariables, variablesIn} from '../../analyse/variables.ts'
import {isRepeatable, isVolatile} from '../../analyse/volatile.ts'
import type {Environment, Planner} from '../block.ts'
import {formBitsOf} from '../extent.ts'
import {estimateAlone} from '../join/estimate.ts'
import {isConjunction, operandsOf} from '../join/operand.ts'
import {extentIn} from '../join/pattern.ts'

type Group = Extract<Algebra, {type: 'group'}>
type Slice = Extract<Algebra, {type: 'slice'}>
type OrderBy = Extract<Algebra, {type: 'orderBy'}>

const mostRows = 1000 // of the slice
const leastRows = 1000 // solutions that are aggregated
const leastFactor = 20 // solutions for each row of the slice

/** @returns  an equal slice; undefined if this is impossible or not worthwhile */
export function ofFirstGroups(planner: Planner, node: Slice, environment: Environment): Slice | undefined {
  const {input: project, offset, limit} = node
  if (project.type !== 'project' || project.input.type !== 'orderBy' || limit === undefined) return undefined
  const order = project.input
  const group = groupIn(order.input)
  if (group === undefined || offset + limit > mostRows || !isOrderedByKeys(group, order)) return undefined
  if (!isWorthwhile(planner, group, {environment, count: offset + limit})) return undefined
  const names = group.keys.map(({variable}) => variable)
  const keys: Algebra = {type: 'project', variables: names, input: {...order, input: group.input}}
  const first: Slice = {type: 'slice', offset, limit, input: {type: 'distinct', input: keys}}
  const some = {...group, input: joinWithin(group.input, first, names)}
  return {...node, offset: 0, input: {...project, input: {...order, input: withGroup(order.input, some)}}}
}

/** The groups below BIND of their aggregates. */
function groupIn(node: Algebra): Group | undefined {
  if (node.type === 'extend') return groupIn(node.input)
  return node.type === 'group' && node.keys.length > 0 ? node : undefined
}

function withGroup(node: Algebra, group: Group): Algebra {
  return node.type === 'extend' ? {...node, input: withGroup(node.input, group)} : group
}

/** Whether the keys are variables that each solution binds, and alone give the order. */
function isOrderedByKeys({keys, input}: Group, {keys: order}: OrderBy): boolean {
  const certain = certainVariables(input)
  const isVariable = keys.every(({variable, expression}) => {
    return expression.type === 'variable' && expression.name === variable && certain.has(variable)
  })
  const names = new Set(keys.map(({variable}) => variable))
  const isOfKeys = ({expression}: {readonly expression: Expression}) =>
    !isVolatile(expression) && variablesIn(expression).every(name => names.has(name))
  return isVariable && order.every(isOfKeys) && isRepeatable(input)
}

function isWorthwhile(
  planner: Planner,
  {aggregates, input}: Group,
  {environment, count}: {readonly environment: Environment; readonly count: number},
): boolean {
  const {graph, outer, given} = environment
  if (graph.kind === 'each' || outer.size + given.size > 0) return false
  const patterns = patternsOf(input)
  const readsText = aggregates.some(({aggregate: {name, argument}}) => {
    if (name === 'group_concat') return true
    if (argument?.type !== 'variable' || (name !== 'min' && name !== 'max')) return false
    const extents = patterns.map(pattern => extentIn(planner, pattern, argument.name))
    return extents.every(extent => formBitsOf(extent) === undefined)
  })
  if (!readsText) return false
  const {rows} = estimateAlone(planner, input, graph)
  return rows >= Math.max(leastRows, leastFactor * count)
}

/** Triple patterns of the conjunction in a pattern. */
function patternsOf(node: Algebra): readonly TriplePattern[] {
  if (isConjunction(node)) return operandsOf(node).flatMap(one => (one.type === 'triple' ? [one.pattern] : []))
  if (node.type === 'filter' || node.type === 'extend') return patternsOf(node.input)
  return node.type === 'leftJoin' ? patternsOf(node.left) : []
}

/** The join of a pattern with the keys, which all solutions of the pattern bind, as near to its triples as possible. */
function joinWithin(node: Algebra, first: Algebra, names: readonly string[]): Algebra {
  const isBoundBy = (inner: Algebra) => names.every(name => certainVariables(inner).has(name))
  if ((node.type === 'filter' || node.type === 'extend') && isBoundBy(node.input))
    return {...node, input: joinWithin(node.input, first, names)}
  if (node.type === 'leftJoin' && isBoundBy(node.left)) return {...node, left: joinWithin(node.left, first, names)}
  return join(first, node)
}
