/**
 * Writes terms and variables in SPARQL syntax, without prefixes and with quotes around numbers.
 *
 * Pure. Source: SPARQL 1.1 §19.2 (\u escapes), §19.8 (IRIREF, String, ECHAR).
 */
import {quotedText} from '../../rdf/ntriples.ts'
import type {Term} from '../../rdf/term.ts'
import {xsd} from '../../rdf/vocabulary.ts'
import type {Variable} from '../algebra.ts'

/** Returns the name of a variable in the text, with its question mark. */
export type NameOf = (variable: string) => string

export function writeTerm(term: Term | Variable, nameOf: NameOf): string {
  switch (term.termType) {
    case 'Variable':
      return nameOf(term.value)
    case 'NamedNode':
      return `<${term.value}>`
    case 'BlankNode':
      throw new Error('a blank node of a store has no place in a query')
    case 'Literal': {
      const text = quotedText(term.value)
      if (term.language !== '') return `${text}@${term.language}`
      return term.datatype.value === xsd.string ? text : `${text}^^<${term.datatype.value}>`
    }
  }
}
