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

export type Shape = {
  readonly shape: string // the text with places instead of constants
  readonly constants: readonly string[] // as written, without quotes or angle brackets
}

/** The tokens of scan-tokens.ts. Groups capture what is lifted: a string with quotes, an IRI, a decimal, an integer. */
const token = new RegExp(
  [
    /(?:[ \t\r\n]+|#[^\r\n]*)+/, // white space and comments
    /"""[\s\S]*?"""|'''[\s\S]*?'''/, // long strings, and those with escapes below
    /("[^"\\\r\n\0-\x08\ud800-\udfff]*"|'[^'\\\r\n\0-\x08\ud800-\udfff]*')/,
    /"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'/,
    /<([A-Za-z][A-Za-z0-9+.-]*:[^<>"{}|^`\\\0-\x20]*)>/,
    /<[^<>\0-\x20]*>/,
    /@[a-zA-Z]+(?:-[a-zA-Z0-9]+)*|_:|\^\^/,
    /[?$][^\s"'<>(){}[\]|^&=!*+/,;.#`@~?$-]+/, // a variable
    /(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+/, // a double
    /([0-9]{1,9}\.[0-9]{1,6})(?![0-9.])/,
    /([0-9]{1,9})(?![0-9.])/,
    /[0-9]+/,
    /[^\s"'<>(){}[\]|^&=!*+/,;.#`@~?$0-9-](?:[^\s"'<>(){}[\]|^&=!+,;#`@?$]|\\.)*/, // a word or a prefixed name
    /[\s\S]/,
  ]
    .map(({source}) => `(?:${source})`)
    .join('|'),
  'y',
)

const ownNamespace = 'urn:x-quadstead:'

type Kind = 'string' | 'iri' | 'decimal' | 'integer'

/** Markers: the n-th constant of a marked text, in a form that the parser reads as a constant of the same kind. */
const markers: Readonly<Record<Kind, (index: number) => string>> = {
  string: index => `\u{E000}constant ${index}\u{E000}`,
  iri: index => `${ownNamespace}constant:${index}`,
  decimal: index => `987654.${100_000 + index}`,
  integer: index => String(987_000_000 + index),
}

const constantLimit = 1000

/** @returns  undefined if the text has no constants, or more than `constantLimit`, or uses a character of a marker */
export function shapeOf(text: string): Shape | undefined {
  const places = new Map<string, number>()
  const constants: string[] = []
  let [shape, taken, before] = ['', 0, '']
  let prologue = 0 // tokens since PREFIX
  token.lastIndex = 0
  for (let found = token.exec(text); found !== null && found[0] !== ''; found = token.exec(text)) {
    const [word] = found
    if (isBlank(word.charCodeAt(0))) continue
    if (isWord(word, 'prefix')) prologue = 3
    const isFixed = before === '^^' || isWord(before, 'base') || prologue > 0
    const kind = kindOf(found)
    prologue = Math.max(0, prologue - (kind === 'iri' ? 3 : 0))
    before = word
    if (kind === undefined || isFixed) continue
    const value = kind === 'string' ? word.slice(1, -1) : kind === 'iri' ? (found[2] ?? '') : word
    if (kind === 'iri' && !isLiftable(value)) continue
    const key = `${kind} ${value}`
    const index = places.get(key) ?? constants.push(value) - 1
    places.set(key, index)
    shape += `${text.slice(taken, found.index)}\u{E001}${kind} ${index}\u{E001}`
    taken = token.lastIndex
  }
  if (constants.length === 0 || constants.length > constantLimit || /[\u{E000}\u{E001}]/u.test(text)) return undefined
  return {shape: shape + text.slice(taken), constants}
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d || code === 0x23 // #
}

function isWord(word: string, name: string): boolean {
  return word.length === name.length && word.toLowerCase() === name
}

function kindOf([, string, iri, decimal, integer]: RegExpExecArray): Kind | undefined {
  if (string !== undefined) return 'string'
  if (iri !== undefined) return 'iri'
  if (decimal !== undefined) return 'decimal'
  return integer === undefined ? undefined : 'integer'
}

/** The query text of a shape, with a marker in place of each constant. */
export function markedText(shape: string): string {
  return shape.replaceAll(/\u{E001}(\w+) (\d+)\u{E001}/gu, (_, kind: Kind, index: string) => {
    const marker = markers[kind](Number(index))
    return kind === 'string' ? `"${marker}"` : kind === 'iri' ? `<${marker}>` : marker
  })
}

function isLiftable(iri: string): boolean {
  return isAbsoluteIri(iri) && !iri.startsWith(ownNamespace)
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

function constantOf(text: string, constants: readonly string[]): string | undefined {
  const first = text.charCodeAt(0)
  if (first !== 0xe000 && first !== 0x75 && first !== 0x39) return undefined // no marker begins with it: U+E000, u, 9
  const [, ...indexes] = anyMarker.exec(text) ?? []
  const index = indexes.find(one => one !== undefined)
  return index === undefined ? undefined : constants[Number(index)]
}
