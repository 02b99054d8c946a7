/**
 * Whether a text is a lexical form of a datatype.
 *
 * Pure. Other datatypes than these are not checked. Source: XML Schema Part 2: Datatypes, §3.
 */
import {xsd} from './terms.js'

const zone = '(?:Z|[+-]\\d\\d:\\d\\d)?'
const year = '-?(?:[1-9]\\d{3,}|0\\d{3})'
const day = `${year}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])`
const clock = '(?:[01]\\d|2[0-4]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?'
const integer = '[+-]?\\d+'
const number = '[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)'

/** Forms of each datatype, and how an error names them. */
const forms = {
  integer: [integer, 'a whole number'],
  int: [integer, 'a whole number'],
  long: [integer, 'a whole number'],
  short: [integer, 'a whole number'],
  nonNegativeInteger: ['\\+?\\d+|-0+', 'a whole number that is not negative'],
  positiveInteger: ['\\+?0*[1-9]\\d*', 'a whole number above 0'],
  decimal: [number, 'a number such as 1.5'],
  double: [`${number}(?:[eE][+-]?\\d+)?|[+-]?INF|NaN`, 'a number such as 1.5 or 1.5e3'],
  float: [`${number}(?:[eE][+-]?\\d+)?|[+-]?INF|NaN`, 'a number such as 1.5 or 1.5e3'],
  boolean: ['true|false|0|1', 'true or false'],
  date: [day + zone, 'a date such as 2026-11-23'],
  dateTime: [`${day}T${clock}${zone}`, 'a time such as 2026-11-23T09:30:00Z'],
  time: [clock + zone, 'a time such as 09:30:00'],
  gYear: [year + zone, 'a year such as 2026'],
}

/**
 * @param {string} value
 * @param {string} datatype  IRI
 * @returns {string | undefined}  what is wrong
 */
export function lexicalFault(value, datatype) {
  const name = datatype.startsWith(xsd) ? datatype.slice(xsd.length) : ''
  const [pattern, expected] = Object.hasOwn(forms, name) ? forms[/** @type {keyof typeof forms} */ (name)] : []
  if (pattern === undefined || new RegExp(`^(?:${pattern})$`).test(value.trim())) return undefined
  return `"${value.slice(0, 60)}" is not ${expected}, as xsd:${name} needs.`
}
