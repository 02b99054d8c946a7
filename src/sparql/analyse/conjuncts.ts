/**
 * Splits a condition at its &&.
 *
 * Pure.
 */
import type {Expression} from '../algebra.ts'

/** The operands of nested &&; the condition itself if it is no &&. */
export function conjuncts(condition: Expression): readonly Expression[] {
  if (condition.type !== 'call' || condition.name !== '&&') return [condition]
  return condition.arguments.flatMap(conjuncts)
}
