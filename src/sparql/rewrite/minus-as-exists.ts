/**
 * Rewrite: MINUS of plain patterns becomes a filter, which SQL tests as soon as its variables are bound.
 *
 *   minus(A, B)  =>  filter(!exists(B), A)
 *
 * Pure. Applies if B is a conjunction of triple patterns and paths, with or without filters on its own variables, that
 * shares variables with A, and each solution of A binds all of them. Then no two solutions have disjoint domains.
 * Source: SPARQL 1.1 §8.3.3 (differences of MINUS and NOT EXISTS), §18.5 (Minus).
 */
import {type Algebra, mapChildren} from '../algebra.ts'
import {isPlainPattern} from '../analyse/plain-pattern.ts'
import {certainVariables, possibleVariables} from '../analyse/variables.ts'

export function minusAsExists(tree: Algebra): Algebra {
  const node = mapChildren(tree, minusAsExists)
  if (node.type !== 'minus' || !isPlainPattern(node.right)) return node
  const {left, right} = node
  const [possible, certain] = [possibleVariables(left), certainVariables(left)]
  const shared = [...certainVariables(right)].filter(name => possible.has(name))
  if (shared.length === 0 || !shared.every(name => certain.has(name))) return node
  return {type: 'filter', condition: {type: 'exists', isNegated: true, pattern: right}, input: left}
}
