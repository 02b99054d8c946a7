/** Puts an expression in place of a variable of another expression. Pure. */
import type {Expression} from '../algebra.ts'
import {isPlainTest} from './plain-test.ts'
import {variablesIn} from './variables.ts'

/** An expression with another one in place of a variable; undefined if it has BOUND of the variable. */
export function replaceVariable(whole: Expression, name: string, by: Expression): Expression | undefined {
  if (whole.type === 'variable') return whole.name === name ? by : whole
  if (whole.type !== 'call' && whole.type !== 'function') return whole
  if (whole.type === 'call' && whole.name === 'bound') return variablesIn(whole).includes(name) ? undefined : whole
  const parts = whole.arguments.flatMap(one => replaceVariable(one, name, by) ?? [])
  return parts.length === whole.arguments.length ? {...whole, arguments: parts} : undefined
}

/** Tests with an expression in place of a variable; undefined if one of them has EXISTS or BOUND of it. */
export function replaceInTests(
  tests: readonly Expression[],
  name: string,
  by: Expression,
): readonly Expression[] | undefined {
  const found = tests.flatMap(test => {
    if (!variablesIn(test).includes(name)) return [test]
    return isPlainTest(test) ? (replaceVariable(test, name, by) ?? []) : []
  })
  return found.length === tests.length ? found : undefined
}
