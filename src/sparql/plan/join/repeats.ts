/**
 * Estimates where the solutions of a conjunction repeat the values that are still used, for queries whose duplicates do
 * not count (needed.ts).
 *
 * Pure.
 */
import type {Expression} from '../../algebra.ts'
import {isPlainTest} from '../../analyse/plain-test.ts'
import {variablesIn} from '../../analyse/variables.ts'
import type {Planner} from '../block.ts'
import {type Bound, boundTo, type Domain, differentValues, tripleRows} from './estimate-triple.ts'
import {namesOf, type Operand} from './operand.ts'

const leastRows = 50 // of solutions, for which it is worth a step to find the different ones
const leastRepeats = 2 // of all values together, from which the different ones are found before the next join
const mayRepeat = 3 // the same for the average value of one pattern

/** Which variables are still used while operands are joined one after the other. */
export type Uses = {
  /** Records that an operand is joined. */
  readonly take: (operand: Operand) => void
  /** Whether the query, an operand that is still to be joined, or a later test needs a bound variable. */
  readonly isUsed: (name: string, bound: Bound) => boolean
  /** Whether an operand binds further variables that nothing but its own tests needs. */
  readonly bindsUnused: (operand: Operand, bound: Bound) => boolean
}

export function usesOf(operands: readonly Operand[], needed: ReadonlySet<string>, tests: readonly Expression[]): Uses {
  const mentions = new Map<string, number>() // by operands that are not joined yet
  const add = (operand: Operand, count: number) => {
    for (const name of namesOf(operand)) mentions.set(name, (mentions.get(name) ?? 0) + count)
  }
  for (const operand of operands) add(operand, 1)
  const testsOf = (name: string) => tests.filter(test => variablesIn(test).includes(name))
  return {
    take: operand => add(operand, -1),
    isUsed: (name, bound) =>
      needed.has(name) ||
      (mentions.get(name) ?? 0) > 0 ||
      testsOf(name).some(test => variablesIn(test).some(other => mentions.has(other) && !bound.has(other))),
    bindsUnused(operand, bound) {
      const names = namesOf(operand)
      const added = [...names].filter(name => !bound.has(name))
      const isOwn = (test: Expression) =>
        isPlainTest(test) && variablesIn(test).every(name => names.has(name) || bound.has(name))
      const isUnused = (name: string) =>
        !needed.has(name) && (mentions.get(name) ?? 0) === 1 && testsOf(name).every(isOwn)
      return added.length > 0 && added.every(isUnused)
    },
  }
}

/**
 * The variables that are still used after an operand, if solutions without the others probably repeat their values:
 * because there are fewer values, or because each is found several times and a variable that told them apart is not
 * used any more.
 */
export function repeatedValues(
  planner: Planner,
  operand: Operand,
  {rows, bound, uses}: {readonly rows: number; readonly bound: Bound; readonly uses: Uses},
): readonly string[] | undefined {
  if (rows < leastRows) return undefined
  const kept = [...bound.keys()].filter(name => uses.isUsed(name, bound))
  if (valuesTogether(kept, bound) * leastRepeats <= rows) return kept
  const isDropped = [...namesOf(operand)].some(name => !kept.includes(name))
  const isRepeated = (name: string) => operand.type === 'triple' && repeats(planner, operand.pattern, name) >= mayRepeat
  return isDropped && kept.some(isRepeated) ? kept : undefined
}

/** The number of different values among solutions, if each solution has any of the values. */
export function differentRows(
  names: readonly string[],
  {rows, bound}: {readonly rows: number; readonly bound: Bound},
): number {
  const values = valuesTogether(names, bound)
  return Number.isFinite(values) ? Math.max(Math.min(1, rows), values * (1 - Math.exp(-rows / values))) : rows
}

/** The most different values that variables can have together; infinite if it is unknown for one of them. */
export function valuesTogether(names: readonly string[], bound: Bound): number {
  return names.reduce((product, name) => product * (bound.get(name)?.values || Number.POSITIVE_INFINITY), 1)
}

/**
 * Values that triples were found by are frequent ones, and samples have them as often. After a reduction to one
 * variable, each counts once. So it did in patterns with a constant.
 */
export function countOnce([name, ...others]: readonly string[], bound: Map<string, Domain>): void {
  const domain = name === undefined || others.length > 0 ? undefined : bound.get(name)
  if (name === undefined || domain === undefined) return
  const sides = domain.sides?.filter(({asked}) => asked !== undefined)
  bound.set(name, {...domain, places: [], sides})
}

/** The number of triples of a pattern for each value of a variable; 0 if it is neither subject nor object. */
function repeats(planner: Planner, pattern: Extract<Operand, {type: 'triple'}>['pattern'], name: string): number {
  const values = differentValues(planner, pattern, name)
  return values === undefined ? 0 : tripleRows(planner, pattern, boundTo([]), {kind: 'default'}).rows / values
}
