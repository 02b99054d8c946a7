/**
 * Quads to N-Triples and N-Quads, and the text of single terms for Turtle and its relatives.
 *
 * Sources: N-Triples §7; N-Quads §5; RDF 1.1 N-Triples, canonical form (spacing, fewest escapes: rdf/ntriples.ts).
 */

import {isBlankLabel} from '../rdf/name-characters.ts'
import {iriText, literalText} from '../rdf/ntriples.ts'
import type {Graph, Quad, Term} from '../rdf/term.ts'
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

export function blankText(label: string): string {
  return `_:${writtenLabel(label, isBlankLabel)}`
}
