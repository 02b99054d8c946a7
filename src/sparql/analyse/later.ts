/**
 * Separates what BIND computes of a pattern from the pattern, so that it can be computed of fewer solutions later.
 *
 * Pure. Source: SPARQL 1.1 §18.2.2.5, §18.5 (Extend, Filter).
 */
import type {Algebra, Expression} from '../algebra.ts'
import {isPlainTest} from './plain-test.ts'
import {variablesIn} from './variables.ts'
import {isVolatile} from './volatile.ts'

export type Computed = Extract<Algebra, {type: 'extend' | 'filter'}>

export type Separated = {
  readonly inner: Algebra
  readonly later: readonly Computed[] // to be applied to `inner` in this order
  readonly made: ReadonlySet<string> // variables that `later` binds
  readonly read: ReadonlySet<string> // other variables that `later` uses
}

/**
 * Takes BIND of some variables, and filters that use them, from the top of a pattern. Nothing that stays uses them.
 *
 * @param isWanted  whether a BIND may be taken
 */
export function separateComputed(
  pattern: Algebra,
  isWanted: (one: Extract<Computed, {type: 'extend'}>) => boolean,
): Separated {
  const wanted = new Set<string>()
  for (let node = pattern; node.type === 'extend' || node.type === 'filter'; node = node.input)
    if (node.type === 'extend' && isFree(node.expression) && isWanted(node)) wanted.add(node.variable)
  const later: Computed[] = []
  const inner = take(pattern)
  const made = new Set(later.flatMap(one => (one.type === 'extend' ? [one.variable] : [])))
  const read = new Set(later.flatMap(one => variablesIn(expressionOf(one))).filter(name => !made.has(name)))
  return {inner, later, made, read}

  /** What is above a node decides first whether it is taken. */
  function take(node: Algebra): Algebra {
    if (node.type !== 'extend' && node.type !== 'filter') return node
    const expression = expressionOf(node)
    const names = variablesIn(expression)
    const isTaken =
      node.type === 'extend' ? wanted.has(node.variable) : isFree(expression) && names.some(name => wanted.has(name))
    if (!isTaken) for (const name of names) wanted.delete(name)
    const input = take(node.input)
    if (!isTaken) return {...node, input}
    later.push(node)
    return input
  }
}

/** Applies what was separated to other solutions. */
export function computeLater(solutions: Algebra, later: readonly Computed[]): Algebra {
  return later.reduce<Algebra>((input, one) => ({...one, input}), solutions)
}

/** Whether an expression depends on nothing but the terms of its variables. */
export function isFree(expression: Expression): boolean {
  return !isVolatile(expression) && isPlainTest(expression)
}

function expressionOf(one: Computed): Expression {
  return one.type === 'extend' ? one.expression : one.condition
}
