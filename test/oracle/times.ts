/** Dates and times with their timezones, exact to the last digit. Source: XML Schema 1.1 part 2 §3.3.7–9. */
import {type Literal, literal} from '../../src/rdf/term.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'

export type Time = {
  readonly kind: 'dateTime' | 'date'
  readonly fields: {
    readonly year: bigint
    readonly month: bigint
    readonly day: bigint
    readonly hours: bigint
    readonly minutes: bigint
    readonly seconds: string // with fraction, as written
  }
  readonly zone: string | undefined // Z, +hh:mm, -hh:mm
  readonly instant: bigint // picoseconds since 1970; without a zone as if in UTC
}

const second = 10n ** 12n
const fourteenHours = 14n * 3600n * second
const day = String.raw`(-?(?:[1-9]\d{3,}|0\d{3}))-(\d\d)-(\d\d)`
const clock = String.raw`(?:T(\d\d):(\d\d):(\d\d(?:\.\d+)?))?`
const zone = String.raw`(Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))?`
const form = new RegExp(`^${day}${clock}${zone}$`)

/** Undefined for other datatypes and for invalid dates. */
export function readTime({value, datatype}: Literal): Time | undefined {
  const isDate = datatype.value === xsd.date
  if (!isDate && datatype.value !== xsd.dateTime && datatype.value !== xsd.dateTimeStamp) return undefined
  const [, year, month, day, hours, minutes, seconds, zone] = form.exec(value) ?? []
  if (year === undefined || month === undefined || day === undefined) return undefined
  if ((hours === undefined) !== isDate || (datatype.value === xsd.dateTimeStamp && zone === undefined)) return undefined
  const fields = {
    year: BigInt(year),
    month: BigInt(month),
    day: BigInt(day),
    hours: BigInt(hours ?? 0),
    minutes: BigInt(minutes ?? 0),
    seconds: seconds ?? '00',
  }
  if (!isReal(fields)) return undefined
  return {kind: isDate ? 'date' : 'dateTime', fields: begun(fields), zone, instant: instantOf(fields, zone)}
}

/** The fields that a time has, and its time zone. */
export type TimeFields = Partial<Time['fields']> & Pick<Time, 'zone'>

/** The fields of a dateTime, a date, a time of day, a year or a month of a year; undefined for other literals. */
export function readFields(term: Literal): TimeFields | undefined {
  const time = readTime(term)
  if (time !== undefined) {
    const {year, month, day} = time.fields
    return {...(time.kind === 'date' ? {year, month, day} : time.fields), zone: time.zone}
  }
  const span = readSpan(term)
  if (span?.kind === 'time') {
    const [, hours = '', minutes = '', seconds = ''] = clockForm.exec(term.value) ?? []
    return {hours: BigInt(hours) % 24n, minutes: BigInt(minutes), seconds, zone: span.zone}
  }
  if (span?.kind !== 'gYear' && span?.kind !== 'gYearMonth') return undefined
  const [, year = '', month] = yearForm.exec(term.value) ?? []
  return {year: BigInt(year), ...(month === undefined ? {} : {month: BigInt(month)}), zone: span.zone}
}

/** The end of a day is the beginning of the next one. */
function begun(fields: Time['fields']): Time['fields'] {
  const {year, month, day, hours} = fields
  if (hours < 24n) return fields
  if (day < daysIn(year, month)) return {...fields, hours: 0n, day: day + 1n}
  if (month < 12n) return {...fields, hours: 0n, day: 1n, month: month + 1n}
  return {...fields, hours: 0n, day: 1n, month: 1n, year: year + 1n}
}

function isReal({year, month, day, hours, minutes, seconds}: Time['fields']): boolean {
  if (month < 1n || month > 12n || day < 1n || day > daysIn(year, month)) return false
  if (hours === 24n) return minutes === 0n && Number(seconds) === 0
  return hours < 24n && minutes < 60n && Number(seconds) < 60
}

