/**
 * Plans arithmetic of times and durations, and comparisons of its results.
 *
 * SPARQL 1.1 leaves these operators to extensions (§17.3.1); other stores have them. The difference of two times is a
 * number of seconds in SQL until its term is needed, so it is compared, sorted and divided as a number. All other
 * results are keys, which sparql_arithmetic makes; those of inline times and xsd:dayTimeDuration have their moment
 * beside, so they are compared without the key.
 *
 * Sources: XPath functions 3.1 §8.4 and §9.7; XML Schema 1.1 part 2 §E.3.3.
 */
import {readDuration} from '../../../rdf/duration.ts'
import {inlineKinds, zoneBitsOfDate} from '../../../rdf/id-layout.ts'
import {packLiteral} from '../../../rdf/inline.ts'
import type {Literal} from '../../../rdf/term.ts'
import {xsd} from '../../../rdf/vocabulary.ts'
import type {Planner} from '../block.ts'
import {inlineKind} from '../extent.ts'
import {areInstants, isLocal, isZoned, microsecondsOf} from '../instants.ts'
import {all, any, call, equal, number, type Operator, operator, type Scalar, text} from '../relation.ts'
import {isBoolean, withinExtent} from '../within-extent.ts'
import {constantTime} from './constant-time.ts'
import type {Arithmetic} from './integer.ts'
import {booleanValue, keyValue, type Moment, toGenericKey, toKey, type Value} from './value.ts'

const {date: days} = inlineKinds
const secondsOfDay = 86_400n
/** Seconds since 1970: more than a day after the beginning of the year 1, and before the end of the year 9999. */
const [earliest, latest] = [-62_135_500_000n, 253_402_100_000n]

type Sides = readonly [Value, Value]

/**
 * Plans an operator of which an operand is a time or a duration, or an error.
 *
 * @param areTimes  whether both are times, or errors
 */
export function calculateTimes(planner: Planner, name: Arithmetic, sides: Sides, areTimes: boolean): Value {
  const [left, right] = sides
  if (name === '-' && areTimes) return {scalar: secondsBetween(planner, left, right), type: 'duration'}
  const [one, other] = [secondsOf(left), secondsOf(right)]
  if (one !== undefined && other !== undefined && name !== '*') {
    if (name === '/') return {scalar: call('sparql_quotient', one, other), type: 'number'}
    return {scalar: operator(name, one, other), type: 'duration'}
  }
  const made = keyValue(call('sparql_arithmetic', text(name), ...sides.map(side => toGenericKey(planner, side))))
  const moment = name === '+' ? (movedBy(left, '+', right) ?? movedBy(right, '+', left)) : movedBy(left, name, right)
  return moment === undefined ? made : {...made, moment}
}

/** The seconds of a computed duration, or of a constant of these types; undefined for other values. */
function secondsOf({type, scalar, constant}: Value, types: readonly string[] = [xsd.dayTimeDuration]) {
  if (type === 'duration') return scalar
  const seconds = durationSeconds(constant, types)
  return seconds === undefined ? undefined : call('sparql_numeric', text(seconds))
}

const withDays: readonly string[] = [xsd.dayTimeDuration, xsd.duration]

/** The seconds of a constant duration without years and months, as a decimal; undefined for others. */
function durationSeconds(constant: Value['constant'], types: readonly string[]): string | undefined {
  if (constant?.termType !== 'Literal' || !types.includes(constant.datatype.value)) return undefined
  const duration = readDuration(constant)
  return duration?.months === 0n ? duration.seconds : undefined
}

/** The seconds between two times, of which an error is null. Inline ones are subtracted by their ids. */
function secondsBetween(planner: Planner, left: Value, right: Value): Scalar {
  const between = () => call('sparql_between', toKey(planner, left), toKey(planner, right))
  const [one, other] = [momentOf(left), momentOf(right)]
  const zones = comparable(one, other)
  if (one === undefined || other === undefined || zones === undefined) return between()
  const areComparable = isMoved([left, right]) ? all([zones, isUsual(one), isUsual(other)]) : zones
  const apart = call('sparql_numeric', operator('-', one.scalar, other.scalar))
  const seconds = one.perSecond === 1n ? apart : operator('*', apart, call('sparql_numeric', text('0.000001')))
  if (isBoolean(areComparable, true)) return seconds
  const branches = [[areComparable, seconds]] as const
  // Two inline dateTimes of which one has no time zone are an error.
  return one.zone.kind === 'dateTime' && !isMoved([left, right])
    ? {kind: 'case', branches}
    : {kind: 'case', branches, otherwise: between()}
}

