/**
 * Arithmetic of times and durations, which SPARQL leaves to extensions; undefined is the error.
 *
 * Sources: XPath functions 3.1 §8.4 and §9.7; XML Schema 1.1 part 2 §E.2 (canonical forms), §E.3.3 (addition).
 */
import {type Literal, literal} from '../../src/rdf/term.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'
import {exactOfNumber} from './casts.ts'
import {calculate, divideRounded, type Exact, type Operator, readNumeric, writeNumeric} from './numbers.ts'
import {
  daysIn,
  daysSince1970,
  readDuration,
  readSpan,
  readTime,
  secondsText,
  type Time,
  type TypedDuration,
  writeDuration,
} from './times.ts'

const second = 10n ** 12n
const day = 86_400n * second

export function calculateTimes(operator: Operator, left: Literal, right: Literal): Literal | undefined {
  const [one, other] = [durationOf(left), durationOf(right)]
  if (one === undefined && other === undefined) return operator === '-' ? between(left, right) : undefined
  switch (operator) {
    case '+':
      if (one !== undefined && other !== undefined) return added(one, other)
      return one === undefined ? later(left, other) : later(right, one)
    case '-':
      if (other === undefined) return undefined
      return one === undefined ? later(left, negated(other)) : added(one, negated(other))
    case '*':
      return one === undefined ? multiplied(other, left) : multiplied(one, right)
    case '/':
      return one && (other === undefined ? divided(one, factorOf(right)) : quotient(one, other))
  }
}

function durationOf(term: Literal): TypedDuration | undefined {
  const read = readDuration(term)
  return read && {...read, datatype: term.datatype.value}
}

function negated({months, size, datatype}: TypedDuration): TypedDuration {
  return {months: -months, size: -size, datatype}
}

function added(one: TypedDuration, other: TypedDuration): Literal | undefined {
  const datatype = one.datatype === other.datatype ? one.datatype : xsd.duration
  return writeDuration({months: one.months + other.months, size: one.size + other.size, datatype})
}

/** A finite number. */
function factorOf(term: Literal): Exact | undefined {
  const number = readNumeric(term)
  if (number === undefined || 'units' in number) return number
  return Number.isFinite(number.number) ? exactOfNumber(number.number) : undefined
}

function multiplied(duration: TypedDuration | undefined, factor: Literal): Literal | undefined {
  const number = factorOf(factor)
  return number && scaled(duration, number.units, 10n ** BigInt(number.scale))
}

function divided(duration: TypedDuration, number: Exact | undefined): Literal | undefined {
  if (number === undefined || number.units === 0n) return undefined
  return scaled(duration, 10n ** BigInt(number.scale), number.units)
}

/** Months are rounded half up, seconds to picoseconds, half away from zero. */
function scaled(duration: TypedDuration | undefined, by: bigint, divisor: bigint): Literal | undefined {
  if (duration === undefined || duration.datatype === xsd.duration) return undefined
  const {months, size, datatype} = duration
  return writeDuration({months: halfUp(months * by, divisor), size: divideRounded(size * by, divisor), datatype})
}

function halfUp(value: bigint, divisor: bigint): bigint {
  const [a, b] = divisor < 0n ? [-value * 2n - divisor, -divisor * 2n] : [value * 2n + divisor, divisor * 2n]
  return (a - (((a % b) + b) % b)) / b
}

function quotient(one: TypedDuration, other: TypedDuration): Literal | undefined {
  if (one.datatype !== other.datatype || one.datatype === xsd.duration) return undefined
  const sizeOf = ({months, size, datatype}: TypedDuration): Exact =>
    datatype === xsd.yearMonthDuration
      ? {kind: 'decimal', units: months, scale: 0}
      : {kind: 'decimal', units: size, scale: 12}
  const result = calculate('/', sizeOf(one), sizeOf(other))
  return result && writeNumeric(result)
}

type Moment = {readonly kind: string; readonly instant: bigint; readonly zone: string | undefined}

function momentOf(term: Literal): Moment | undefined {
  if (term.datatype.value !== xsd.time) return readTime(term)
  const span = readSpan(term)
  return span && {kind: 'time', instant: span.size, zone: span.zone}
}

function between(left: Literal, right: Literal): Literal | undefined {
  const [one, other] = [momentOf(left), momentOf(right)]
  if (one === undefined || one.kind !== other?.kind) return undefined
  if ((one.zone === undefined) !== (other.zone === undefined)) return undefined
  return writeDuration({months: 0n, size: one.instant - other.instant, datatype: xsd.dayTimeDuration})
}

function later(term: Literal, duration: TypedDuration | undefined): Literal | undefined {
  if (duration === undefined) return undefined
  if (term.datatype.value === xsd.time) return laterOnClock(term, duration)
  const time = readTime(term)
  const local = time && laterDay(time, duration.months)
  if (time === undefined || local === undefined) return undefined
  const whole = local + duration.size
  const days = (whole - (((whole % day) + day) % day)) / day
  const clock = whole - days * day
  if (days < -719_162n || days > 2_932_896n) return undefined
  const date = new Date(Number(days) * 86_400_000).toISOString().slice(0, 10)
  const zone = time.zone ?? ''
  return time.kind === 'date'
    ? literal(`${date}${zone}`, xsd.date)
    : literal(`${date}T${clockText(clock)}${zone}`, xsd.dateTime)
}

/** Local picoseconds since 1970 after months; undefined for years before 1 and after 9999. */
function laterDay({fields, kind}: Time, months: bigint): bigint | undefined {
  const month = fields.year * 12n + fields.month - 1n + months
  if (fields.year < 1n || fields.year > 9999n || month < 12n || month > 119_999n) return undefined
  const [year, inYear] = [month / 12n, (month % 12n) + 1n]
  const most = daysIn(year, inYear)
  const days = daysSince1970({...fields, year, month: inYear, day: fields.day < most ? fields.day : most})
  const clock =
    kind === 'date' ? 0n : (fields.hours * 3600n + fields.minutes * 60n) * second + picoseconds(fields.seconds)
  return days * day + clock
}

function laterOnClock(term: Literal, {months, size}: TypedDuration): Literal | undefined {
  const span = readSpan(term)
  if (span === undefined || months !== 0n) return undefined
  const zone = span.zone ?? ''
  const local = readSpan(literal(zone === '' ? term.value : term.value.slice(0, -zone.length), xsd.time))
  if (local === undefined) return undefined
  const clock = (((local.size + size) % day) + day) % day
  return literal(`${clockText(clock)}${zone}`, xsd.time)
}

function picoseconds(seconds: string): bigint {
  const [whole = '0', fraction = ''] = seconds.split('.')
  return BigInt(whole) * second + BigInt(fraction.slice(0, 12).padEnd(12, '0'))
}

function clockText(clock: bigint): string {
  const two = (part: bigint) => String(part).padStart(2, '0')
  const seconds = secondsText(clock % (60n * second))
  const [hours, minutes] = [two(clock / (3600n * second)), two((clock / (60n * second)) % 60n)]
  return `${hours}:${minutes}:${/^\d(?:\.|$)/.test(seconds) ? '0' : ''}${seconds}`
}
