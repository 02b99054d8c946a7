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

/** A pattern filtered by all conditions; the pattern itself if there are none. */
export function filterBy(input: Algebra, [first, ...others]: readonly Expression[]): Algebra {
  if (first === undefined) return input
  const condition = others.reduce((all, one) => ({type: 'call', name: '&&', arguments: [all, one]}), first)
  return {type: 'filter', condition, input}
}
