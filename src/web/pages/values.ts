/**
 * Dates, times and numbers in a form for people. The exact form is on hover, and in all other formats.
 *
 * Pure. A value that this cannot show faithfully (a year beyond 9999, a number that is not in the usual notation) is
 * left to the caller, who shows it as it is.
 */
import type {Iri} from '../../rdf/term.ts'
import {xsd} from '../../rdf/vocabulary.ts'
import {type Markup, markup} from './markup.ts'

const date = /^(\d{4})-(\d\d)-(\d\d)$/
const dateTime = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/
const times = new Set<Iri>([xsd.date, xsd.dateTime, 'http://www.w3.org/2001/XMLSchema#dateTimeStamp'])
const months = 'January February March April May June July August September October November December'.split(' ')

/** @returns  `21 November 2026` or `21 November 2026, 09:30 UTC`; undefined if it is neither a date nor a time */
export function showTime(
  value: string,
  datatype: Iri,
  precision: 'minutes' | 'seconds' = 'minutes',
): Markup | undefined {
  if (!times.has(datatype)) return undefined
  const [, day = value, minutes, seconds = '', zone] = dateTime.exec(value) ?? []
  const [, year, month, dayOfMonth] = date.exec(day) ?? []
  const name = months[Number(month) - 1]
  if (year === undefined || name === undefined || !isDay(day)) return undefined
  const clock = minutes === undefined ? '' : `, ${minutes}${precision === 'seconds' ? seconds : ''}`
  const text = `${Number(dayOfMonth)} ${name} ${year}${clock}`
  const suffix = zone === undefined ? '' : ` ${zone.replace('Z', 'UTC')}`
  const machine = value.replace(/(\.\d{3})\d+/, '$1') // HTML knows milliseconds
  return markup`<time datetime="${machine}" title="${value}">${text}${suffix}</time>`
}

/** Whether a day exists: not 30 February. */
function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

const numbers = new Set<Iri>(
  `integer decimal double float long int short byte nonNegativeInteger positiveInteger nonPositiveInteger
  negativeInteger unsignedLong unsignedInt unsignedShort unsignedByte`
    .split(/\s+/)
    .map(name => `http://www.w3.org/2001/XMLSchema#${name}`),
)
const digits = /^([+-]?)0{0,9}(\d{1,40})(\.\d+)?$/ // longer ones are shown as they are
const groupedFrom = 5 // digits: 1815 may be a year

/** @returns  `1,234,567.8`; undefined if it is no number in the usual notation */
export function showNumber(value: string, datatype: Iri): Markup | undefined {
  if (!numbers.has(datatype)) return undefined
  const written = /e/i.test(value) ? expanded(value) : value
  const [, sign, whole, rest = ''] = digits.exec(written) ?? []
  if (whole === undefined) return undefined
  const grouped = whole.length < groupedFrom ? whole : whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  const name = datatype.replace(/^.*#/, 'xsd:')
  const text = `${sign === '-' ? '−' : ''}${grouped}${rest}`
  return markup`<span class="text" dir="auto" title="${value} (${name})">${text}</span>`
}

/** A number with an exponent without it: 1500 for 1.5e3. Very large and very small ones stay as they are. */
function expanded(value: string): string {
  const number = Number(value)
  const isUsual = Math.abs(number) < 1e15 && (number === 0 || Math.abs(number) >= 1e-6)
  return isUsual ? String(number) : value
}
