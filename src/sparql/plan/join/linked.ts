/**
 * Splits a conjunction into parts that share no variable, if a test of equality compares two of them.
 *
 *   filter(str(?l) = str(?m), join(A(?s, ?l), B(?t, ?m)))  =>  A joined with B by str(?l) = str(?m)
 *
 * Each part is planned alone, so PostgreSQL can join the parts by a hash of both sides of the test. Without the split,
 * the operands of the second part would be joined with all pairs one by one.
 */
import {firstAfterNodes, firstOfKind, inlineKinds} from '../../../rdf/id-layout.ts'
import type {Expression} from '../../algebra.ts'
import {isPlainTest} from '../../analyse/plain-test.ts'
import {variablesIn} from '../../analyse/variables.ts'
import {isVolatile} from '../../analyse/volatile.ts'
import type {Planner} from '../block.ts'
import {planExpression, type Sight} from '../expression/expression.ts'
import {numberOf} from '../expression/number.ts'
import {toText, type Value} from '../expression/value.ts'
import {isWithin} from '../extent.ts'
import {call, equal, number, operator, type Scalar, text} from '../relation.ts'
import {namesOf, type Operand} from './operand.ts'

export type LinkedPart = {readonly operands: readonly Operand[]; readonly tests: readonly Expression[]}

/** The parts in the order of their join, and the tests over several parts, each with the last part that it needs. */
export type Linked = {
  readonly parts: readonly LinkedPart[]
  readonly tests: readonly {readonly test: Expression; readonly last: number}[]
}

/** @returns  undefined if all operands are connected, or if no test of equality compares two parts */
export function splitByTests(operands: readonly Operand[], tests: readonly Expression[]): Linked | undefined {
  if (!tests.some(isEquality)) return undefined
  const groups = connected(operands)
  if (groups.length < 2) return undefined
  const names = groups.map(group => new Set(group.flatMap(operand => [...namesOf(operand)])))
  const partsOf = (expression: Expression): readonly number[] =>
    names.flatMap((held, index) => (variablesIn(expression).some(name => held.has(name)) ? [index] : []))
  const links = tests.filter(isEquality).flatMap(({arguments: sides}): (readonly [number, number])[] => {
    const [left = [], right = []] = sides.map(partsOf)
    const [[one], [other]] = [left, right]
    const isLink = left.length === 1 && right.length === 1 && one !== other
    return isLink && one !== undefined && other !== undefined ? [[one, other]] : []
  })
  if (links.length === 0) return undefined
  const order = joinOrder(groups.length, links)
  const placed = tests.map(test => {
    const isLate = !isPlainTest(test) || isVolatile(test)
    const places = isLate ? order.map((_, place) => place) : partsOf(test).map(part => order.indexOf(part))
    return {test, places}
  })
  const parts = order.map((group, place) => ({
    operands: groups[group] ?? [],
    tests: placed.flatMap(one => (isOfOne(one.places) && (one.places[0] ?? 0) === place ? [one.test] : [])),
  }))
  const others = placed.filter(({places}) => !isOfOne(places))
  return {parts, tests: others.map(({test, places}) => ({test, last: Math.max(...places)}))}
}

/** Whether a test belongs to one part. One without variables belongs to the first. */
function isOfOne(places: readonly number[]): boolean {
  return places.length < 2
}

/** How a part is planned: the values that join it with the others count, too. */
export function contextOf<Context extends {readonly needed?: ReadonlySet<string> | undefined}>(
  part: LinkedPart,
  {parts, tests}: Linked,
  context: Context,
): Context & Pick<LinkedPart, 'tests'> {
  const others = parts.filter(one => one !== part).flatMap(({operands}) => operands.flatMap(one => [...namesOf(one)]))
  const needed =
    context.needed && new Set([...context.needed, ...others, ...tests.flatMap(({test}) => variablesIn(test))])
  return {...context, tests: part.tests, needed}
}

