/**
 * Properties of a query before it runs: whether CONSTRUCT can create a triple twice, and whether the solutions are
 * repeatable.
 *
 * Pure. Sources: SPARQL 1.1 §16.2 (a set of triples), §18.3 (solutions of basic graph patterns are a set of
 * mappings, as a graph is a set).
 */
import type {Algebra, Expression, TemplateTriple} from '../algebra.ts'
import {children, expressionsOf} from '../algebra.ts'
import {certainVariables} from './variables.ts'

/** Whether each solution creates another triple: the only template triple contains all variables of the pattern. */
export function makesDifferentTriples(template: readonly TemplateTriple[], pattern: Algebra): boolean {
  const [triple, ...others] = template
  if (triple === undefined || others.length > 0) return false
  if (pattern.type === 'filter') return makesDifferentTriples(template, pattern.input)
  if (pattern.type !== 'bgp') return false
  const shown = new Set([triple.subject, triple.predicate, triple.object].map(term => `${term.termType} ${term.value}`))
  return [...certainVariables(pattern)].every(name => shown.has(`Variable ${name}`))
}

const fleeting = new Set(['rand', 'uuid', 'struuid', 'bnode'])

/** Whether a pattern has the same solutions each time it is evaluated on the same state of the store. */
export function isRepeatable(node: Algebra): boolean {
  if (node.type === 'slice') return hasOrder(node.input) && isRepeatable(node.input)
  return expressionsOf(node).every(isRepeatableExpression) && children(node).every(isRepeatable)
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

export function isRepeatableExpression(expression: Expression): boolean {
  switch (expression.type) {
    case 'exists':
      return isRepeatable(expression.pattern)
    case 'call':
      return !fleeting.has(expression.name) && expression.arguments.every(isRepeatableExpression)
    case 'function':
      return expression.arguments.every(isRepeatableExpression)
    default:
      return true
  }
}
