/**
 * The shape of a query: its text without IRIs, strings and numbers. Queries that differ only in such constants are
 * parsed once.
 *
 * Pure.
 *
 *   prepare(text)  =  fillConstants(prepare(markedText(shape)), constants)
 *
 * These constants stay in the shape: IRIs of BASE and PREFIX, datatypes, relative IRIs, long strings and strings with
 * escapes. Equal constants share one place, because a query may depend on their equality (an expression in SELECT and
 * the same one in GROUP BY). The caller tests with the first constants whether a shape can be filled.
 */
import {isAbsoluteIri} from '../rdf/iri.ts'
import {textQuery} from '../rdf/vocabulary.ts'
import {createLexer, endSymbol, symbolOf} from './parse/tokens.ts'

export type Shape = {
  readonly shape: string // the text with places instead of constants
  readonly constants: readonly string[] // as written, without quotes or angle brackets
}

const ownNamespace = 'urn:x-quadstead:'

type Kind = 'string' | 'iri' | 'decimal' | 'integer'

const signs = ['', '_POSITIVE', '_NEGATIVE']
const kinds: ReadonlyMap<number, Kind> = new Map<number, Kind>([
  [symbolOf('STRING_LITERAL1'), 'string'],
  [symbolOf('STRING_LITERAL2'), 'string'],
  [symbolOf('IRIREF'), 'iri'],
  ...signs.map(sign => [symbolOf(`DECIMAL${sign}`), 'decimal'] as const),
  ...signs.map(sign => [symbolOf(`INTEGER${sign}`), 'integer'] as const),
])
/** Constants that can be lifted. Groups capture their values: without quotes, angle brackets and signs. */
const values: Readonly<Record<Kind, RegExp>> = {
  string: /^["']([^\\\0-\x08\ud800-\udfff]*)["']$/,
  iri: /^<(.*)>$/,
  decimal: /^[+-]?([0-9]{1,9}\.[0-9]{1,6})$/,
  integer: /^[+-]?([0-9]{1,9})$/,
}
const [baseSymbol, prefixSymbol, datatypeSymbol] = ['BASE', 'PREFIX', '^^'].map(symbolOf)

/** Markers: the n-th constant of a marked text, in a form that the parser reads as a constant of the same kind. */
const markers: Readonly<Record<Kind, (index: number) => string>> = {
  string: index => `\u{E000}constant ${index}\u{E000}`,
  iri: index => `${ownNamespace}constant:${index}`,
  decimal: index => `987654.${100_000 + index}`,
  integer: index => String(987_000_000 + index),
}

const constantLimit = 1000

/**
 * @returns  undefined if the text has no constants, or more than `constantLimit`, or uses a character of a marker
 * @throws   Problem 400 `query-syntax`: see parse/tokens.ts
 */
export function shapeOf(text: string): Shape | undefined {
  const places = new Map<string, number>()
  const constants: string[] = []
  let [shape, taken, last, beforeLast] = ['', 0, 0, 0] // last: symbols
  const next = createLexer(text)
  for (let token = next(); token.symbol !== endSymbol; token = next()) {
    const {symbol, text: word, at} = token
    const isFixed = last === datatypeSymbol || last === baseSymbol || beforeLast === prefixSymbol
    ;[beforeLast, last] = [last, symbol]
    const kind = isFixed ? undefined : kinds.get(symbol)
    const value = kind && liftedValue(kind, word)
    if (value === undefined || !text.startsWith(word, at)) continue
    const key = `${kind} ${value}`
    const index = places.get(key) ?? constants.push(value) - 1
    places.set(key, index)
    const sign = kind === 'integer' || kind === 'decimal' ? word.slice(0, -value.length) : ''
    shape += `${text.slice(taken, at)}${sign}\u{E001}${kind} ${index}\u{E001}`
    taken = at + word.length
  }
  if (constants.length === 0 || constants.length > constantLimit || /[\u{E000}\u{E001}]/u.test(text)) return undefined
  return {shape: shape + text.slice(taken), constants}
}

/** @returns  undefined if the constant cannot be lifted */
function liftedValue(kind: Kind, word: string): string | undefined {
  const value = values[kind].exec(word)?.[1]
  if (kind !== 'iri' || value === undefined) return value
  return isAbsoluteIri(value) && !value.startsWith(ownNamespace) && value !== textQuery ? value : undefined
}

/** The query text of a shape, with a marker in place of each constant. */
export function markedText(shape: string): string {
  return shape.replaceAll(/\u{E001}(\w+) (\d+)\u{E001}/gu, (_, kind: Kind, index: string) => {
    const marker = markers[kind](Number(index))
    return kind === 'string' ? `"${marker}"` : kind === 'iri' ? `<${marker}>` : marker
  })
}

const anyMarker = /^(?:\u{E000}constant (\d+)\u{E000}|urn:x-quadstead:constant:(\d+)|987654\.1(\d{5})|987(\d{6}))$/u

/** Copies a value that was made from a marked text, and replaces each marker by its constant. */
export function fillConstants<Value>(value: Value, constants: readonly string[]): Value {
  return filled(value, constants) as Value
}

function filled(value: unknown, constants: readonly string[]): unknown {
  switch (typeof value) {
    case 'string':
      return constantOf(value, constants) ?? value
    case 'number': {
      const constant = constantOf(String(value), constants)
      return constant === undefined ? value : Number(constant)
    }
    case 'object': {
      if (value === null) return value
      if (Array.isArray(value)) return value.map(item => filled(item, constants))
      const copy: Record<string, unknown> = {}
      for (const key of Object.keys(value)) copy[key] = filled((value as Record<string, unknown>)[key], constants)
      return copy
    }
    default:
      return value
  }
}

/** Whether `fillConstants` gives a certain value, without the copy. Both are trees of objects, arrays and scalars. */
export function isFilledTo(value: unknown, constants: readonly string[], wanted: unknown): boolean {
  if (typeof value !== 'object' || value === null) return filled(value, constants) === wanted
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(value) !== Array.isArray(wanted)) return false
  const [own, others] = [value as Record<string, unknown>, wanted as Record<string, unknown>]
  const names = Object.keys(own)
  return (
    names.length === Object.keys(others).length &&
    names.every(name => Object.hasOwn(others, name) && isFilledTo(own[name], constants, others[name]))
  )
}

function constantOf(text: string, constants: readonly string[]): string | undefined {
  const first = text.charCodeAt(0)
  if (first !== 0xe000 && first !== 0x75 && first !== 0x39) return undefined // no marker begins with it: U+E000, u, 9
  const [, ...indexes] = anyMarker.exec(text) ?? []
  const index = indexes.find(one => one !== undefined)
  return index === undefined ? undefined : constants[Number(index)]
}
