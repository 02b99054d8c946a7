/**
 * The key of a term: a text that two terms share exactly if `sameTerm` holds. The dictionary hashes it.
 *
 *   named node     I<iri>
 *   blank node     B<label>
 *   literal        L<datatype IRI> <language> <lexical form>      (neither IRI nor tag can hold a space)
 *   default graph  the empty string
 *
 * Pure. sql/functions/term/term.sql and sparql/3_term.sql read and write the same form. The lexical form in a key is in
 * the form of stored-text.ts, so that PostgreSQL can receive every key.
 */
import type {TermKind} from './id-layout.ts'
import {fromStoredText, toStoredText} from './stored-text.ts'
import {blankNode, type Graph, type Iri, langLiteral, literal, namedNode, type Term} from './term.ts'
import {xsd} from './vocabulary.ts'

/** The first letter of a key is the kind of its term. */
export const keyLetters = {iri: 'I', blank: 'B', literal: 'L'} as const satisfies Record<TermKind, string>

export function iriKey(iri: Iri): string {
  return keyLetters.iri + iri
}

export function blankNodeKey(label: string): string {
  return keyLetters.blank + label
}

/** The key of a literal up to its lexical form. */
export function literalKeyStart(datatype: Iri, language = ''): string {
  return `${keyLetters.literal}${datatype} ${language} `
}

/** The key of a string literal up to its lexical form. */
export const simpleKeyStart = literalKeyStart(xsd.string)

export function termKey(term: Term | Graph): string {
  switch (term.termType) {
    case 'NamedNode':
      return iriKey(term.value)
    case 'BlankNode':
      return blankNodeKey(term.value)
    case 'Literal':
      return literalKeyStart(term.datatype.value, term.language) + toStoredText(term.value)
    case 'DefaultGraph':
      return ''
  }
}

/** The kind of term that a key denotes; undefined if the text is not the key of a term. */
export function kindOfKey(key: string): TermKind | undefined {
  switch (key.charAt(0)) {
    case keyLetters.iri:
      return 'iri'
    case keyLetters.blank:
      return 'blank'
    case keyLetters.literal:
      return 'literal'
    default:
      return undefined
  }
}

/** The term with this key. The key must not be the default graph's. */
export function termOfKey(key: string): Term {
  const rest = key.slice(1)
  const kind = kindOfKey(key)
  if (kind === 'iri') return namedNode(rest)
  if (kind === 'blank') return blankNode(rest)
  const first = rest.indexOf(' ')
  const second = rest.indexOf(' ', first + 1)
  const language = rest.slice(first + 1, second)
  const value = fromStoredText(rest.slice(second + 1))
  return language === '' ? literal(value, rest.slice(0, first)) : langLiteral(value, language)
}
