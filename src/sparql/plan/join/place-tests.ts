/**
 * Decides after which step of a conjunction each filter is tested.
 *
 * Pure. The time is linear in the number of steps times that of tests.
 */
import type {Expression} from '../../algebra.ts'
import {isPlainTest} from '../../analyse/plain-test.ts'
import {variablesIn} from '../../analyse/variables.ts'
import {isVolatile} from '../../analyse/volatile.ts'
import type {Step} from './estimate.ts'
import {testCost, unknownShare} from './estimate-test.ts'
import {certainOf, namesOf} from './operand.ts'

/** A test after a step. Where it is `apart`, the step is joined before, which PostgreSQL would do after the test. */
export type PlacedTest = {readonly test: Expression; readonly isApart: boolean}

/**
 * The tests by the index of the step that they follow.
 *
 * A plain test follows the first step that has all its variables. If it is expensive, it follows the step after which
 * it and the steps before it cost least. So does EXISTS, which is as expensive as a step. A volatile test follows the
 * last.
 *
 * @param isExpensive  whether a plain test reads the dictionary or calls a function
 */
export function placeTests(
  tests: readonly Expression[],
  steps: readonly Step[],
  isExpensive: (test: Expression) => boolean,
): ReadonlyMap<number, readonly PlacedTest[]> {
  const places = new Map<number, PlacedTest[]>()
  if (tests.length === 0) return places
  const bound = boundPlaces(steps)
  const cheapest = cheapestFrom(steps)
  const placeOf = (test: Expression): Place => {
    const first = Math.max(0, ...variablesIn(test).map(name => bound.get(name) ?? 0))
    const last = isVolatile(test) ? steps.length - 1 : undefined
    if (!isPlainTest(test)) return placeOfExists(test, steps, last ?? cheapest[first] ?? first)
    if (last !== undefined || !isExpensive(test)) return {place: last ?? first, isApart: false}
    return placeOfExpensive(test, steps, first)
  }
  for (const test of tests) {
    const {place, isApart} = placeOf(test)
    const known = places.get(place)
    if (known === undefined) places.set(place, [{test, isApart}])
    else known.push({test, isApart})
  }
  return places
}

type Place = {readonly place: number; readonly isApart: boolean}

/**
 * PostgreSQL tests EXISTS before the join with any other step. For a probe that costs no more, but a hash join leaves
 * fewer solutions at a lower cost.
 */
function placeOfExists(test: Expression, steps: readonly Step[], place: number): Place {
  return {place, isApart: steps[place]?.method === 'scan' && !isFirstAt(place, steps, test)}
}

/**
 * A test that follows a later step is tested for the solutions that this step leaves, but the steps before are joined
 * with solutions that it would have removed. A scan reads its operand before the join, and PostgreSQL tests it there.
 */
function placeOfExpensive(test: Expression, steps: readonly Step[], first: number): Place {
  const share = steps[first]?.share ?? unknownShare
  const removed = 1 / share - 1
  let [place, least, joined] = [first, Number.POSITIVE_INFINITY, 0]
  for (let index = first; index < steps.length; index += 1) {
    const step = steps[index]
    if (step === undefined || step.isOnce === true) break
    if (index > first) joined += removed * step.cost
    const cost = joined + (testCost * step.rows) / share
    if (cost < least) [place, least] = [index, cost]
    if (step.different !== undefined) break
  }
  const {method, read = 0, rows = 0, operand} = steps[place] ?? {}
  const isOfScan =
    method === 'scan' && operand !== undefined && variablesIn(test).every(name => namesOf(operand).has(name))
  return {place, isApart: place > first || (place > 0 && isOfScan && read > rows / share)}
}

/** For each variable, the first step that always binds it; if none does, the last step that mentions it. */
function boundPlaces(steps: readonly Step[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  const isCertain = new Set<string>()
  for (const [index, {operand}] of steps.entries()) {
    for (const name of namesOf(operand)) if (!isCertain.has(name)) places.set(name, index)
    for (const name of certainOf(operand)) isCertain.add(name)
  }
  return places
}

/** Whether a test mentions a variable that a step binds. */
function isFirstAt(place: number, steps: readonly Step[], test: Expression): boolean {
  const before = new Set(steps.slice(0, place).flatMap(({operand}) => [...namesOf(operand)]))
  const own = steps[place]?.operand
  return place === 0 || variablesIn(test).some(name => own && namesOf(own).has(name) && !before.has(name))
}

/**
 * For each step, the place of EXISTS among it and all later ones: the first of those where it costs least. It is a
 * lookup for each row, and spares the lookups of later steps for the rows that it removes.
 */
function cheapestFrom(steps: readonly Step[]): readonly number[] {
  const cheapest: number[] = []
  let [least, place, spared] = [Number.POSITIVE_INFINITY, 0, 0]
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const {untested = 1, rows = 1} = steps[index] ?? {}
    if (steps[index + 1]?.method === 'probe') spared += untested - rows
    if (untested - spared <= least) [least, place] = [untested - spared, index]
    cheapest[index] = place
  }
  return cheapest
}
