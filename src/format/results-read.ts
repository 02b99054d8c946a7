/**
 * The SPARQL JSON results format to solutions: what another endpoint answered.
 *
 * Floor 2. Pure. Nothing is taken on trust: what is not the format, or holds a term that is none, is told in a
 * sentence.
 * Source: SPARQL 1.1 Query Results JSON Format §3.
 */
import {excerpt} from '../base/excerpt.ts'
import {isAbsoluteIri} from '../rdf/iri.ts'
import {blankNode, langLiteral, literal, namedNode, type Term} from '../rdf/term.ts'
import type {SolutionRow} from './results-types.ts'

/** Ends the reading with a reason; `cause` is an error of the platform's. */
export type Refuse = (reason: string, cause?: unknown) => never

/**
 * Reads a whole document.
 *
 * @param variables  that are wanted; what else is bound is left out
 * @param refuse     is told what is wrong with it
 */
export function readJsonResults(text: string, variables: readonly string[], refuse: Refuse): readonly SolutionRow[] {
  const {results} = asObject(parsed(text, refuse), 'the answer', refuse)
  const {bindings} = asObject(results, '"results"', refuse)
  if (!Array.isArray(bindings)) return refuse('"bindings" is no array')
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
    return refuse('it is no JSON', error)
  }
}

function asObject(value: unknown, name: string, refuse: Refuse): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  return refuse(`${name} is no object`)
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
    case 'typed-literal': // of drafts, and of endpoints as old
      if (language !== undefined && language !== '') return langLiteral(value, tagOf(language, refuse))
      return literal(value, datatype === undefined ? undefined : iriOf(datatype, refuse))
    default:
      return refuse(`a term is of the type "${excerpt(String(type))}"`)
  }
}

function iriOf(value: unknown, refuse: Refuse): string {
  if (typeof value === 'string' && isAbsoluteIri(value)) return value
  return refuse(`"${excerpt(String(value))}" is no IRI`)
}

function tagOf(value: unknown, refuse: Refuse): string {
  if (typeof value === 'string' && /^[a-zA-Z]+(?:-[a-zA-Z0-9]+)*$/.test(value)) return value
  return refuse(`"${excerpt(String(value))}" is no language tag`)
}