/** Whether two moments can be compared and subtracted by their numbers; undefined if they never can. */
function comparable(left: Moment | undefined, right: Moment | undefined): Scalar | undefined {
  const [one, other] = [left?.zone, right?.zone]
  if (one?.kind === 'date') return other?.kind === 'date' ? equal(one.code, other.code) : undefined
  if (one === undefined || other?.kind !== 'dateTime') return undefined
  return any([all([one.isZoned, other.isZoned]), all([one.isLocal, other.isLocal])])
}

/** Whether a time is computed, so that it may be outside the years 1 to 9999, which is an error. */
function isMoved(values: readonly Value[]): boolean {
  return values.some(({moment}) => moment !== undefined)
}

/** The moment of an inline, a constant or a computed time; undefined for other values. */
function momentOf(value: Value): Moment | undefined {
  const {type, scalar: id, constant, extent} = value
  if (constant !== undefined) return constant.termType === 'Literal' ? constantMoment(constant) : undefined
  if (type !== 'id') return value.moment
  if (inlineKind(extent) === days) return dateMoment(id)
  if (!areInstants(extent)) return undefined
  const within = (test: Scalar) => withinExtent(test, id, extent)
  const zone = {kind: 'dateTime', isZoned: within(isZoned(id)), isLocal: within(isLocal(id))} as const
  return {scalar: microsecondsOf(id), perSecond: 1_000_000n, zone}
}

function dateMoment(id: Scalar): Moment {
  const code = call('int8and', id, number(zoneBitsOfDate))
  return {scalar: call('sparql_day_start', id), perSecond: 1n, zone: {kind: 'date', code}}
}

function constantMoment(constant: Literal): Moment | undefined {
  const [packed, time] = [packLiteral(constant), constantTime(constant)]
  if (packed === undefined || time === undefined) return undefined
  if (time.type === 'date') return dateMoment(number(packed))
  const known = (value: boolean): Scalar => ({kind: 'boolean', value})
  const isZoned = time.type === 'zoned'
  const zone = {kind: 'dateTime', isZoned: known(isZoned), isLocal: known(!isZoned)} as const
  return {scalar: number(time.value), perSecond: 1_000_000n, zone}
}

/** The moment of a time, moved by an xsd:dayTimeDuration; undefined if it is not known without the terms. */
function movedBy(time: Value, sign: Arithmetic, duration: Value): Moment | undefined {
  const from = momentOf(time)
  const by = from && unitsOf(duration, from)
  if (from === undefined || by === undefined || (sign !== '+' && sign !== '-')) return undefined
  return {...from, scalar: operator(sign, call('sparql_numeric', from.scalar), by)}
}

/** A duration in the units of a moment. A date is moved by whole days only. */
function unitsOf(duration: Value, {perSecond, zone}: Moment): Scalar | undefined {
  if (zone.kind === 'date') {
    const seconds = durationSeconds(duration.constant, withDays)
    const areDays = seconds !== undefined && !seconds.includes('.') && BigInt(seconds) % secondsOfDay === 0n
    return areDays ? call('sparql_numeric', text(seconds)) : undefined
  }
  const seconds = secondsOf(duration)
  return seconds && operator('*', seconds, call('sparql_numeric', number(perSecond)))
}

/**
 * Compares a difference of times with another one, or with a constant duration, and a computed time with another time;
 * undefined for other values. @param generic  the comparison by keys
 */
export function compareTimes(comparison: Operator, [left, right]: Sides, generic: () => Scalar): Value | undefined {
  if (left.type === 'duration' || right.type === 'duration') {
    const [one, other] = [secondsOf(left, withDays), secondsOf(right, withDays)]
    return one && other && booleanValue(operator(comparison, one, other))
  }
  if (!isMoved([left, right])) return undefined
  const [one, other] = [momentOf(left), momentOf(right)]
  const areComparable = comparable(one, other)
  if (one === undefined || other === undefined || areComparable === undefined) return undefined
  const tests = [areComparable, ...[one, other].map(isUsual)]
  const branches = [[all(tests), operator(comparison, one.scalar, other.scalar)]] as const
  return booleanValue({kind: 'case', branches, otherwise: generic()})
}

/** Whether a moment is surely within the years 1 to 9999. Others are errors where they are computed. */
function isUsual({scalar, perSecond}: Moment): Scalar {
  return all([operator('>=', scalar, number(earliest * perSecond)), operator('<=', scalar, number(latest * perSecond))])
}
