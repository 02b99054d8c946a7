/**
 * Compares inline literals by their ids, which are in the order of their values within a kind (rdf/id-layout.ts).
 *
 * Sources: SPARQL 1.1 §17.3; XML Schema 1.1 part 2 §D.2.1 (times of which one has no time zone).
 */
import {
  firstOfKind,
  formBitsOfKind,
  type InlineKind,
  inlineKinds,
  inlineParts,
  literalClasses,
  zoneBitsOfDate,
} from '../../../rdf/id-layout.ts'
import {packLiteral} from '../../../rdf/inline.ts'
import {inlineKind, isOfClass, isOfKind, mayBeInline} from '../extent.ts'
import {instantOrder, isInstant, isLocal, isZoned, microsecondsOf} from '../instants.ts'
import {all, any, call, equal, number, type Operator, operator, type Scalar, text} from '../relation.ts'
import {isBoolean, withinExtent} from '../within-extent.ts'
import {constantTime} from './constant-time.ts'
import {booleanValue, type Value} from './value.ts'

const {integer: integers, dateTime: firstInstants, date: days} = inlineKinds
const mostZone = 14 * 60 * 60 * 1_000_000 // in microseconds

type Sides = readonly [Value, Value]
type Branch = readonly [test: Scalar, value: Scalar]

const isInteger = (id: Scalar) => isOfKind(id, integers)
const isDay = (id: Scalar) => isOfKind(id, days)

/**
 * Compares two terms of which the inline ones are times, or a term with a constant boolean, dateTime or date.
 *
 * @returns  undefined for others
 */
export function compareInline(comparison: Operator, sides: Sides, generic: () => Scalar): Value | undefined {
  const haveTimes = sides.every(({extent}) => extent !== undefined && extent.low >= firstOfKind(firstInstants))
  const ofKinds = haveTimes ? compareKinds(comparison, sides, generic) : undefined
  return ofKinds ?? compareWithConstant(comparison, sides, generic)
}

/**
 * Compares two terms. Inline integers and times are compared by their ids. DateTimes of the dictionary are compared by
 * their seconds. A date and a dateTime are not equal, and in no order. All others are compared by `generic`.
 *
 * @returns  undefined unless both terms may be inline, or dateTimes. If nothing is known of them, a test of all kinds
 *           would be long
 */
export function compareKinds(comparison: Operator, sides: Sides, generic: () => Scalar): Value | undefined {
  const [{scalar: left, extent: leftExtent}, {scalar: right, extent: rightExtent}] = sides
  const mayBe = (value: Value) =>
    value.type === 'id' && value.constant === undefined && (mayBeInline(value.extent) || mayBeStoredTime(value))
  if (!sides.every(mayBe) || leftExtent === undefined || rightExtent === undefined) return undefined
  type Kind = (id: Scalar) => Scalar
  const are = (one: Kind, other: Kind): Scalar => all([one(left), other(right)])
  const areBoth = (kind: Kind): Scalar => are(kind, kind)
  const compared = (part: Kind): Scalar => operator(comparison, part(left), part(right))
  const common = inlineKind(leftExtent) === inlineKind(rightExtent) ? leftExtent : undefined
  const possible: readonly Branch[] = [
    [areBoth(isInteger), compared(inlineValueOf(integers))],
    [any([areBoth(isZoned), areBoth(isLocal)]), compared(id => instantOrder(id, common))],
    [all([areBoth(isInstant), areFarApart(left, right)]), compared(microsecondsOf)],
    [all([areBoth(isDay), equal(zoneOf(left), zoneOf(right))]), compared(inlineValueOf(days))],
    [any([are(isDay, isInstant), are(isInstant, isDay)]), comparison === '=' ? equal(left, right) : inNoOrder],
  ]
  const branches: Branch[] = []
  for (const [condition, value] of possible) {
    const test = withinExtent(withinExtent(condition, left, leftExtent), right, rightExtent)
    if (isBoolean(test, true))
      return booleanValue(branches.length === 0 ? value : {kind: 'case', branches, otherwise: value})
    if (!isBoolean(test, false)) branches.push([test, value])
  }
  const hasStored = sides.some(mayBeStoredTime)
  if (branches.length === 0 && !hasStored) return undefined
  const otherwise = hasStored
    ? call('coalesce', {kind: 'case', branches: [compareTimes(comparison, sides)]}, generic())
    : generic()
  return booleanValue(branches.length === 0 ? otherwise : {kind: 'case', branches, otherwise})
}