export function daysIn(year: bigint, month: bigint): bigint {
  const isLeap = year % 4n === 0n && (year % 100n !== 0n || year % 400n === 0n)
  if (month === 2n) return isLeap ? 29n : 28n
  return [4n, 6n, 9n, 11n].includes(month) ? 30n : 31n
}

function instantOf(fields: Time['fields'], zone: string | undefined): bigint {
  const [whole = '0', fraction = ''] = fields.seconds.split('.')
  const wall = ((daysSince1970(fields) * 24n + fields.hours) * 60n + fields.minutes) * 60n + BigInt(whole)
  return (wall - offsetSeconds(zone)) * second + BigInt(fraction.slice(0, 12).padEnd(12, '0'))
}

/** Days of the proleptic Gregorian calendar, counted from the first of March of year 0. */
export function daysSince1970({year, month, day}: Time['fields']): bigint {
  const y = month > 2n ? year : year - 1n
  const m = month > 2n ? month - 3n : month + 9n
  const floor = (a: bigint, b: bigint) => (a >= 0n ? a / b : -((-a + b - 1n) / b))
  return y * 365n + floor(y, 4n) - floor(y, 100n) + floor(y, 400n) + (m * 153n + 2n) / 5n + day - 1n - 719468n
}

export function offsetSeconds(zone: string | undefined): bigint {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(zone ?? '') ?? []
  const seconds = BigInt(hours) * 3600n + BigInt(minutes) * 60n
  return sign === '-' ? -seconds : seconds
}

/** Negative, zero or positive; undefined if it depends on a missing time zone. */
export function compareTimes(left: Time, right: Time): number | undefined {
  return compareInstants(left.instant - right.instant, left, right)
}

/** Likewise; undefined for different kinds. */
export function compareSpans(left: Span, right: Span): number | undefined {
  return left.kind === right.kind ? compareInstants(left.size - right.size, left, right) : undefined
}

type Zoned = {readonly zone: string | undefined}

