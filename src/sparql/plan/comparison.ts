/**
 * Comparisons that an index of values may answer.
 *
 * Floor 2. Pure.
 */
import type {Expression} from '../algebra.ts'
import {type Comparison, exchanged} from './range.ts'
import type {Constant} from './scope.ts'

/** A comparison of a variable with a constant, the variable first. */
export function comparisonOf(
  condition: Expression,
): {readonly name: string; readonly comparison: Comparison; readonly constant: Constant} | undefined {
  if (condition.type !== 'call' || !isComparison(condition.name)) return undefined
  const [left, right] = condition.arguments
  if (left?.type === 'variable' && right?.type === 'term')
    return {name: left.name, comparison: condition.name, constant: right.term}
  if (right?.type === 'variable' && left?.type === 'term')
    return {name: right.name, comparison: exchanged[condition.name], constant: left.term}
  return undefined
}

function isComparison(name: string): name is Comparison {
  return Object.hasOwn(exchanged, name)
}
