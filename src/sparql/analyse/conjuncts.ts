/**
 * Splits a condition at its &&, and joins conditions to a filter.
 *
 * Pure.
 */
import type {Algebra, Expression} from '../algebra.ts'

/** The operands of nested &&; the condition itself if it is no &&. */
export function conjuncts(condition: Expression): readonly Expression[] {
  if (condition.type !== 'call' || condition.name !== '&&') return [condition]
  return condition.arguments.flatMap(conjuncts)
}

/** Combines conditions with && to a balanced tree; undefined if there are none. */
export function conjunction(conditions: readonly Expression[]): Expression | undefined {
  if (conditions.length <= 1) return conditions[0]
  const middle = conditions.length >> 1
  const [left, right] = [conjunction(conditions.slice(0, middle)), conjunction(conditions.slice(middle))]
  if (left === undefined || right === undefined) return left ?? right
  return {type: 'call', name: '&&', arguments: [left, right]}
}

/** A pattern filtered by all conditions; the pattern itself if there are none. */
export function filterBy(input: Algebra, conditions: readonly Expression[]): Algebra {
  const condition = conjunction(conditions)
  return condition === undefined ? input : {type: 'filter', condition, input}
}
