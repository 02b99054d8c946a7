/**
 * Which expressions and patterns can give another result when they are evaluated again on the same state of the store.
 *
 * Pure. Sources: SPARQL 1.1 §17.4 (functions), §18.6 (EXISTS), §15.4, §15.5 (OFFSET and LIMIT need an order).
 */
import type {Algebra, Expression, FunctionName} from '../algebra.ts'
import {children, expressionsOf} from '../algebra.ts'

const volatileFunctions: ReadonlySet<FunctionName> = new Set<FunctionName>(['rand', 'uuid', 'struuid', 'bnode'])

/** Whether an expression can have a different value at each evaluation. EXISTS can, if its pattern does. */
export function isVolatile(expression: Expression): boolean {
  switch (expression.type) {
    case 'exists':
      return !isRepeatable(expression.pattern)
    case 'call':
      return volatileFunctions.has(expression.name) || expression.arguments.some(isVolatile)
    case 'function':
      return expression.arguments.some(isVolatile)
    case 'term':
    case 'variable':
      return false
  }
}

/** Whether a pattern has the same solutions at each evaluation. */
export function isRepeatable(node: Algebra): boolean {
  if (node.type === 'slice' && !hasOrder(node.input)) return false
  return !expressionsOf(node).some(isVolatile) && children(node).every(isRepeatable)
}

function hasOrder(node: Algebra): boolean {
  switch (node.type) {
    case 'orderBy':
      return true
    case 'project':
    case 'distinct':
    case 'reduced':
      return hasOrder(node.input)
    default:
      return false
  }
}
