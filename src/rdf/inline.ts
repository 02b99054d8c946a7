/**
 * Inline literals: packs a literal into a negative int8 id, ordered by value, and unpacks the identical literal.
 *
 * Pure. A literal is packed only if unpacking gives back its exact lexical form and datatype. Everything else ("01",
 * "+1", "1"^^xsd:boolean, "12.50E0", twenty digits, 24:00:00) goes to the dictionary.
 * id-layout.ts describes the ids. sql/functions/term/inline.sql unpacks the same layout.
 *
 * Sources: XSD 1.1 part 2 §3.3–3.4 (lexical and value spaces); the idea is from Oracle's and Jena's inline ids.
 */
import {inlineId, inlineParts, inlineKinds as kinds, limitOfKind} from './id-layout.ts'
import type {Literal} from './term.ts'
import {literal} from './term.ts'
import {xsd, xsdNamespace} from './vocabulary.ts'

const integerLimit = limitOfKind(kinds.integer)
const decimalLimit = limitOfKind(kinds.decimal)
const instantLimit = limitOfKind(kinds.dateTime)
const fineLimit = limitOfKind(kinds.fine)
const microLimit = limitOfKind(kinds.microDateTime)

/** Integer datatypes by code, each with its least and greatest inline value. */
const integerTypes: readonly (readonly [name: string, least: bigint, greatest: bigint])[] = [
  ['integer', -integerLimit, integerLimit - 1n],
  ['int', -(2n ** 31n), 2n ** 31n - 1n],
  ['long', -integerLimit, integerLimit - 1n],
  ['short', -(2n ** 15n), 2n ** 15n - 1n],
  ['byte', -128n, 127n],
  ['nonNegativeInteger', 0n, integerLimit - 1n],
  ['positiveInteger', 1n, integerLimit - 1n],
  ['nonPositiveInteger', -integerLimit, 0n],
  ['negativeInteger', -integerLimit, -1n],
  ['unsignedLong', 0n, integerLimit - 1n],
  ['unsignedInt', 0n, 2n ** 32n - 1n],
  ['unsignedShort', 0n, 2n ** 16n - 1n],
  ['unsignedByte', 0n, 255n],
]
const integerCodes = new Map(integerTypes.map(([name], code) => [xsdNamespace + name, code]))

/**
 * Decimal datatypes by code, each with the greatest number of significant digits to pack.
 *
 * A float preserves any 6 significant digits, a double any 15. Within these limits two forms denote the same float (or
 * double) only if they denote the same decimal, so the order of the decimals is also the order of the floats.
 */
const decimalTypes = [
  ['decimal', 16],
  ['float', 6],
  ['double', 15],
] as const
const doubleCode = 2
const doubleDigits = decimalTypes[doubleCode][1]
const decimalCodes = new Map<string, number>(decimalTypes.map(([name], code) => [xsdNamespace + name, code]))

const integerForm = /^(?:0|-?[1-9][0-9]{0,16})$/
const decimalForm = /^(-?)(0|[1-9][0-9]{0,9})(?:\.([0-9]{1,6}))?$/
const exponentForm = /^(-?)(\d+)(?:\.(\d+))?([Ee])([+-]?\d{1,2})$/
const dateTimeForm = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,3}|\d{6}))?(Z|[+-]\d\d:\d\d)?$/
const dateForm = /^(\d{4}-\d\d-\d\d)(Z|[+-]\d\d:\d\d)?$/

/** What a double with an exponent has in place of the code of its datatype. */
const scientific = 3
const longestScientific = 24 // characters

/** The id of a literal; undefined if the literal cannot be inline. */
export function packLiteral({value, datatype: {value: datatype}}: Literal): bigint | undefined {
  if (!datatype.startsWith(xsdNamespace)) return undefined
  switch (datatype) {
    case xsd.boolean:
      return value === 'true'
        ? inlineId(kinds.boolean, 1n)
        : value === 'false'
          ? inlineId(kinds.boolean, 0n)
          : undefined
    case xsd.dateTime:
      return packDateTime(value)
    case xsd.date:
      return packDate(value)
    default:
      return (
        packInteger(value, integerCodes.get(datatype)) ??
        packDecimal(value, decimalCodes.get(datatype)) ??
        packFine(value, datatype)
      )
  }
}

/** The literal of an inline (negative) id. */
export function unpackLiteral(id: bigint): Literal {
  const {kind, value, form} = inlineParts(id)
  switch (kind) {
    case kinds.boolean:
      return literal(value === 1n ? 'true' : 'false', xsd.boolean)
    case kinds.integer:
      return literal(String(value), xsdNamespace + integerTypes[form]?.[0])
    case kinds.decimal:
      return unpackDecimal(value, form)
    case kinds.fine:
      return literal(showFine(doubleOfBits(value)), form === fineDouble ? xsd.double : xsd.decimal)
    case kinds.date:
      return literal(showDay(Number(value)) + showZone(form), xsd.date)
    case kinds.microDateTime:
    case kinds.localMicroDateTime:
      return unpackMicroDateTime(value, form)
    default:
      return unpackDateTime(value, form)
  }
}

