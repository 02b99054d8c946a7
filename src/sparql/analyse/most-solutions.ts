/**
 * An upper bound for the number of solutions of a pattern, from LIMIT and from groups without keys.
 *
 * Pure. Sources: SPARQL 1.1 §15.5 (LIMIT), §11.2 (without GROUP BY there is one group).
 */
import type {Algebra} from '../algebra.ts'

export function mostSolutions(node: Algebra): number {
  switch (node.type) {
    case 'slice':
      return Math.min(node.limit ?? Number.POSITIVE_INFINITY, mostSolutions(node.input))
    case 'group':
      return node.keys.length === 0 ? 1 : Number.POSITIVE_INFINITY
    case 'project':
    case 'extend':
    case 'filter':
    case 'orderBy':
    case 'distinct':
    case 'reduced':
      return mostSolutions(node.input)
    default:
      return Number.POSITIVE_INFINITY
  }
}
