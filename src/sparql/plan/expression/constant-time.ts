/**
 * The place of a constant dateTime or date among those whose literals are inline (rdf/inline.ts).
 *
 * Pure. A constant that cannot be inline has a place, too: before all if its year is less than 1, after all if its year
 * has five digits, and within a millisecond if it has more fraction digits. Source: XSD 1.1 part 2 §3.3.7, §3.3.9.
 */
import {inlineKinds, inlineParts, limitOfKind} from '../../../rdf/id-layout.ts'
import {packLiteral} from '../../../rdf/inline.ts'
import type {Literal} from '../../../rdf/term.ts'
import {xsd} from '../../../rdf/vocabulary.ts'

const {dateTime, localDateTime, date} = inlineKinds

export type ConstantTime = {
  readonly kind: typeof dateTime | typeof localDateTime | typeof date
  readonly value: bigint // as in an inline id: milliseconds or days since 1970
  readonly isExact: boolean // false: up to one unit later, or beyond the first or the last value that an id can have
}

/** @returns  undefined for other terms, ill-formed ones, and years that XSD 1.0 and 1.1 count differently */
export function constantTime(constant: Literal): ConstantTime | undefined {
  const inline = packLiteral(constant)
  if (inline === undefined) return notInline(constant)
  const {kind, value} = inlineParts(inline)
  return kind === dateTime || kind === localDateTime || kind === date ? {kind, value, isExact: true} : undefined
}

const day = String.raw`(-?\d{4,15})-(\d\d-\d\d)`
const zone = String.raw`(Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))?`
const dateTimeForm = new RegExp(String.raw`^${day}T(\d\d:\d\d:\d\d)(?:\.(\d+))?${zone}$`)
const dateForm = new RegExp(`^${day}${zone}$`)

const dayMs = 86_400_000

function notInline({value, datatype}: Literal): ConstantTime | undefined {
  if (datatype.value === xsd.date) {
    const [, year, monthDay] = dateForm.exec(value) ?? []
    const at = instantOf(year, monthDay, '00:00:00')
    return at === undefined ? undefined : {kind: date, value: withinIds(date, at / dayMs), isExact: false}
  }
  const parts = datatype.value === xsd.dateTime ? dateTimeForm.exec(value) : undefined
  const [, year, monthDay, clock, fraction = '', zone] = parts ?? []
  const at = instantOf(year, monthDay, clock)
  if (at === undefined) return undefined
  const kind = zone === undefined ? localDateTime : dateTime
  const ms = at + Number(fraction.slice(0, 3).padEnd(3, '0')) - zoneMs(zone)
  return {kind, value: withinIds(kind, ms), isExact: false}
}

/** Milliseconds since 1970 as if in UTC; infinite for a year that no inline literal has. */
function instantOf(year = '', monthDay = '', clock = ''): number | undefined {
  const number = Number(year)
  const isUsual = year.length === 4 && number > 0
  // Every 400 years have the same days. XSD 1.0 and 1.1 differ in the years before 1 that are leap years.
  const similar = isUsual ? year : number > 0 ? 2000 + (number % 400) : 2001
  const local = `${similar}-${monthDay}T${clock}`
  const at = Date.parse(`${local}Z`)
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 19) !== local) return undefined
  if (isUsual) return at
  return number < -1 || number > 9999 ? number * Number.POSITIVE_INFINITY : undefined
}

/** The nearest value that an id of a kind can have. */
function withinIds(kind: ConstantTime['kind'], value: number): bigint {
  const limit = limitOfKind(kind)
  if (value < -limit) return -limit
  return value >= limit ? limit - 1n : BigInt(value)
}

function zoneMs(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}
