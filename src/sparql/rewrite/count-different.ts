/**
 * Rewrite: what COUNT(DISTINCT ?v) counts is made different before, and not sorted group by group.
 *
 *   group(K, count(distinct ?v), A)  =>  group(K, count(?v), distinct(project(K ?v, A)))      K variables
 *
 * Pure. All aggregates count the same variable. A group of solutions without ?v keeps one of them, and so
 * stays.
 * Source: SPARQL 1.1 §18.5.1.2 (Count).
 */
import {type Algebra, mapChildren} from '../algebra.ts'

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
  if (!keys.every(key => key !== undefined)) return node
  return {
    ...node,
    aggregates: node.aggregates.map(({aggregate, ...named}) => ({
      ...named,
      aggregate: {...aggregate, isDistinct: false},
    })),
    input: {
      type: 'distinct',
      input: {type: 'project', variables: [...new Set([...keys, variable])], input: node.input},
    },
  }
}
