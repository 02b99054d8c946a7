/**
 * Rewrite: MINUS of plain patterns becomes a filter, which SQL tests as soon as its variables are bound.
 *
 *   minus(A, B)  =>  filter(!exists(B), A)
 *
 * Pure. Applies if B is a conjunction of triple patterns and paths, with or without filters on its own variables, that
 * shares variables with A, and each solution of A binds all of them. Then no two solutions have disjoint domains.
 * Source: SPARQL 1.1 §8.3.3 (differences of MINUS and NOT EXISTS), §18.5 (Minus).
 */
import {type Algebra, type Expression, mapChildren} from '../algebra.ts'
import {certainVariables, possibleVariables, variablesIn} from '../analyse/variables.ts'
import {isVolatile} from '../analyse/volatile.ts'

export function minusAsExists(tree: Algebra): Algebra {
  const node = mapChildren(tree, minusAsExists)
  if (node.type !== 'minus' || !isPlain(node.right)) return node
  const {left, right} = node
  const [possible, certain] = [possibleVariables(left), certainVariables(left)]
  const shared = [...certainVariables(right)].filter(name => possible.has(name))
  if (shared.length === 0 || !shared.every(name => certain.has(name))) return node
  return {type: 'filter', condition: {type: 'exists', isNegated: true, pattern: right}, input: left}
}

/** Whether a pattern is a conjunction of triple patterns and paths, filtered by variables that it binds always. */
function isPlain(node: Algebra): boolean {
  switch (node.type) {
    case 'bgp':
      return node.patterns.length > 0
    case 'path':
      return true
    case 'join':
      return isPlain(node.left) && isPlain(node.right)
    case 'filter':
      return isPlain(node.input) && isOwn(node.condition, node.input)
    default:
      return false
  }
}

/** Whether a condition depends on variables alone that a pattern binds. The filter of EXISTS also sees outer ones. */
function isOwn(condition: Expression, pattern: Algebra): boolean {
  const certain = certainVariables(pattern)
  return !isVolatile(condition) && variablesIn(condition).every(name => certain.has(name))
}
