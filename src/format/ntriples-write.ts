/**
 * Quads to N-Triples and N-Quads, and the text of single terms for Turtle and its relatives.
 *
 * Sources: N-Triples §7; N-Quads §5; RDF 1.1 N-Triples, canonical form (spacing, fewest escapes).
 */

import {createEscape} from '../base/escape.ts'
import {isBlankLabel} from '../rdf/name-characters.ts'
import type {Graph, Iri, Literal, Quad, Term} from '../rdf/term.ts'
import {xsd} from '../rdf/vocabulary.ts'
import type {QuadWriter} from './types.ts'
import {writtenLabel} from './written-labels.ts'

export function createNTriplesWriter(): QuadWriter<string> {
  return {write: quad => `${tripleText(quad)} .\n`, end: () => ''}
}

export function createNQuadsWriter(): QuadWriter<string> {
  const write = (quad: Quad) =>
    quad.graph.termType === 'DefaultGraph'
      ? `${tripleText(quad)} .\n`
      : `${tripleText(quad)} ${termText(quad.graph)} .\n`
  return {write, end: () => ''}
}

function tripleText(quad: Quad): string {
  return `${termText(quad.subject)} ${iriText(quad.predicate.value)} ${termText(quad.object)}`
}

export function termText(term: Term | Graph): string {
  switch (term.termType) {
    case 'NamedNode':
      return iriText(term.value)
    case 'BlankNode':
      return blankText(term.value)
    case 'Literal':
      return literalText(term)
    case 'DefaultGraph':
      return ''
  }
}

function literalText(term: Literal): string {
  const quoted = quotedText(term.value)
  if (term.language !== '') return `${quoted}@${term.language}`
  return term.datatype.value === xsd.string ? quoted : `${quoted}^^${iriText(term.datatype.value)}`
}

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

export function iriText(iri: Iri): string {
  return `<${escapeIri(iri)}>`
}

/** A quoted string, with the fewest escapes that every reader of these syntaxes understands. */
export function quotedText(value: string): string {
  return `"${escapeText(value)}"`
}

export function blankText(label: string): string {
  return `_:${writtenLabel(label, isBlankLabel)}`
}

function numericEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
