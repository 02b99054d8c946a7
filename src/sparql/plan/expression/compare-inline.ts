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
  kindSize,
  literalClasses,
  zoneBitsOfDate,
} from '../../../rdf/id-layout.ts'
import {packLiteral} from '../../../rdf/inline.ts'
import {inlineKind, isBoolean, isOfClass, isOfKind, isWithin, mayBeInline, withinExtent} from '../extent.ts'
import {all, any, call, equal, number, type Operator, operator, type Scalar, text} from '../relation.ts'
import {booleanValue, type Value} from './value.ts'

const {integer: integers, decimal: decimals, dateTime: zoned, localDateTime: unzoned, date: days} = inlineKinds
const kindBits = kindSize.toString(2).length - 1
const mostZoneMs = 14 * 60 * 60 * 1000

type Sides = readonly [Value, Value]
type Branch = readonly [test: Scalar, value: Scalar]
type Kinds = readonly [first: InlineKind, last: InlineKind]

const [onlyIntegers, instants, onlyDays]: readonly [Kinds, Kinds, Kinds] = [
  [integers, integers],
  [zoned, unzoned],
  [days, days],
]

/**
 * Compares two terms of which the inline ones are times, or a term with a constant boolean, dateTime or date.
 *
 * @returns  undefined for others
 */
export function compareInline(comparison: Operator, sides: Sides, generic: () => Scalar): Value | undefined {
  const haveTimes = sides.every(({extent}) => extent !== undefined && extent.low >= firstOfKind(zoned))
  const ofKinds = haveTimes ? compareKinds(comparison, sides, generic) : undefined
  return ofKinds ?? compareWithConstant(comparison, sides, generic)
}

/**
 * Compares two terms. Inline integers and times are compared by their ids if both are of the same kind. DateTimes of
 * the dictionary are compared by their seconds. A date and a dateTime are not equal, and in no order. All others are
 * compared by `generic`.
 *
 * @returns  undefined unless both terms may be inline, or dateTimes. If nothing is known of them, a test of all kinds
 *           would be long
 */
export function compareKinds(comparison: Operator, sides: Sides, generic: () => Scalar): Value | undefined {
  const [{scalar: left, extent: leftExtent}, {scalar: right, extent: rightExtent}] = sides
  const mayBe = (value: Value) =>
    value.type === 'id' && value.constant === undefined && (mayBeInline(value.extent) || mayBeStoredTime(value))
  if (!sides.every(mayBe) || leftExtent === undefined || rightExtent === undefined) return undefined
  const are = (one: Kinds, other: Kinds): Scalar => all([isOfKinds(left, one), isOfKinds(right, other)])
  const compared = (part: (id: Scalar) => Scalar): Scalar => operator(comparison, part(left), part(right))
  const possible: readonly Branch[] = [
    [are(onlyIntegers, onlyIntegers), compared(inlineValueOf(integers))],
    [all([are(instants, instants), ...areOfOneKind(sides)]), compared(inlineValueOf(zoned))],
    [all([are(instants, instants), areFarApart(left, right)]), compared(msOf)],
    [all([are(onlyDays, onlyDays), equal(zoneOf(left), zoneOf(right))]), compared(inlineValueOf(days))],
    [any([are(onlyDays, instants), are(instants, onlyDays)]), comparison === '=' ? equal(left, right) : inNoOrder],
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
  const tests = sides.map(({scalar: id}) => any([isOfKinds(id, instants), isOfClass(id, literalClasses.time)]))
  const parts = sides.flatMap(({scalar: id}): Scalar[] => [
    id,
    {kind: 'stored', id, part: 'text'},
    {kind: 'stored', id, part: 'localName'},
  ])
  return [all(tests), operator(comparison, call('sparql_time_order', ...parts), call('int4', number(0)))]
}

const inNoOrder: Scalar = {kind: 'null', type: 'boolean'}

function isOfKinds(id: Scalar, [first, last]: Kinds): Scalar {
  return isWithin(id, firstOfKind(first), firstOfKind(last + 1n))
}

/** The condition that two inline literals are of the same kind; none if they are. */
function areOfOneKind([left, right]: Sides): readonly Scalar[] {
  const kind = inlineKind(left.extent)
  if (kind !== undefined && kind === inlineKind(right.extent)) return []
  const kindOf = ({scalar}: Value): Scalar => operator('>>', scalar, number(kindBits))
  return [equal(kindOf(left), kindOf(right))]
}

/**
 * The condition that two dateTimes differ by more than 14 hours. If one has a time zone and the other has none, they
 * are in order only then.
 */
function areFarApart(left: Scalar, right: Scalar): Scalar {
  return operator('>', call('abs', operator('-', msOf(left), msOf(right))), number(mostZoneMs))
}

/** The milliseconds of a dateTime, as if it were in UTC if it has no time zone. */
function msOf(id: Scalar): Scalar {
  return operator('>>', call('int8and', id, number(kindSize - 1n)), number(formBitsOfKind(zoned)))
}

/** The part of an id that has the value of a literal of a kind, without its datatype, time zone and lexical form. */
function inlineValueOf(kind: InlineKind): (id: Scalar) => Scalar {
  return id => operator('>>', id, number(formBitsOfKind(kind)))
}

function zoneOf(dateId: Scalar): Scalar {
  return call('int8and', dateId, number(zoneBitsOfDate))
}

/**
 * Compares a term with a constant boolean, dateTime or date. Inline literals of the same kind are compared by their ids
 * (dates only in the same time zone), dateTimes of the dictionary by their seconds, and all others by their keys.
 */
function compareWithConstant(comparison: Operator, [left, right]: Sides, generic: () => Scalar): Value | undefined {
  const [known, other] = left.constant === undefined ? [right.constant, left] : [left.constant, right]
  if (known?.termType !== 'Literal' || other.type !== 'id' || other.constant !== undefined) return undefined
  const packed = packLiteral(known)
  if (packed === undefined) return undefined
  const {kind, value: packedValue} = inlineParts(packed)
  if (kind === integers || kind === decimals) return undefined
  const bits = formBitsOfKind(kind)
  const id = other.scalar
  const part = (value: Scalar): Scalar => (bits === 0 ? value : operator('>>', value, number(bits)))
  const isComparable = [isOfKind(id, kind), ...(kind === days ? [equal(zoneOf(id), zoneOf(number(packed)))] : [])]
  const [first, second] = other === left ? [id, number(packed)] : [number(packed), id]
  const test = operator(comparison, part(first), part(second))
  if (kind === days) return booleanValue({kind: 'case', branches: [[all(isComparable), test]], otherwise: generic()})
  const stored = storedInstant(id, kind === zoned)
  const branches: [Scalar, Scalar][] = [[all(isComparable), test]]
  if (kind !== inlineKinds.boolean) {
    const at = call('sparql_numeric', text(`${packedValue}e-3`)) // milliseconds to seconds
    const inOrder = other === left ? operator(comparison, stored, at) : operator(comparison, at, stored)
    branches.push([isOfClass(id, literalClasses.time), inOrder])
  }
  return booleanValue(call('coalesce', {kind: 'case', branches}, generic()))
}

/** Seconds of a dateTime in the dictionary that has a time zone if and only if `isZoned`; null for others. */
function storedInstant(id: Scalar, isZoned: boolean): Scalar {
  const part = (name: 'text' | 'localName'): Scalar => ({kind: 'stored', id, part: name})
  return call('sparql_instant', part('text'), part('localName'), {kind: 'boolean', value: isZoned})
}
