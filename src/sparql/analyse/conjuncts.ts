/**
 * Conditions that all have to hold.
 *
 * Pure.
 */
import type {Expression} from '../algebra.ts'

/** The operands of a conjunction of conditions. */
export function conjuncts(condition: Expression): readonly Expression[] {
  if (condition.type !== 'call' || condition.name !== '&&') return [condition]
  return condition.arguments.flatMap(conjuncts)
}
