/**
 * Rewrite: COUNT(DISTINCT ?v) becomes COUNT over distinct solutions, so that SQL does not sort each group.
 *
 *   group(K, count(distinct ?v), A)  =>  group(K, count(?v), distinct(project(K ?v, A)))      K variables
 *   … extend(?k, f(?v), A)           =>  … extend(?k, f(?v), distinct(project(?v, A)))        ?k in K
 *
 * Pure. Applies if all aggregates count the same variable, except where an index has the order of the groups. A group
 * whose solutions do not bind ?v keeps one of them, so the group remains.
 * Source: SPARQL 1.1 §18.5.1.2 (Count).
 */
import {type Algebra, mapChildren} from '../algebra.ts'
import {computeLater, separateComputed} from '../analyse/later.ts'
import {variablesIn} from '../analyse/variables.ts'

export function countDifferent(tree: Algebra): Algebra {
  const node = mapChildren(tree, countDifferent)
  if (node.type !== 'group') return node
  const counted = new Set(
    node.aggregates.map(({aggregate: {name, isDistinct, argument}}) =>
      name === 'count' && isDistinct && argument?.type === 'variable' ? argument.name : undefined,
    ),
  )
  const [variable] = counted
  if (counted.size !== 1 || variable === undefined) return node
  const keys = node.keys.map(({expression}) => (expression.type === 'variable' ? expression.name : undefined))
  if (!keys.every(key => key !== undefined) || isInOrder(node.input, keys)) return node
  return {
    ...node,
    aggregates: node.aggregates.map(({aggregate, ...named}) => ({
      ...named,
      aggregate: {...aggregate, isDistinct: false},
    })),
    input: differentSolutions(node.input, new Set([...keys, variable])),
  }
}

/** The different solutions of some variables. What BIND computes of others of them is computed of each once. */
function differentSolutions(input: Algebra, names: ReadonlySet<string>): Algebra {
  const {inner, later, made, read} = separateComputed(
    input,
    ({variable, expression}) => names.has(variable) && variablesIn(expression).every(name => names.has(name)),
  )
  if (![...read].every(name => names.has(name)))
    return {type: 'distinct', input: {type: 'project', variables: [...names], input}}
  const variables = [...names].filter(name => !made.has(name))
  return computeLater({type: 'distinct', input: {type: 'project', variables, input: inner}}, later)
}

/** Whether the groups are the triples of each predicate, which an index has one after the other. */
function isInOrder(input: Algebra, [key, ...others]: readonly string[]): boolean {
  if (input.type !== 'bgp' || input.patterns.length !== 1 || others.length > 0) return false
  return input.patterns.every(({subject, predicate, object}) => {
    return [subject, predicate, object].every(({termType}) => termType === 'Variable') && predicate.value === key
  })
}
