/**
 * Lifts constants out of a query, so that queries that differ only in these constants share one plan.
 *
 * Pure. A constant can be lifted if it is a term of the dictionary and occurs only as subject of triple patterns, as
 * object of those with a constant predicate, or as resource of DESCRIBE. So it is never a value of a solution, as an
 * end of a path can be. The index of the pattern does not depend on it either: the size of a graph decides how
 * PostgreSQL should read it, and an object without a predicate has an index for nodes only, which PostgreSQL uses if it
 * sees that the object is a node.
 *
 * The query is compiled with markers in place of the ids of the lifted constants. A marker is an id of the same kind of
 * term that no stored term and no other constant has. The planner can therefore assume nothing about the constant,
 * except that it is in none of the statistics. The caller lifts only constants for which this is true, so that the plan
 * is the one that each of them would have alone.
 */
import {firstMarkers, kindOfId} from '../rdf/id-layout.ts'
import type {Literal, NamedNode} from '../rdf/term.ts'
import {termKey} from '../rdf/term-key.ts'
import type {Query} from './algebra.ts'
import {constantsOf, visitConstants} from './analyse/constants.ts'

/** Constants that are lifted out of a query. */
export type Lifting = {
  readonly keys: readonly string[] // of the constants, in the order of their first occurrence
  readonly rest: string // equal for two queries exactly if they differ in nothing else
}

/** SQL with parameters in place of markers. */
export type ParameterText = {
  readonly text: string
  readonly order: readonly number[] // the indexes of the constants that are the parameters
}

const liftedMax = 1000
/** Markers differ from the first one in their last digits only. No other number in SQL has the digits before these. */
const [iriDigits, literalDigits] = [firstMarkers.iri, firstMarkers.literal].map(id => String(id).slice(0, -7))
const anyMarker = new RegExp(`\\b(?:${iriDigits}|${literalDigits})\\d{7}\\b(::int8)?`, 'g')

/** The keys of the constants that can be lifted. */
export function liftableConstants(query: Query): readonly string[] {
  const [ends, others] = [new Set<string>(), new Set<string>()]
  const stored = constantsOf(query)
  visitConstants(query, (term, isEnd) => {
    const key = termKey(term)
    if (stored.has(key)) (isEnd && !isTagged(term) ? ends : others).add(key)
  })
  return [...ends].filter(key => !others.has(key)).slice(0, liftedMax)
}

/** Language tags are compared without case, so a pattern may match several ids. */
function isTagged(term: NamedNode | Literal): boolean {
  return term.termType === 'Literal' && term.language !== ''
}

export function liftConstants(query: Query, keys: readonly string[]): Lifting {
  const indexes = new Map(keys.map((key, index) => [key, index]))
  const rest = JSON.stringify(query, (name, value) => {
    const isConstant = name !== 'datatype' && (value?.termType === 'NamedNode' || value?.termType === 'Literal')
    const index = isConstant ? indexes.get(termKey(value)) : undefined
    return index === undefined ? value : {lifted: index, as: value.termType}
  })
  return {keys, rest}
}

/** The marker of a lifted constant. */
export function markerOf(key: string, index: number): string {
  return String((key.startsWith('I') ? firstMarkers.iri : firstMarkers.literal) + BigInt(index))
}

/** Puts ids in place of the markers of a text. A marker without an id stays, which matches nothing. */
export function fillMarkers(text: string, ids: readonly (string | undefined)[]): string {
  return text.replace(anyMarker, (found, cast = '') => `${ids[indexOf(found)] ?? found}${cast}`)
}

/**
 * Puts parameters in place of the markers of a text.
 *
 * @param write  writes the expression for the id of the constant at a place of the order
 * @returns      undefined if a marker is in a place where no expression can be, such as a list of ids
 */
export function withParameters(text: string, write: (place: number) => string): ParameterText | undefined {
  const order: number[] = []
  let isPossible = true
  const numbered = text.replace(anyMarker, (found, cast?: string) => {
    if (cast === undefined) isPossible = false
    const index = indexOf(found)
    const place = order.includes(index) ? order.indexOf(index) : order.push(index) - 1
    return write(place)
  })
  return isPossible ? {text: numbered, order} : undefined
}

function indexOf(found: string): number {
  const id = found.replace('::int8', '')
  return Number(BigInt(id) - (kindOfId(id) === 'iri' ? firstMarkers.iri : firstMarkers.literal))
}
