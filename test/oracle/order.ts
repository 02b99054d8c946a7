/** ORDER BY. It leaves the order of two terms open if the specification does. Source: SPARQL 1.1 §15.1. */
import type {Term} from '../../src/rdf/term.ts'
import type {Expression, OrderKey} from '../../src/sparql/algebra.ts'
import type {Solution} from './solution.ts'
import {orderOf} from './values.ts'

export type Keys = readonly (Term | undefined)[]

export function sortSolutions(
  solutions: readonly Solution[],
  keys: readonly OrderKey[],
  evaluate: (solution: Solution, key: Expression) => Term | undefined,
): readonly Solution[] {
  const directions = keys.map(({isDescending}) => isDescending)
  return solutions
    .map(solution => ({solution, values: keys.map(({expression}) => evaluate(solution, expression))}))
    .sort((left, right) => compareKeys(left.values, right.values, directions) ?? 0)
    .map(({solution}) => solution)
}

/** Undefined if two keys differ and their order is open. */
export function compareKeys(left: Keys, right: Keys, areDescending: readonly boolean[]): number | undefined {
  for (const [index, isDescending] of areDescending.entries()) {
    const order = orderOf(left[index], right[index])
    if (order === undefined) return undefined
    if (order !== 0) return isDescending ? -order : order
  }
  return 0
}
