/**
 * Decides after which step of a conjunction each filter is tested.
 *
 * Pure. The time is linear in the number of steps and tests.
 */
import type {Expression} from '../../algebra.ts'
import {isPlainTest} from '../../analyse/plain-test.ts'
import {variablesIn} from '../../analyse/variables.ts'
import {isVolatile} from '../../analyse/volatile.ts'
import type {Step} from './estimate.ts'
import {certainOf, namesOf} from './operand.ts'

/**
 * The tests by the index of the step that they follow. A plain test follows the first step that has all its variables.
 * EXISTS is as expensive as a step, so it follows the step after which both cost least. A volatile test follows the
 * last.
 */
export function placeTests(
  tests: readonly Expression[],
  steps: readonly Step[],
): ReadonlyMap<number, readonly Expression[]> {
  const places = new Map<number, Expression[]>()
  if (tests.length === 0) return places
  const bound = boundPlaces(steps)
  const cheapest = cheapestFrom(steps)
  for (const test of tests) {
    const first = Math.max(0, ...variablesIn(test).map(name => bound.get(name) ?? 0))
    const place = isVolatile(test) ? steps.length - 1 : isPlainTest(test) ? first : (cheapest[first] ?? first)
    const known = places.get(place)
    if (known === undefined) places.set(place, [test])
    else known.push(test)
  }
  return places
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
