/** Constructor functions of XML Schema; undefined is the error. Source: SPARQL 1.1 §17.5; XPath functions §17. */
import {type Literal, literal, type Term} from '../../src/rdf/term.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'
import {type Exact, floating, integer, plain, readDecimal, readFloating, toNumber, writeNumeric} from './numbers.ts'
import type {Answer} from './strings.ts'
import {readDuration, readSpan, readTime, writeDuration} from './times.ts'
import {booleanTerm, type Value, valueOfLiteral} from './values.ts'

export function cast(datatype: string, term: Term): Answer {
  if (term.termType === 'BlankNode') return undefined
  if (term.termType === 'NamedNode') return datatype === xsd.string ? literal(term.value) : undefined
  const value = valueOfLiteral(term)
  switch (datatype) {
    case xsd.string:
      return literal(castString(term.value, value))
    case xsd.boolean:
      return castBoolean(value)
    case xsd.integer:
      return castInteger(value)
    case xsd.decimal:
      return castDecimal(value)
    case xsd.double:
      return castFloating(value, 'double')
    case xsd.float:
      return castFloating(value, 'float')
    case xsd.dateTime:
      return castDateTime(term.value, value)
    case xsd.date:
      return castDate(term.value, value)
    case xsd.time:
    case xsd.gYear:
    case xsd.gYearMonth:
      return castToFields(term, value, datatype)
    case xsd.duration:
    case xsd.dayTimeDuration:
    case xsd.yearMonthDuration:
      return castDuration(term, value, datatype)
    default:
      return undefined
  }
}

function castToFields(term: Literal, value: Value, datatype: string): Answer {
  if (value.type === 'string' || term.datatype.value === datatype) {
    const made = literal(value.type === 'string' ? term.value.trim() : term.value, datatype)
    return readSpan(made) && made
  }
  if (value.type !== 'dateTime' && value.type !== 'date') return undefined
  const {fields, zone = ''} = value.time
  const two = (part: bigint) => String(part).padStart(2, '0')
  if (datatype === xsd.time) {
    if (value.type === 'date') return undefined
    return literal(`${two(fields.hours)}:${two(fields.minutes)}:${fields.seconds}${zone}`, datatype)
  }
  return literal(`${yearText(fields.year)}${datatype === xsd.gYear ? '' : `-${two(fields.month)}`}${zone}`, datatype)
}

function castDuration(term: Literal, value: Value, datatype: string): Answer {
  const isOfType = value.type === 'string' || term.datatype.value === datatype
  const from = value.type === 'string' ? literal(term.value.trim(), datatype) : term
  const duration = readDuration(from)
  if (duration === undefined || isOfType) return duration && literal(from.value, datatype)
  const {months, size} = duration
  return writeDuration({
    months: datatype === xsd.dayTimeDuration ? 0n : months,
    size: datatype === xsd.yearMonthDuration ? 0n : size,
    datatype,
  })
}

/** XPath §17.1.2: the canonical form. Floating-point numbers are written as decimals unless they are large or small. */
function castString(lexical: string, value: Value): string {
  if (value.type === 'boolean') return String(value.boolean)
  if (value.type !== 'number') return lexical
  if ('units' in value.number) return plain(value.number)
  const {number} = value.number
  const isModerate = Math.abs(number) >= 1e-6 && Math.abs(number) < 1e6
  if (number === 0) return Object.is(number, -0) ? '-0' : '0'
  return isModerate ? plain(exactOfNumber(number) ?? integer(0n)) : writeNumeric(value.number).value
}

function castBoolean(value: Value): Answer {
  if (value.type === 'boolean') return booleanTerm(value.boolean)
  if (value.type === 'number') {
    const number = toNumber(value.number)
    return booleanTerm(number !== 0 && !Number.isNaN(number))
  }
  const known =
    value.type === 'string' ? {true: true, '1': true, false: false, '0': false}[value.text.trim()] : undefined
  return known === undefined ? undefined : booleanTerm(known)
}

function castInteger(value: Value): Answer {
  if (value.type === 'string') {
    const text = value.text.trim()
    return /^[+-]?\d+$/.test(text) ? writeNumeric(integer(BigInt(text.replace(/^\+/, '')))) : undefined
  }
  const exact = exactOf(value)
  return exact && writeNumeric(integer(exact.units / 10n ** BigInt(exact.scale)))
}

function castDecimal(value: Value): Answer {
  const exact = value.type === 'string' ? readDecimal(value.text.trim()) : exactOf(value)
  return exact && writeNumeric({...exact, kind: 'decimal'})
}

function exactOf(value: Value): Exact | undefined {
  if (value.type === 'boolean') return integer(value.boolean ? 1n : 0n)
  if (value.type !== 'number') return undefined
  if ('units' in value.number) return value.number
  return Number.isFinite(value.number.number) ? exactOfNumber(value.number.number) : undefined
}

/** The shortest digits that identify the number. */
export function exactOfNumber(number: number): Exact | undefined {
  const [mantissa = '', exponent = ''] = number.toExponential().split('e')
  const exact = readDecimal(mantissa)
  if (exact === undefined) return undefined
  const scale = exact.scale - Number(exponent)
  return scale >= 0 ? {...exact, scale} : {...exact, units: exact.units * 10n ** BigInt(-scale), scale: 0}
}

function castFloating(value: Value, kind: 'float' | 'double'): Answer {
  if (value.type === 'boolean') return writeNumeric(floating(kind, value.boolean ? 1 : 0))
  if (value.type === 'number') return writeNumeric(floating(kind, toNumber(value.number)))
  const read = value.type === 'string' ? readFloating(value.text.trim(), kind) : undefined
  return read && writeNumeric(read)
}

function castDateTime(lexical: string, value: Value): Answer {
  if (value.type === 'dateTime') return literal(lexical, xsd.dateTime)
  if (value.type === 'date') {
    const zone = value.time.zone ?? ''
    return literal(`${lexical.slice(0, lexical.length - zone.length)}T00:00:00${zone}`, xsd.dateTime)
  }
  return castText(lexical, value, xsd.dateTime)
}

function castDate(lexical: string, value: Value): Answer {
  if (value.type === 'date') return literal(lexical, xsd.date)
  if (value.type === 'dateTime') {
    const {fields, zone = ''} = value.time
    const year = yearText(fields.year)
    const [month, day] = [fields.month, fields.day].map(part => String(part).padStart(2, '0'))
    return literal(`${year}-${month}-${day}${zone}`, xsd.date)
  }
  return castText(lexical, value, xsd.date)
}

function yearText(year: bigint): string {
  return `${year < 0n ? '-' : ''}${String(year).replace('-', '').padStart(4, '0')}`
}

function castText(lexical: string, value: Value, datatype: string): Answer {
  const term = literal(lexical.trim(), datatype)
  return value.type === 'string' && readTime(term) !== undefined ? term : undefined
}
