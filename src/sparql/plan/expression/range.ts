/**
 * Turns comparisons with constants into ranges of ids, which an index on (predicate, object) can serve.
 *
 * The conditions are for FILTER, which treats errors like false.
 *
 *   ?x < 5           ids of integers and of decimals below 5, or dictionary literals for which sparql_ordered is true
 *   ?x = s           one id, if s is an IRI, a simple literal or a literal of an unknown datatype
 *   ?x < 2020-05-01  ids of dates up to one day after it; those within one day of it are tested, and so are dateTimes
 *                    within 14 hours of another one of which one has no time zone
 *   YEAR(?x) < 2020  ids of dates and dateTimes; dateTimes within 14 hours of the turn of the year are tested
 *
 * The ids of inline literals are in the order of their values (src/rdf/id-layout.ts). A float near the constant is
 * compared as a float, because it denotes its binary value. Source: SPARQL 1.1 §17.3.
 */

import {
  endOfKind,
  firstAfterOwnLiterals,
  firstOfClass,
  firstOfKind,
  firstOwnLiteral,
  type InlineKind,
  inlineId,
  inlineKinds,
  limitOfKind,
  literalClass,
  literalClasses,
} from '../../../rdf/id-layout.ts'
import {placeAmongFine} from '../../../rdf/inline.ts'
import type {Literal} from '../../../rdf/term.ts'
import {iriKey} from '../../../rdf/term-key.ts'
import {xsd} from '../../../rdf/vocabulary.ts'
import type {Constant} from '../block.ts'
import type {Extent} from '../extent.ts'
import {type InstantKind, localKinds, microsecondsPerUnit, zonedKinds} from '../instants.ts'
import {all, any, call, equal, number, operator, type Scalar, text} from '../relation.ts'
import {isOnlyForm, isSpan} from './compare-spans.ts'
import type {Compared, Comparison} from './comparisons.ts'
import {type ConstantTime, constantTime} from './constant-time.ts'

const {integer, decimal, date} = inlineKinds

const last = (kind: bigint): bigint => endOfKind(kind) - 1n

export type Test = {
  readonly generic: () => Scalar // the comparison by function, for terms that no range decides
  readonly ofExtent: (extent: Extent) => Scalar // the same for dictionary literals with these ids
  readonly hasOwn: boolean // whether the query has terms that are not stored
}

/**
 * The condition that a comparison with a constant is true.
 *
 * @param id          the term's id
 * @param constantId  the constant's id
 * @returns           undefined if the constant has no ranges
 */
export function rangeOf(
  id: Scalar,
  {comparison, constant, isYear}: Omit<Compared, 'name'>,
  constantId: Scalar,
  test: Test,
): Scalar | undefined {
  if (isYear) return yearRange(id, comparison, constant, test)
  if (constant.termType === 'NamedNode') return comparison === '=' ? equal(id, constantId) : undefined
  const time = constantTime(constant)
  if (time !== undefined)
    return any([...timeRanges(id, comparison, time, test.generic()), storedTimeTest(id, time, test)])
  const numeric = numberRange(id, comparison, constant, test.generic)
  if (numeric !== undefined) return any([...numeric, storedTest(id, literalClass(constant), test)])
  if (comparison !== '=' || constant.language !== '' || isCompared(constant)) return undefined
  return equal(id, constantId)
}

/** The test of dictionary literals of a class. The ids of literals that only the query has do not contain the class. */
function storedTest(id: Scalar, number: bigint, {generic, ofExtent, hasOwn}: Test): Scalar {
  const extent = {low: firstOfClass(number), high: firstOfClass(number + 1n) - 1n}
  const isOwn = between(id, firstOwnLiteral, firstAfterOwnLiterals - 1n)
  const isOfClass = between(id, extent.low, extent.high)
  return hasOwn ? all([any([isOwn, isOfClass]), generic()]) : all([isOfClass, ofExtent(extent)])
}

/** The test of dictionary literals with which a time can be compared: years and times of day are of the same class. */
function storedTimeTest(id: Scalar, {type}: ConstantTime, test: Test): Scalar {
  const {time} = literalClasses
  if (test.hasOwn) return storedTest(id, time, test)
  const types = type === 'date' ? [xsd.date] : [xsd.dateTime, xsd.dateTimeStamp]
  const datatype: Scalar = {kind: 'stored', id, part: 'datatype'}
  const isOfType = any(types.map(one => equal(datatype, text(iriKey(one)))))
  return storedTest(id, time, {...test, ofExtent: extent => all([isOfType, test.ofExtent(extent)])})
}

/** Whether another literal can have the same value as the constant. Unknown datatypes have no values. */
function isCompared(constant: Literal): boolean {
  const {number, time, boolean} = literalClasses
  if (isSpan(constant)) return !isOnlyForm(constant)
  return [number, time, boolean].some(one => one === literalClass(constant))
}

/**
 * Dates are compared by their first seconds. Two that are more than one day apart have the order of their days in any
 * time zones, and also if only one has a time zone. Two dateTimes of which only one has a time zone have an order if
 * they are more than 14 hours apart.
 */
