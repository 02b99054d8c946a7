/**
 * Encodes JavaScript values to PostgreSQL's text formats and decodes them, in place of the driver's own conversions.
 *
 * Parameters are sent as text and the server decides their type, so a string is a valid timestamp, json or bigint
 * parameter. int8 and numeric are returned as strings (ids stay strings), json is parsed, timestamptz is a Date (ms).
 * Sources: PostgreSQL manual §8.15.6 (array text), §8.16.6 (row text), §8.4.1 (bytea hex); pg_type.dat for the oids.
 */
export type SqlValue = string | number | bigint | boolean | Date | Uint8Array | null | readonly SqlValue[]

/** A parameter in the form that the driver sends: text, or null. */
export function encodeValue(value: SqlValue): string | null {
  if (value === null) return null
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (typeof value !== 'object') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array)
    return `\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}`
  return `{${value.map(encodeElement).join(',')}}`
}

function encodeElement(value: SqlValue): string {
  const text = encodeValue(value)
  if (text === null) return 'NULL'
  return Array.isArray(value) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}

/** The text form of a row of a composite type (§8.16.6). */
export function encodeRow(fields: readonly SqlValue[]): string {
  return `(${fields.map(encodeField).join(',')})`
}

function encodeField(value: SqlValue): string {
  const text = encodeValue(value)
  return text === null ? '' : `"${text.replace(/["\\]/g, '$&$&')}"`
}

type Parse = (text: string) => unknown

const parseText: Parse = text => text
const parseNumber: Parse = text => Number(text)
const parseBoolean: Parse = text => text === 't'
const parseDate: Parse = text => new Date(text)
const parseBytes: Parse = text => Buffer.from(text.slice(2), 'hex')
const parseJson: Parse = text => JSON.parse(text)

/** [element oid, array oid, parser]. Other types are returned as text. */
const types: readonly (readonly [number, number, Parse])[] = [
  [16, 1000, parseBoolean], // bool
  [17, 1001, parseBytes], // bytea
  [18, 1002, parseText], // "char"
  [19, 1003, parseText], // name
  [20, 1016, parseText], // int8
  [21, 1005, parseNumber], // int2
  [23, 1007, parseNumber], // int4
  [25, 1009, parseText], // text
  [26, 1028, parseNumber], // oid
  [114, 199, parseJson], // json
  [700, 1021, parseNumber], // float4
  [701, 1022, parseNumber], // float8
  [1042, 1014, parseText], // bpchar
  [1043, 1015, parseText], // varchar
  [1082, 1182, parseText], // date: a calendar day, not an instant
  [1114, 1115, parseText], // timestamp without time zone: not an instant
  [1184, 1185, parseDate], // timestamptz
  [1700, 1231, parseText], // numeric
  [2950, 2951, parseText], // uuid
  [3802, 3807, parseJson], // jsonb
]

const int8Array = 1016

/** Arrays of int8 hold ids. A one-dimensional one has no quotes, so it is split at the commas. */
function parseIds(text: string): unknown[] {
  if (text === '{}') return []
  if (text.lastIndexOf('{') !== 0) return parseArray(text, parseText)
  const items = text.slice(1, -1).split(',')
  return text.includes('N') ? items.map(item => (item === 'NULL' ? null : item)) : items
}

/** The driver's `types` option: every type above and its array type. */
export function driverTypes() {
  return Object.fromEntries(
    types.flatMap(([element, array, parse]) => [
      [`type${element}`, driverType(element, parse)],
      [`type${array}`, driverType(array, array === int8Array ? parseIds : text => parseArray(text, parse))],
    ]),
  )
}

function driverType(oid: number, parse: Parse) {
  return {to: oid, from: [oid], serialize: (encoded: string) => encoded, parse}
}

/**
 * Parses the text form of an array of any dimension.
 *
 * @param parse  parses one element; NULL elements become null
 */
export function parseArray(text: string, parse: Parse): unknown[] {
  const open: unknown[][] = [[]]
  const token = /\{|\}|,|"((?:[^"\\]|\\.)*)"|[^{},"]+/gs
  token.lastIndex = text.startsWith('[') ? text.indexOf('=') + 1 : 0 // explicit bounds: [0:1]={…}
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [word, quoted] = found
    const here = open.at(-1)
    if (word === '{') {
      const inner: unknown[] = []
      here?.push(inner)
      open.push(inner)
    } else if (word === '}') open.pop()
    else if (quoted !== undefined) here?.push(parse(quoted.replace(/\\(.)/gs, '$1')))
    else if (word !== ',') here?.push(word === 'NULL' ? null : parse(word))
  }
  const [outermost] = open[0] ?? []
  return Array.isArray(outermost) ? outermost : []
}
