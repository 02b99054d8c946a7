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
import {strictFunctions} from '../expression/functions.ts'
import {numberOf} from '../expression/number-of.ts'
import {areNumbers, storedValues} from '../expression/stored-number.ts'
import {keyValue, toKey, toSimple, toText, type Value} from '../expression/value.ts'
import {isNodes, isText, isWithin} from '../extent.ts'
import {call, number, operator, type Scalar} from '../relation.ts'
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

export function isEquality(test: Expression): test is Call {
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

/** A value of each side of a join. They are equal wherever a test is true, and PostgreSQL can hash them. */
export type JoinLink = {
  readonly left: Scalar
  readonly right: Scalar
  readonly isExact: boolean // the test is true wherever they are equal
}

/**
 * The link of a test of equality between two sides of a join. Equality is often decided by a function: different terms
 * can have equal values.
 *
 * @returns  undefined if the test does not compare the two sides, or no value decides it
 */
export function linkOf(planner: Planner, test: Expression, left: Sight, right: Sight): JoinLink | undefined {
  const sides = isEquality(test) ? sidesOf(test, left, right) : undefined
  if (sides === undefined) return undefined
  const [first, second] = [planExpression(planner, sides[0], left), planExpression(planner, sides[1], right)]
  if (first.constant !== undefined || second.constant !== undefined) return undefined
  const exact = strictFunctions['='](planner, first, second).scalar
  if (isOfColumns(exact)) return {left: exact.left, right: exact.right, isExact: true}
  const [one, other] = [withoutPart(planner, first), withoutPart(planner, second)]
  if (one.type === 'text' || other.type === 'text') return linkOfTexts(planner, one, other)
  const numbers = [one, other].map(value => (value.type === 'id' ? numberOf(planner, value) : value))
  if (numbers.every(value => value?.type === 'number' && value.otherwise?.isPartial !== true))
    return equalNumbers(numbers)
  if (![one, other].every(({type}) => type === 'id' || type === 'key')) return undefined
  if (isInline(one) && isInline(other)) return inexact(inlineValue(one), inlineValue(other))
  const areIds = one.type === 'id' && other.type === 'id'
  return inexact(matchKey(planner, one, areIds), matchKey(planner, other, areIds))
}

/** A number as a key if its SQL number is null for floats and doubles. */
function withoutPart(planner: Planner, value: Value): Value {
  return value.type === 'number' && value.otherwise?.isPartial ? keyValue(toKey(planner, value)) : value
}

/** The side of a test over the left columns, and the one over the right columns. */
function sidesOf({arguments: sides}: Call, left: Sight, right: Sight): readonly [Expression, Expression] | undefined {
  const [one, other] = sides
  if (one === undefined || other === undefined) return undefined
  const isOf = (side: Expression, {columns}: Sight) => {
    const names = variablesIn(side)
    return names.length > 0 && names.every(name => columns.has(name))
  }
  if (isOf(one, left) && isOf(other, right)) return [one, other]
  return isOf(other, left) && isOf(one, right) ? [other, one] : undefined
}

type ColumnEquality = Extract<Scalar, {kind: 'operator'}>

/** Whether a condition is the equality of two columns, which PostgreSQL can hash. */
function isOfColumns(condition: Scalar): condition is ColumnEquality {
  if (condition.kind !== 'operator' || condition.operator !== '=') return false
  return condition.left.kind === 'column' && condition.right.kind === 'column'
}

/** A simple literal is equal to the same one only. */
function linkOfTexts(planner: Planner, one: Value, other: Value): JoinLink | undefined {
  if (![one, other].every(({type}) => type === 'text' || type === 'id' || type === 'key')) return undefined
  return {left: toSimple(planner, one), right: toSimple(planner, other), isExact: true}
}

function inexact(left: Scalar, right: Scalar): JoinLink {
  return {left, right, isExact: false}
}

/** Numbers of which one may be a float are compared as floats. */
function equalNumbers([one, other]: readonly (Value | undefined)[]): JoinLink | undefined {
  if (one === undefined || other === undefined) return undefined
  const areExact = one.otherwise === undefined && other.otherwise === undefined
  return areExact ? inexact(one.scalar, other.scalar) : inexact(asFloat(one.scalar), asFloat(other.scalar))
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

/**
 * A text that equal terms share: the text of a string, a double for a number or a time. A node is its id if both sides
 * are ids.
 */
function matchKey(planner: Planner, value: Value, areIds: boolean): Scalar {
  const {scalar, extent} = value
  if (isText(extent) && !isNodes(extent)) return toText(planner, value)
  const key = call('coalesce', ...knownTexts(planner, value), call('sparql_match_key', toKey(planner, value)))
  if (!areIds) return key
  const inline: readonly [Scalar, Scalar] = [operator('<', scalar, number(0)), call('text', inlineValue(value))]
  const node: readonly [Scalar, Scalar] = [isWithin(scalar, 1n, firstAfterNodes), call('text', scalar)]
  return {kind: 'case', branches: [inline, node], otherwise: key}
}

/** The texts of sparql_match_key for terms whose parts tell it, null for others. */
function knownTexts(planner: Planner, value: Value): readonly Scalar[] {
  const numbers = storedValues(value)
  const texts = areNumbers(value.extent) ? [] : [toText(planner, value)]
  if (numbers === undefined) return texts
  const {double, float, exact} = numbers
  return [...texts, ...[double, float, exact].map(one => call('text', call('sparql_match_number', one)))]
}