function packInteger(form: string, code: number | undefined): bigint | undefined {
  const type = code === undefined ? undefined : integerTypes[code]
  if (code === undefined || type === undefined || !integerForm.test(form)) return undefined
  const value = BigInt(form)
  if (value < type[1] || value > type[2]) return undefined
  return inlineId(kinds.integer, value, code)
}

function packDecimal(form: string, code: number | undefined): bigint | undefined {
  const [, sign, whole = '', fraction = ''] = (code !== undefined && decimalForm.exec(form)) || []
  if (code === undefined || sign === undefined) return code === doubleCode ? packScientific(form) : undefined
  if ((whole + fraction).replace(/^0+/, '').length > (decimalTypes[code]?.[1] ?? 0)) return undefined
  const millionths = BigInt(whole + fraction.padEnd(6, '0'))
  if (millionths >= decimalLimit || (millionths === 0n && sign === '-')) return undefined
  const value = sign === '-' ? -millionths : millionths
  return inlineId(kinds.decimal, value, (code << 3) | fraction.length)
}

/**
 * Packs a number whose form is the shortest one of its double, in the notation that Python, JavaScript and PostgreSQL
 * have for this range of sizes: without an exponent. So a form has one double, and the order of the doubles is that of
 * the decimals that are written.
 */
function packFine(form: string, datatype: string): bigint | undefined {
  if ((datatype !== xsd.double && datatype !== xsd.decimal) || !fineForm.test(form)) return undefined
  const double = Number(form)
  const size = Math.abs(double)
  if (size < leastFine || size >= afterFine || showFine(double) !== form) return undefined
  return inlineId(kinds.fine, bitsOfDouble(double), datatype === xsd.double ? fineDouble : 0)
}

const fineForm = /^-?(?:0|[1-9][0-9]{0,14})\.[0-9]{1,20}$/
const fineDouble = 1 // in the form of an id

/** The sizes whose forms have no exponent anywhere. Six bits have their exponents. */
const [leastExponent, leastFine, afterFine] = [-13, 2 ** -13, 2 ** 49]
const exponentOffset = BigInt(1023 + leastExponent) << 52n
const float = new DataView(new ArrayBuffer(8))

/** The exponent and the mantissa of a double, or their complement if it is negative: a number of the same order. */
function bitsOfDouble(double: number): bigint {
  float.setFloat64(0, Math.abs(double))
  const bits = float.getBigInt64(0) - exponentOffset
  return double < 0 ? ~bits : bits
}

function doubleOfBits(bits: bigint): number {
  float.setBigInt64(0, (bits < 0n ? ~bits : bits) + exponentOffset)
  return bits < 0n ? -float.getFloat64(0) : float.getFloat64(0)
}

function showFine(double: number): string {
  return Number.isInteger(double) ? `${double}.0` : String(double)
}

/** Where a finite number is among the values of fine numbers. @returns  the value that is equal to it or just below */
export function placeAmongFine(double: number): {readonly value: bigint; readonly isBetween: boolean} {
  const size = Math.abs(double)
  if (size < leastFine) return {value: -1n, isBetween: true}
  if (size < afterFine) return {value: bitsOfDouble(double), isBetween: false}
  return {value: double < 0 ? -fineLimit - 1n : fineLimit - 1n, isBetween: true}
}

function packScientific(form: string): bigint | undefined {
  const parts = form.length > longestScientific ? undefined : exponentForm.exec(form)
  const [, sign, whole = '', fraction = '', letter, exponent] = parts ?? []
  if (sign === undefined) return undefined
  const places = Number(exponent) + 6 - fraction.length
  const digits = BigInt(whole + fraction)
  const divisor = 10n ** BigInt(Math.max(0, -places))
  const unsigned = (digits * 10n ** BigInt(Math.max(0, places))) / divisor
  const isWhole = digits % divisor === 0n
  if (!isWhole || unsigned >= decimalLimit || String(unsigned).replace(/0+$/, '').length > doubleDigits)
    return undefined
  const value = sign === '-' ? -unsigned : unsigned
  const bits = [0, 2, 4].map(style => style + (letter === 'e' ? 1 : 0)).find(one => showScientific(value, one) === form)
  return bits === undefined ? undefined : inlineId(kinds.decimal, value, (scientific << 3) | bits)
}

