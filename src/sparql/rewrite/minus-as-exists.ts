/**
 * Rewrite: MINUS of plain patterns becomes a filter, which SQL tests as soon as its variables are bound.
 *
 *   minus(A, B)            =>  filter(!exists(B), A)
 *   minus(A, union(B, C))  =>  minus(minus(A, B), C)
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
  return node.type === 'minus' ? without(node.left, node.right) : node
}

function without(left: Algebra, right: Algebra): Algebra {
  if (right.type === 'union') return right.inputs.reduce(without, left)
  const isTestable = isPlainPattern(right) && areCertain(sharedVariables(left, right), left)
  if (!isTestable) return {type: 'minus', left, right}
  return {type: 'filter', condition: {type: 'exists', isNegated: true, pattern: right}, input: left}
}

function sharedVariables(left: Algebra, right: Algebra): readonly string[] {
  const possible = possibleVariables(left)
  return [...certainVariables(right)].filter(name => possible.has(name))
}

function areCertain(names: readonly string[], node: Algebra): boolean {
  const certain = certainVariables(node)
  return names.length > 0 && names.every(name => certain.has(name))
}