function timeRanges(id: Scalar, comparison: Comparison, time: ConstantTime, test: Scalar): readonly Scalar[] {
  const within = (of: InlineKind, value: bigint, margin: bigint) => {
    const limit = limitOfKind(of)
    const inLimits = (one: bigint) => (one < -limit ? -limit : one >= limit ? limit - 1n : one)
    const near = [inlineId(of, inLimits(value - margin)), lastOfValue(of, inLimits(value + margin))] as const
    return rangeBeyond(id, comparison, {near, kind: of}, test)
  }
  const {type, value} = time
  if (type === 'date') return [within(date, value, 1n)]
  const [same, other] = type === 'zoned' ? [zonedKinds, localKinds] : [localKinds, zonedKinds]
  return [
    ...same.flatMap(kind => {
      const range = instantBounds(comparison, time, kind)
      return range === undefined ? [] : [between(id, ...range)]
    }),
    ...other.map(kind => {
      const unit = microsecondsPerUnit(kind)
      return within(kind, wholeUnits(value, unit), mostZone / unit)
    }),
  ]
}

/** The greatest number of whole units that is not above a value. */
function wholeUnits(value: bigint, unit: bigint): bigint {
  return (value - (((value % unit) + unit) % unit)) / unit
}

/** The bounds of a comparison with a constant that has a time zone if the kind has one; undefined if it is false. */
function instantBounds(comparison: Comparison, {value, isLater}: ConstantTime, kind: InstantKind): Bounds | undefined {
  const [unit, limit] = [microsecondsPerUnit(kind), limitOfKind(kind)]
  const units = wholeUnits(value, unit)
  if (units >= -limit && units < limit) {
    const isBetween = isLater || units * unit !== value
    return boundsAt(comparison, {value: units, isBetween}, kind)
  }
  if (comparison === '=') return undefined
  const areBelow = units >= limit
  return areBelow === (comparison === '<' || comparison === '<=') ? [firstOfKind(kind), last(kind)] : undefined
}

type Bounds = readonly [low: bigint, high: bigint]

/** The range of a comparison with ids of one kind, of which those that are near to the constant are tested. */
function rangeBeyond(
  id: Scalar,
  comparison: Comparison,
  {near, kind}: {readonly near: Bounds; readonly kind: InlineKind},
  test: Scalar,
): Scalar {
  switch (comparison) {
    case '=':
      return all([between(id, ...near), test])
    case '<':
    case '<=':
      return around(id, {most: bounds('<=', ...near, kind), sure: bounds('<', ...near, kind)}, test)
    case '>':
    case '>=':
      return around(id, {most: bounds('>=', ...near, kind), sure: bounds('>', ...near, kind)}, test)
  }
}

/** A condition that is false outside the bounds `most`, true within `sure`, and a test in between. */
function around(id: Scalar, {most, sure}: {readonly most: Bounds; readonly sure: Bounds}, test: Scalar): Scalar {
  return all([between(id, ...most), any([between(id, ...sure), test])])
}

const dayLength = 86_400_000_000n // in microseconds
const mostZone = 14n * 3_600_000_000n

/** The condition that the comparison of a term's YEAR with a constant is true. YEAR is that of the own time zone. */
function yearRange(id: Scalar, comparison: Comparison, constant: Constant, test: Test): Scalar | undefined {
  const year = yearOf(constant)
  if (year === undefined) return undefined
  const from = {'=': year, '>=': year, '>': year + 1, '<': undefined, '<=': undefined}[comparison]
  const end = {'=': year + 1, '<': year, '<=': year + 1, '>': undefined, '>=': undefined}[comparison]
  /** The ids from the beginning to the end of the years. @param margin  in microseconds, by which they are fewer */
  const within = (kind: InstantKind | typeof date, margin = 0n): Bounds => {
    const unit = kind === date ? dayLength : microsecondsPerUnit(kind)
    const idAt = (value: bigint) => {
      const units = value / unit
      const limit = limitOfKind(kind)
      return units < -limit ? firstOfKind(kind) : units < limit ? inlineId(kind, units) : last(kind) + 1n
    }
    return [
      from === undefined ? firstOfKind(kind) : idAt(startOfYear(from) + margin),
      end === undefined ? last(kind) : idAt(startOfYear(end) - margin) - 1n,
    ]
  }
  return any([
    ...zonedKinds.map(kind =>
      around(id, {most: within(kind, -mostZone), sure: within(kind, mostZone)}, test.generic()),
    ),
    ...[...localKinds, date].map(kind => between(id, ...within(kind))),
    ...[literalClasses.time, literalClasses.other].map(one => storedTest(id, one, test)),
  ])
}

/** A constant year that inline literals can have. */
function yearOf(constant: Constant): number | undefined {
  const isInteger = constant.termType === 'Literal' && constant.datatype.value === xsd.integer
  return isInteger && /^[1-3]\d{3}$/.test(constant.value) ? Number(constant.value) : undefined
}

/** The first instant of a year, in UTC, in microseconds since 1970. */
function startOfYear(year: number): bigint {
  return BigInt(Date.UTC(year, 0)) * 1000n
}