/** Whether a value may be a dateTime of the dictionary, as far as its extent tells. */
function mayBeStoredTime({scalar: id, extent}: Value): boolean {
  const isStored = extent && withinExtent(isOfClass(id, literalClasses.time), id, extent)
  return isStored !== undefined && !isBoolean(isStored, false)
}

/** Compares two dateTimes of which each is inline or in the dictionary. */
function compareTimes(comparison: Operator, sides: Sides): Branch {
  const tests = sides.map(({scalar: id}) => any([isInstant(id), isOfClass(id, literalClasses.time)]))
  const parts = sides.flatMap(({scalar: id}): Scalar[] => [
    id,
    {kind: 'stored', id, part: 'text'},
    {kind: 'stored', id, part: 'localName'},
  ])
  return [all(tests), operator(comparison, call('sparql_time_order', ...parts), call('int4', number(0)))]
}

const inNoOrder: Scalar = {kind: 'null', type: 'boolean'}

/**
 * The condition that two dateTimes differ by more than 14 hours. If one has a time zone and the other has none, they
 * are in order only then.
 */
function areFarApart(left: Scalar, right: Scalar): Scalar {
  return operator('>', call('abs', operator('-', microsecondsOf(left), microsecondsOf(right))), number(mostZone))
}

/** The part of an id that has the value of a literal of a kind, without its datatype, time zone and lexical form. */
function inlineValueOf(kind: InlineKind): (id: Scalar) => Scalar {
  return id => operator('>>', id, number(formBitsOfKind(kind)))
}

function zoneOf(dateId: Scalar): Scalar {
  return call('int8and', dateId, number(zoneBitsOfDate))
}

/**
 * Compares a term with a constant boolean, dateTime or date. Inline literals are compared by their ids (dates only in
 * the same time zone), dateTimes of the dictionary by their seconds, and all others by their keys.
 */
function compareWithConstant(comparison: Operator, [left, right]: Sides, generic: () => Scalar): Value | undefined {
  const [known, other] = left.constant === undefined ? [right.constant, left] : [left.constant, right]
  if (known?.termType !== 'Literal' || other.type !== 'id' || other.constant !== undefined) return undefined
  const packed = packLiteral(known)
  if (packed === undefined) return undefined
  const {kind} = inlineParts(packed)
  const id = other.scalar
  const inOrder = (value: Scalar, constant: Scalar): Scalar =>
    other === left ? operator(comparison, value, constant) : operator(comparison, constant, value)
  const branches: Branch[] = []
  if (kind === inlineKinds.boolean) branches.push([isOfKind(id, kind), inOrder(id, number(packed))])
  if (kind === days) {
    const isComparable = all([isDay(id), equal(zoneOf(id), zoneOf(number(packed)))])
    const test = inOrder(inlineValueOf(kind)(id), inlineValueOf(kind)(number(packed)))
    branches.push([isComparable, test])
  }
  const time = constantTime(known)
  if (time !== undefined && time.type !== 'date') {
    const isComparable = time.type === 'zoned' ? isZoned(id) : isLocal(id)
    branches.push([isComparable, inOrder(microsecondsOf(id), number(time.value))])
    const at = call('sparql_numeric', text(`${time.value}e-6`)) // microseconds to seconds
    branches.push([isOfClass(id, literalClasses.time), inOrder(storedInstant(id, time.type === 'zoned'), at)])
  }
  return branches.length === 0 ? undefined : booleanValue(call('coalesce', {kind: 'case', branches}, generic()))
}

/** Seconds of a dateTime in the dictionary that has a time zone if and only if `hasZone`; null for others. */
function storedInstant(id: Scalar, hasZone: boolean): Scalar {
  const part = (name: 'text' | 'localName'): Scalar => ({kind: 'stored', id, part: name})
  return call('sparql_instant', part('text'), part('localName'), {kind: 'boolean', value: hasZone})
}