type Call = Extract<Expression, {type: 'call'}>

function isEquality(test: Expression): test is Call {
  return test.type === 'call' && test.name === '=' && isPlainTest(test) && !isVolatile(test)
}

/** The operands in groups that share no variable. */
export function connected(operands: readonly Operand[]): readonly (readonly Operand[])[] {
  let groups: readonly (readonly Operand[])[] = []
  for (const operand of operands) {
    const own = namesOf(operand)
    const isNear = (group: readonly Operand[]) => group.some(one => [...namesOf(one)].some(name => own.has(name)))
    groups = [...groups.filter(group => !isNear(group)), [...groups.filter(isNear).flat(), operand]]
  }
  return groups
}

/** The parts in an order in which each is linked to one before it, if that is possible. */
function joinOrder(count: number, links: readonly (readonly [number, number])[]): readonly number[] {
  const order = [links[0]?.[0] ?? 0]
  while (order.length < count) {
    const link = links.find(([one, other]) => order.includes(one) !== order.includes(other))
    const linked = link?.find(part => !order.includes(part))
    order.push(linked ?? Array.from({length: count}, (_, part) => part).find(part => !order.includes(part)) ?? 0)
  }
  return order
}

/**
 * Conditions that are true wherever a test of equality is true, and that PostgreSQL can hash. Equality is often decided
 * by a function, because different terms can have equal values.
 */
export function linkConditions(planner: Planner, test: Expression, sight: Sight): readonly Scalar[] {
  if (!isEquality(test)) return []
  const sides = test.arguments.map(side => planExpression(planner, side, sight))
  if (sides.some(({type, constant}) => (type !== 'id' && type !== 'key') || constant !== undefined)) return []
  const [one, other] = sides.map(side => (side.type === 'id' ? numberOf(planner, side) : undefined))
  if (one !== undefined && other !== undefined) return equalNumbers(one, other)
  if (sides.every(isInline)) return equalOf(sides.map(inlineValue))
  const areIds = sides.every(({type}) => type === 'id')
  return equalOf(sides.map(side => matchKey(planner, side, areIds)))
}

function equalOf([left, right]: readonly Scalar[]): readonly Scalar[] {
  return left === undefined || right === undefined ? [] : [equal(left, right)]
}

/** If all numbers are integers and decimals, the test itself compares numbers of SQL. */
function equalNumbers(one: Value, other: Value): readonly Scalar[] {
  if (one.otherwise === undefined && other.otherwise === undefined) return []
  return equalOf([one, other].map(({scalar}) => asFloat(scalar)))
}

/**
 * Inline numbers that are equal in any of their types are equal as xsd:float, the type of the lowest precision. They
 * become doubles before, because a decimal may be equal to the double nearest to it. With at most six digits after the
 * point, none is so near the middle between two floats that this changes the float.
 */
function asFloat(value: Scalar): Scalar {
  return call('float4', call('float8', value))
}

function isInline({type, extent}: Value): boolean {
  return type === 'id' && extent !== undefined && extent.high < 0n
}

/** A double that equal inline literals share: the value of a number as xsd:float, the seconds of a time. */
function inlineValue({scalar}: Value): Scalar {
  const value = call('sparql_inline_value', scalar)
  const isNumber = operator('<', scalar, number(firstOfKind(inlineKinds.dateTime)))
  return {kind: 'case', branches: [[isNumber, call('float8', asFloat(value))]], otherwise: call('float8', value)}
}

/** A text that equal terms share: the text of a string, the id of a node if both sides are ids, or an empty text. */
function matchKey(planner: Planner, value: Value, areIds: boolean): Scalar {
  const {scalar} = value
  const isNode = isWithin(scalar, 1n, firstAfterNodes)
  const kept: Scalar = areIds
    ? {kind: 'case', branches: [[isNode, call('text', scalar)]], otherwise: toText(planner, value)}
    : toText(planner, value)
  return call('coalesce', kept, text(''))
}