function compareInstants(difference: bigint, left: Zoned, right: Zoned): number | undefined {
  const isSure = (left.zone === undefined) === (right.zone === undefined)
  if (!isSure && difference <= fourteenHours && difference >= -fourteenHours) return undefined
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** xsd:dayTimeDuration of a zone, in canonical form. */
export function zoneDuration(zone: string): string {
  const seconds = offsetSeconds(zone)
  const size = seconds < 0n ? -seconds : seconds
  const [hours, minutes] = [size / 3600n, (size % 3600n) / 60n]
  if (size === 0n) return 'PT0S'
  return `${seconds < 0n ? '-' : ''}PT${hours === 0n ? '' : `${hours}H`}${minutes === 0n ? '' : `${minutes}M`}`
}

/** A time of day, a year, a month of a year or a duration. Values of different kinds are not compared. */
export type Span = {
  readonly kind: 'time' | 'gYear' | 'gYearMonth' | 'seconds' | 'months'
  readonly size: bigint // picoseconds or months; of a year or a month the instant of its beginning
  readonly zone: string | undefined
}

const clockForm = new RegExp(String.raw`^(\d\d):(\d\d):(\d\d(?:\.\d+)?)${zone}$`)
const yearForm = new RegExp(String.raw`^(-?(?:[1-9]\d{3,}|0\d{3}))(?:-(\d\d))?${zone}$`)
const durationForm = /^(-?)P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?$/

/** Undefined for other datatypes, for invalid forms, and for durations of months and seconds. */
export function readSpan({value, datatype}: Literal): Span | undefined {
  switch (datatype.value) {
    case xsd.time:
      return readClock(value)
    case xsd.gYear:
    case xsd.gYearMonth: {
      const [, year, month, offset] = yearForm.exec(value) ?? []
      const kind = datatype.value === xsd.gYear ? 'gYear' : 'gYearMonth'
      if (year === undefined || (month === undefined) !== (kind === 'gYear')) return undefined
      const time = readTime(literal(`${year}-${month ?? '01'}-01${offset ?? ''}`, xsd.date))
      return time && {kind, size: time.instant, zone: offset}
    }
    default:
      return spanOfDuration(readDuration(literal(value, datatype.value)))
  }
}

function spanOfDuration(duration: Duration | undefined): Span | undefined {
  if (duration === undefined) return undefined
  const {months, size} = duration
  if (months === 0n) return {kind: 'seconds', size, zone: undefined}
  return size === 0n ? {kind: 'months', size: months, zone: undefined} : undefined
}

function readClock(value: string): Span | undefined {
  const [, hours = '', minutes = '', seconds = '', offset] = clockForm.exec(value) ?? []
  const time = readTime(literal(`1970-01-01T${hours}:${minutes}:${seconds}${offset ?? ''}`, xsd.dateTime))
  if (time === undefined) return undefined
  return {kind: 'time', size: hours === '24' ? time.instant - 24n * 3600n * second : time.instant, zone: offset}
}

export type Duration = {readonly months: bigint; readonly size: bigint} // size in picoseconds

/** Undefined for other datatypes and for invalid forms. */
export function readDuration({value, datatype: {value: datatype}}: Literal): Duration | undefined {
  if (![xsd.duration, xsd.dayTimeDuration, xsd.yearMonthDuration].includes(datatype)) return undefined
  const [whole, sign, ...parts] = durationForm.exec(value) ?? []
  if (whole === undefined || whole.endsWith('P') || whole.endsWith('T')) return undefined
  const [years, months, days, hours, minutes, seconds] = parts.map(part => part && BigInt(part))
  const [ofMonths, ofSeconds] = [
    [years, months],
    [days, hours, minutes, seconds],
  ]
  if (datatype === xsd.dayTimeDuration && ofMonths.some(part => part !== undefined)) return undefined
  if (datatype === xsd.yearMonthDuration && (ofSeconds.some(part => part !== undefined) || whole.includes('T')))
    return undefined
  const factor = sign === '-' ? -1n : 1n
  const count = (part: bigint | string | undefined) => BigInt(part ?? 0)
  const inMonths = count(years) * 12n + count(months)
  const fraction = BigInt((parts[6] ?? '').slice(0, 12).padEnd(12, '0'))
  const inHours = count(days) * 24n + count(hours)
  const inSeconds = ((inHours * 60n + count(minutes)) * 60n + count(seconds)) * second + fraction
  return {months: factor * inMonths, size: factor * inSeconds}
}

export type TypedDuration = Duration & {readonly datatype: string}

const dayLength = 86_400n * second
const mostSpan = 10n ** 18n

/** A duration in canonical form; undefined if its parts have different signs, or if it is too long. */
export function writeDuration({months, size, datatype}: TypedDuration): Literal | undefined {
  if ((months < 0n && size > 0n) || (months > 0n && size < 0n)) return undefined
  const isNegative = months < 0n || size < 0n
  const [m, p] = isNegative ? [-months, -size] : [months, size]
  if (m > mostSpan || p > mostSpan * second) return undefined
  if (m === 0n && p === 0n) return literal(datatype === xsd.yearMonthDuration ? 'P0M' : 'PT0S', datatype)
  const part = (count: bigint, letter: string) => (count === 0n ? '' : `${count}${letter}`)
  const clock = p % dayLength
  const seconds = secondsText(clock % (60n * second))
  const time =
    part(clock / (3600n * second), 'H') +
    part((clock / (60n * second)) % 60n, 'M') +
    (seconds === '0' ? '' : `${seconds}S`)
  const date = part(m / 12n, 'Y') + part(m % 12n, 'M') + part(p / dayLength, 'D')
  return literal(`${isNegative ? '-' : ''}P${date}${time === '' ? '' : `T${time}`}`, datatype)
}

/** A number of picoseconds as seconds, without zeros at the end. */
export function secondsText(size: bigint): string {
  return `${size / second}.${String(size % second).padStart(12, '0')}`.replace(/\.?0+$/, '') || '0'
}
