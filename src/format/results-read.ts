/**
 * The SPARQL JSON results format to solutions: the answer of another endpoint.
 *
 * Pure. Everything is checked. Input that is not the format, or holds an invalid term, is refused with a sentence.
 * Source: SPARQL 1.1 Query Results JSON Format §3.
 */
import {excerpt} from '../base/excerpt.ts'
import {isAbsoluteIri} from '../rdf/iri.ts'
import {blankNode, langLiteral, literal, namedNode, type Term} from '../rdf/term.ts'
import type {SolutionRow} from './results-types.ts'

/** Throws an error with the reason; `cause` is the error of JSON.parse, if that failed. */
export type Refuse = (reason: string, cause?: unknown) => never

/**
 * Reads a whole document.
 *
 * @param variables  the columns of the rows; other bindings are ignored
 * @param refuse     called with a reason if the document is invalid
 */
export function readJsonResults(text: string, variables: readonly string[], refuse: Refuse): readonly SolutionRow[] {
  const {results} = asObject(parsed(text, refuse), 'the answer', refuse)
  const {bindings} = asObject(results, '"results"', refuse)
  if (!Array.isArray(bindings)) return refuse('"bindings" is not an array')
  return bindings.map(binding => {
    const row = asObject(binding, 'a solution', refuse)
    return variables.map(name => (Object.hasOwn(row, name) ? readTerm(row[name], refuse) : undefined))
  })
}

type JsonObject = Readonly<Record<string, unknown>>

function parsed(text: string, refuse: Refuse): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return refuse('it is not JSON', error)
  }
}

function asObject(value: unknown, name: string, refuse: Refuse): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  return refuse(`${name} is not an object`)
}

function readTerm(term: unknown, refuse: Refuse): Term {
  const {type, value, datatype, 'xml:lang': language} = asObject(term, 'a term', refuse)
  if (typeof value !== 'string' || /[\0\p{Surrogate}]/u.test(value))
    return refuse('a term has no text that RDF can hold')
  switch (type) {
    case 'uri':
      return namedNode(iriOf(value, refuse))
    case 'bnode':
      return blankNode(value)
    case 'literal':
    case 'typed-literal': // from drafts of the format and old endpoints
      if (language !== undefined && language !== '') return langLiteral(value, tagOf(language, refuse))
      return literal(value, datatype === undefined ? undefined : iriOf(datatype, refuse))
    default:
      return refuse(`a term is of the type "${excerpt(String(type))}"`)
  }
}

function iriOf(value: unknown, refuse: Refuse): string {
  if (typeof value === 'string' && isAbsoluteIri(value)) return value
  return refuse(`"${excerpt(String(value))}" is not an absolute IRI`)
}

function tagOf(value: unknown, refuse: Refuse): string {
  if (typeof value === 'string' && /^[a-zA-Z]+(?:-[a-zA-Z0-9]+)*$/.test(value)) return value
  return refuse(`"${excerpt(String(value))}" is not a language tag`)
}
