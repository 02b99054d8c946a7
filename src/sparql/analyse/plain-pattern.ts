/** Patterns that have the same solutions in EXISTS as in a join with the outer solution. */
import type {Algebra, Expression} from '../algebra.ts'
import {certainVariables, variablesIn} from './variables.ts'
import {isVolatile} from './volatile.ts'

/** Whether a pattern joins triple patterns and paths, of any graphs, filtered by variables that it binds always. */
export function isPlainPattern(node: Algebra): boolean {
  switch (node.type) {
    case 'bgp':
      return node.patterns.length > 0
    case 'path':
      return true
    case 'graph':
      return isPlainPattern(node.input)
    case 'join':
      return isPlainPattern(node.left) && isPlainPattern(node.right)
    case 'filter':
      return isPlainPattern(node.input) && isOwn(node.condition, node.input)
    default:
      return false
  }
}

/** Whether a condition depends on variables alone that a pattern binds. The filter of EXISTS also sees outer ones. */
function isOwn(condition: Expression, pattern: Algebra): boolean {
  const certain = certainVariables(pattern)
  return !isVolatile(condition) && variablesIn(condition).every(name => certain.has(name))
}