/** A number of millionths with an exponent, by the bits of style and letter (id-layout.ts). */
function showScientific(millionths: bigint, bits: number): string {
  const sign = millionths < 0n ? '-' : ''
  const digits = String(millionths < 0n ? -millionths : millionths)
  const letter = (bits & 1) === 1 ? 'e' : 'E'
  const exponent = millionths === 0n ? 0 : digits.length - 7
  const rest = digits.slice(1).replace(/0+$/, '')
  switch (bits >> 1) {
    case 1: {
      const mantissa = rest === '' ? digits[0] : `${digits[0]}.${rest}`
      return `${sign}${mantissa}${letter}${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
    }
    case 2: {
      const all = digits.padStart(7, '0')
      return `${sign}${all.slice(0, -6)}.${all.slice(-6).replace(/0+$/, '') || '0'}${letter}0`
    }
    default:
      return `${sign}${digits[0]}.${rest || '0'}${letter}${exponent}`
  }
}

function unpackDecimal(millionths: bigint, form: number): Literal {
  if (form >> 3 === scientific) return literal(showScientific(millionths, form & 7), xsd.double)
  const digits = form & 7
  const datatype = xsdNamespace + decimalTypes[form >> 3]?.[0]
  const all = String(millionths < 0n ? -millionths : millionths).padStart(7, '0')
  const fraction = digits === 0 ? '' : `.${all.slice(-6, digits === 6 ? undefined : digits - 6)}`
  return literal((millionths < 0n ? '-' : '') + all.slice(0, -6) + fraction, datatype)
}

function packDateTime(form: string): bigint | undefined {
  const [, local, fraction = '', zone] = dateTimeForm.exec(form) ?? []
  const code = zoneCode(zone)
  if (local === undefined || code === undefined) return undefined
  const atLocal = Date.parse(`${local}.${fraction.slice(0, 3).padEnd(3, '0')}Z`)
  // Date.parse accepts 24:00:00 and 30 February and rolls over to a later day.
  if (Number.isNaN(atLocal) || atLocal < yearOne || new Date(atLocal).toISOString().slice(0, 19) !== local)
    return undefined
  const at = BigInt(atLocal - zoneMinutes(code) * 60_000)
  if (fraction.length === 6) {
    const micros = at * 1000n + BigInt(fraction.slice(3))
    if (micros < -microLimit || micros >= microLimit) return undefined
    return inlineId(code === 0 ? kinds.localMicroDateTime : kinds.microDateTime, micros, code)
  }
  if (at >= instantLimit) return undefined
  const kind = code === 0 ? kinds.localDateTime : kinds.dateTime
  return inlineId(kind, at, (code << 2) | fraction.length)
}

/** PostgreSQL and JavaScript write years before year 1 differently. One day is left for the time zone. */
const yearOne = Date.parse('0001-01-02T00:00:00Z')

function unpackDateTime(at: bigint, form: number): Literal {
  const code = form >> 2
  const digits = form & 3
  const local = showLocal(Number(at), code)
  const fraction = digits === 0 ? '' : local.slice(19, 20 + digits)
  return literal(local.slice(0, 19) + fraction + showZone(code), xsd.dateTime)
}

function unpackMicroDateTime(at: bigint, code: number): Literal {
  const micros = ((at % 1000n) + 1000n) % 1000n // of its millisecond
  const local = showLocal(Number((at - micros) / 1000n), code).slice(0, 23)
  return literal(local + String(micros).padStart(3, '0') + showZone(code), xsd.dateTime)
}

/** An instant in milliseconds as a dateTime of a time zone, followed by Z. */
function showLocal(at: number, code: number): string {
  return new Date(at + zoneMinutes(code) * 60_000).toISOString()
}

function packDate(form: string): bigint | undefined {
  const [, day, zone] = dateForm.exec(form) ?? []
  const code = zoneCode(zone)
  if (day === undefined || code === undefined) return undefined
  const at = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(at) || at < yearOne || new Date(at).toISOString().slice(0, 10) !== day) return undefined
  return inlineId(kinds.date, BigInt(at / 86_400_000), code)
}

function showDay(days: number): string {
  return new Date(days * 86_400_000).toISOString().slice(0, 10)
}

/**
 * The code of a time zone: 0 for none, 1 for Z, 2 … 114 for -14:00 … +14:00 in quarters of an hour. Undefined for any
 * other zone, including -00:00.
 */
function zoneCode(zone: string | undefined): number | undefined {
  if (zone === undefined) return 0
  if (zone === 'Z') return 1
  const quarters = (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4))) / 15
  if (!Number.isInteger(quarters) || quarters > 56 || Number(zone.slice(4)) > 59 || zone === '-00:00') return undefined
  return 58 + (zone.startsWith('-') ? -quarters : quarters)
}

function zoneMinutes(code: number): number {
  return code < 2 ? 0 : (code - 58) * 15
}

function showZone(code: number): string {
  if (code < 2) return code === 0 ? '' : 'Z'
  const minutes = Math.abs(zoneMinutes(code))
  const two = (number: number) => String(number).padStart(2, '0')
  return `${code < 58 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
