/**
 * Splits a conjunction into two halves, if it is cheaper to plan each alone and to join them by a hash.
 *
 *   join(<a> p ?w, ?w q ?x, ?y q ?x, ?y p <z>)  =>  join(<a> p ?w, ?w q ?x)  joined with  join(<z> p ?y, ?y q ?x)
 *
 * Joined one after the other, each pattern multiplies the solutions of all before it. In halves, a pattern multiplies
 * only those of its own half. The first half is the beginning of the cheapest order, up to a pattern that multiplies.
 * Pure. Source: Moerkotte, Building Query Compilers, §3.1 (bushy join trees).
 */
import type {Expression} from '../../algebra.ts'
import {isPlainTest} from '../../analyse/plain-test.ts'
import {variablesIn} from '../../analyse/variables.ts'
import {isVolatile} from '../../analyse/volatile.ts'
import {chooseOrder, type JoinContext, type JoinOrder, type Step} from './estimate.ts'
import {testCost} from './estimate-test.ts'
import {differentValues} from './estimate-triple.ts'
import {connected, contextOf, isEquality, type Linked, type LinkedPart} from './linked.ts'
import {hashCost} from './method.ts'
import {certainOf, namesOf, type Operand} from './operand.ts'

const leastCost = 5_000 // of an order, for which halves are worth the time of estimating them
const leastGain = 2 // factor
const leastFanOut = 1.5 // of a step, before which the order can be cut
const mostCandidates = 8
const starts = 2 // of each half that are tried: most halves begin at a constant
const mostOperands = 30 // of an order that is cut: the time of this search grows with their square

/** @returns  undefined if no halves are much cheaper than the order */
export function splitInHalves(order: JoinOrder, context: JoinContext): Linked | undefined {
  const {tests, planner} = context
  const {isHalved} = planner.forced ?? {}
  if (isHalved === false || tests.some(test => !isPlainTest(test) || isVolatile(test))) return undefined
  if (order.cost < leastCost && isHalved !== true) return undefined
  const most = isHalved === true ? Number.POSITIVE_INFINITY : order.cost / leastGain
  const operands = order.steps.map(({operand}) => operand)
  if (operands.length > mostOperands || operands.some(({type}) => type === 'texts')) return undefined
  const cuts = cutsOf(order.steps, {most, isForced: isHalved === true})
  const candidates = cuts.flatMap(cut => cutAt(operands, cut, tests)).slice(0, mostCandidates)
  let best: {readonly halves: Halves; readonly cost: number} | undefined
  for (const halves of candidates) {
    const limit = best?.cost ?? most
    const cost = costOf(halves, context, limit)
    if (cost < limit) best = {halves, cost}
  }
  return best && linkedOf(best.halves)
}

/**
 * The places where an order can be cut: where a pattern multiplies several solutions. A cut spares the second half at
 * most their number. The steps before a cut stay in the first half, so they must leave something to gain.
 */
function cutsOf(
  steps: readonly Step[],
  {most, isForced}: {readonly most: number; readonly isForced: boolean},
): readonly number[] {
  const cuts: number[] = []
  let [before, spent] = [0, 0]
  for (const [place, {rows, cost}] of steps.entries()) {
    const isUseful = before >= leastGain && rows > leastFanOut * before && spent < most
    if (place > 0 && (isForced || isUseful)) cuts.push(place)
    before = rows
    spent += cost
  }
  return cuts
}

/**
 * The halves at one place of an order. If what follows is not connected, each of its groups can be the second half, and
 * the others belong to the first: they are mostly further properties of its variables.
 */
function cutAt(operands: readonly Operand[], cut: number, tests: readonly Expression[]): readonly Halves[] {
  return connected(operands.slice(cut)).flatMap(group => {
    const others = operands.filter(operand => !group.includes(operand))
    return halvesOf(others, group, tests) ?? []
  })
}

type Halves = {
  readonly first: LinkedPart
  readonly second: LinkedPart
  readonly shared: readonly string[] // variables
  readonly tests: readonly Expression[] // of both halves together
}

/** @returns  undefined if the first half is not connected, or a shared variable may be unbound in a half */
function halvesOf(
  before: readonly Operand[],
  after: readonly Operand[],
  tests: readonly Expression[],
): Halves | undefined {
  if (connected(before).length > 1) return undefined
  const [names, others] = [before, after].map(part => new Set(part.flatMap(operand => [...namesOf(operand)])))
  if (names === undefined || others === undefined) return undefined
  const shared = [...names].filter(name => others.has(name))
  const isSure = (part: readonly Operand[], name: string) => part.some(operand => certainOf(operand).has(name))
  if (shared.length === 0 || !shared.every(name => isSure(before, name) && isSure(after, name))) return undefined
  const isWithin = (test: Expression, held: ReadonlySet<string>) => variablesIn(test).every(name => held.has(name))
  const ofFirst = tests.filter(test => isWithin(test, names))
  const ofSecond = tests.filter(test => isWithin(test, others) && !ofFirst.includes(test))
  return {
    first: {operands: before, tests: ofFirst},
    second: {operands: after, tests: ofSecond},
    shared,
    tests: tests.filter(test => !ofFirst.includes(test) && !ofSecond.includes(test)),
  }
}

/** The cost of two halves and their join; infinite if the first half alone reaches the limit. */
function costOf({first, second, shared, tests}: Halves, context: JoinContext, limit: number): number {
  const linked = linkedOf({first, second, shared, tests})
  const orderOf = (part: LinkedPart) => chooseOrder(part.operands, {...contextOf(part, linked, context), starts})
  const left = orderOf(first)
  if (left.cost >= limit) return Number.POSITIVE_INFINITY
  const right = orderOf(second)
  const all = [...first.operands, ...second.operands]
  const links = tests.filter(test => isEquality(test))
  const compared = links.map(test => Math.max(1, ...variablesIn(test).map(name => valuesOf(name, all, context))))
  const values = shared.map(name => valuesOf(name, all, context))
  const matches = (left.rows * right.rows) / Math.max(1, ...values, ...compared)
  return left.cost + right.cost + hashCost * (left.rows + right.rows + matches) + testCost * tests.length * matches
}

/** The number of values that a variable can have, by the pattern with the fewest. */
function valuesOf(name: string, operands: readonly Operand[], {planner}: JoinContext): number {
  const counts = operands.flatMap(one =>
    one.type === 'triple' ? (differentValues(planner, one.pattern, name) ?? []) : [],
  )
  return counts.length === 0 ? 1 : Math.min(...counts)
}

function linkedOf({first, second, tests}: Halves): Linked {
  return {parts: [first, second], tests: tests.map(test => ({test, last: 1}))}
}