/** The lowest and the highest id of a kind for which the comparison with the ids from `low` to `high` is true. */
function bounds(comparison: Comparison, low: bigint, high: bigint, kind: bigint): Bounds {
  switch (comparison) {
    case '=':
      return [low, high]
    case '<':
      return [firstOfKind(kind), low - 1n]
    case '<=':
      return [firstOfKind(kind), high]
    case '>':
      return [high + 1n, last(kind)]
    case '>=':
      return [low, last(kind)]
  }
}

function between(id: Scalar, low: bigint, high: bigint): Scalar {
  return all([operator('>=', id, number(low)), operator('<=', id, number(high))])
}

const numericTypes: readonly string[] = [xsd.integer, xsd.decimal, xsd.double, xsd.int, xsd.long, xsd.short, xsd.byte]
const integerForm = /^([+-]?)(\d{1,20})$/
const decimalForm = /^([+-]?)(\d{1,20})(?:\.(\d{0,20}))?$/
const doubleForm = /^([+-]?)(\d{1,20})(?:\.(\d{0,20}))?(?:[eE]([+-]?\d{1,2}))?$/
const mostDigits = 15 // a double preserves them

/** Ranges of inline numbers; undefined unless the constant is a number of moderate size and at most 15 digits. */
export function numberRange(
  id: Scalar,
  comparison: Comparison,
  {value, datatype}: Literal,
  generic: () => Scalar,
): readonly Scalar[] | undefined {
  const isDouble = datatype.value === xsd.double
  const form = isDouble ? doubleForm : datatype.value === xsd.decimal ? decimalForm : integerForm
  const [, sign, whole, fraction = '', exponent] = (numericTypes.includes(datatype.value) && form.exec(value)) || []
  if (whole === undefined) return undefined
  const digits = significantDigits(whole + fraction)
  if (digits > mostDigits) return undefined
  const unsigned = BigInt(whole + fraction)
  const places = BigInt(Number(exponent ?? 0) - fraction.length + 6) // of the number of millionths
  const [factor, divisor] = [10n ** (places > 0n ? places : 0n), 10n ** (places < 0n ? -places : 0n)]
  const scaled = (sign === '-' ? -unsigned : unsigned) * factor
  const millionths = wholeUnits(scaled, divisor)
  const isBetween = millionths * divisor !== scaled
  const size = millionths < 0n ? -millionths : millionths
  if (size >= limitOfKind(decimal) / 2n) return undefined
  const ranges = [
    rangeAt(
      id,
      comparison,
      {value: wholeUnits(millionths, 1_000_000n), isBetween: isBetween || millionths % 1_000_000n !== 0n},
      integer,
    ),
    rangeAt(id, comparison, placeAmongFine(Number(value)), inlineKinds.fine),
  ].filter(range => range !== undefined)
  const decimals = rangeAt(id, comparison, {value: millionths, isBetween}, decimal)
  if (digits <= 6 && !isDouble) return [...ranges, ...(decimals === undefined ? [] : [decimals])]
  // Floats preserve at least six digits. Beyond a relative distance of 1/100,000 from the constant they therefore
  // compare like the decimals that they are written as.
  const wide = widenedBounds(comparison, millionths, size / 100_000n + 1n)
  const test: Scalar = {
    kind: 'case',
    branches: [[call('sparql_is_float', id), generic()]],
    otherwise: decimals ?? {kind: 'boolean', value: false},
  }
  return [...ranges, all([between(id, ...wide), test])]
}

/** The number of digits without zeros at the beginning and the end. */
export function significantDigits(digits: string): number {
  return digits.replace(/^0+|0+$/g, '').length
}

function rangeAt(id: Scalar, comparison: Comparison, place: Place, kind: InlineKind): Scalar | undefined {
  const bounds = boundsAt(comparison, place, kind)
  return bounds && between(id, ...bounds)
}

/** The greatest id of a value; `inlineId` gives the least. */
function lastOfValue(kind: InlineKind, value: bigint): bigint {
  return inlineId(kind, value + 1n) - 1n
}

type Place = {
  readonly value: bigint // of the kind: equal to the constant, or just below it
  readonly isBetween: boolean // the constant is between this value and the next one
}

/** The bounds of a comparison with a constant that may be between two values; undefined if it is always false. */
function boundsAt(comparison: Comparison, {value, isBetween}: Place, kind: InlineKind): Bounds | undefined {
  const [low, high] = [inlineId(kind, value), lastOfValue(kind, value)]
  if (!isBetween) return bounds(comparison, low, high, kind)
  if (comparison === '=') return undefined
  return comparison === '<' || comparison === '<=' ? [firstOfKind(kind), high] : [high + 1n, last(kind)]
}

/** @param margin  millionths by which the constant is widened on both sides */
function widenedBounds(comparison: Comparison, millionths: bigint, margin: bigint): Bounds {
  const [low, high] = [inlineId(decimal, millionths - margin), lastOfValue(decimal, millionths + margin)]
  if (comparison === '=') return [low, high]
  return comparison === '<' || comparison === '<=' ? [firstOfKind(decimal), high] : [low, last(decimal)]
}
