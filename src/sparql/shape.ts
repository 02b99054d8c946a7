/**
 * A query's shape: its text with IRIs, short strings and numbers lifted out, so that queries that differ in nothing
 * else are parsed once.
 *
 * Pure.
 *
 *   prepare(text)  =  fillConstants(prepare(markedText(shape)), constants)
 *
 * A constant is lifted only where it stands for itself: not in BASE and PREFIX, which say what names mean, not as a
 * datatype, and not with escapes or relative. Equal constants are lifted as one, as a query may depend on it (an
 * expression in SELECT and the same in GROUP BY). Whether a shape can be filled is tried with the first constants.
 */
import {isAbsoluteIri} from '../rdf/iri.ts'

export type Shape = {
  readonly shape: string // no constants in it
  readonly constants: readonly string[] // as they were written, without quotes or brackets
}

/** What scan.ts tells apart, with what is lifted in groups: a string with its quotes, an IRI, a decimal, an integer. */
const token = new RegExp(
  [
    /(?:[ \t\r\n]+|#[^\r\n]*)+/, // blank
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

/** What stands for the n-th constant in a marked text; nothing else in it does. */
const markers: Readonly<Record<Kind, (index: number) => string>> = {
  string: index => `\u{E000}constant ${index}\u{E000}`,
  iri: index => `${ownNamespace}constant:${index}`,
  decimal: index => `987654.${100_000 + index}`,
  integer: index => String(987_000_000 + index),
}

const constantLimit = 1000

/** @returns  undefined: it has nothing to lift, or too much */
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

/** A query of a shape, with a marker in place of each constant. */
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

/** A copy of what was made of a marked text, with constants in place of their markers. */
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
  if (first !== 0xe000 && first !== 0x75 && first !== 0x39) return undefined // the markers' first: U+E000, u, 9
  const [, ...indexes] = anyMarker.exec(text) ?? []
  const index = indexes.find(one => one !== undefined)
  return index === undefined ? undefined : constants[Number(index)]
}
