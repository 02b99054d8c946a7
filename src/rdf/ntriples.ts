/**
 * IRIs and literals in N-Triples, with the fewest escapes. Turtle, TriG and N-Quads read the same text.
 *
 * Pure. Sources: N-Triples §7; RDFC-1.0 §5 (canonical form of N-Quads).
 */
import {createEscape} from '../base/escape.ts'
import type {Iri, Literal} from './term.ts'
import {xsd} from './vocabulary.ts'

const controls = Array.from({length: 32}, (_, code) => String.fromCharCode(code))
const numeric = (units: Iterable<string>) => Object.fromEntries(Array.from(units, unit => [unit, numericEscape(unit)]))
const escapeIri = createEscape(numeric([...controls, ...' <>"{}|\\^`']))
const escapeText = createEscape({
  ...numeric([...controls, '\u007F']),
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
})

/** The characters of ECHAR by their letter. Turtle and SPARQL have the same. */
export const escapedCharacters: Readonly<Record<string, string>> = {
  t: '\t',
  b: '\b',
  n: '\n',
  r: '\r',
  f: '\f',
  '"': '"',
  "'": "'",
  '\\': '\\',
}

function numericEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

export function iriText(iri: Iri): string {
  return `<${escapeIri(iri)}>`
}

/** A quoted string. */
export function quotedText(value: string): string {
  return `"${escapeText(value)}"`
}

export function literalText({value, language, datatype}: Literal): string {
  const quoted = quotedText(value)
  if (language !== '') return `${quoted}@${language}`
  return datatype.value === xsd.string ? quoted : `${quoted}^^${iriText(datatype.value)}`
}
