/**
 * The place of a constant dateTime or date among those whose literals are inline (rdf/inline.ts).
 *
 * Pure. A constant that cannot be inline has a place, too: before all if its year is less than 1, after all if its year
 * has five digits, and within a microsecond if it has more fraction digits. Source: XSD 1.1 part 2 §3.3.7, §3.3.9.
 */
import {inlineKinds, inlineParts} from '../../../rdf/id-layout.ts'
import {packLiteral} from '../../../rdf/inline.ts'
import type {Literal} from '../../../rdf/term.ts'
import {xsd} from '../../../rdf/vocabulary.ts'
import {type InstantKind, localKinds, microsecondsPerUnit, zonedKinds} from '../instants.ts'

export type ConstantTime = {
  readonly type: 'zoned' | 'local' | 'date' // a dateTime with or without a time zone, or a date
  readonly value: bigint // microseconds since 1970, of a date days; beyond all ids for a year that none has
  readonly isLater: boolean // the constant is up to one unit later
}

/** @returns  undefined for other terms, ill-formed ones, and years that XSD 1.0 and 1.1 count differently */
export function constantTime(constant: Literal): ConstantTime | undefined {
  const inline = packLiteral(constant)
  if (inline === undefined) return notInline(constant)
  const {kind, value} = inlineParts(inline)
  if (kind === inlineKinds.date) return {type: 'date', value, isLater: false}
  const found = [...zonedKinds, ...localKinds].find(one => one === kind)
  if (found === undefined) return undefined
  return {type: typeOfKind(found), value: value * microsecondsPerUnit(found), isLater: false}
}

function typeOfKind(kind: InstantKind): 'zoned' | 'local' {
  return localKinds.some(one => one === kind) ? 'local' : 'zoned'
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
    return at === undefined ? undefined : {type: 'date', value: finite(at / dayMs), isLater: false}
  }
  const parts = datatype.value === xsd.dateTime ? dateTimeForm.exec(value) : undefined
  const [, year, monthDay, clock, fraction = '', zone] = parts ?? []
  const at = instantOf(year, monthDay, clock)
  if (at === undefined) return undefined
  return {
    type: zone === undefined ? 'local' : 'zoned',
    value: finite(at - zoneMs(zone)) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0')),
    isLater: /[1-9]/.test(fraction.slice(6)),
  }
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

const beyondIds = 10n ** 18n

/** A number of milliseconds or days; for an infinite one, a number beyond all ids. */
function finite(value: number): bigint {
  if (Number.isFinite(value)) return BigInt(value)
  return value < 0 ? -beyondIds : beyondIds
}

function zoneMs(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}
