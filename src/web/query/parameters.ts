/**
 * The parameters of the SPARQL 1.1 Protocol: the query or update, and the graphs that replace FROM and USING; and `at`,
 * the time of a past state.
 *
 * Pure. Other parameters are ignored. Source: SPARQL 1.1 Protocol §2.1.
 */
import {excerpt} from '../../base/excerpt.ts'
import {Problem} from '../../base/problem.ts'
import {percentDecode} from '../../http/percent.ts'
import {isAbsoluteIri} from '../../rdf/iri.ts'
import type {Iri} from '../../rdf/term.ts'
import type {DatasetClause} from '../../sparql/algebra.ts'

export const queryType = 'application/sparql-query'
export const updateType = 'application/sparql-update'
export const formType = 'application/x-www-form-urlencoded'

/**
 * Parses a form (application/x-www-form-urlencoded).
 *
 * @throws  Problem 400 `body-encoding`: not UTF-8 · 400 `query-length`: too many parameters
 */
export function parseForm(body: string): URLSearchParams {
  if (body.split('&', parameterLimit + 1).length > parameterLimit) {
    const message = `The form has more than ${parameterLimit} parameters.`
    throw new Problem(400, 'query-length', message, {members: {limit: parameterLimit}})
  }
  if (percentDecode(body) === undefined) throw new Problem(400, 'body-encoding', "The form's escapes are not UTF-8.")
  return new URLSearchParams(body)
}

/** The same as data, which another thread can return: the names and values in their order. */
export function formEntries(body: string): [name: string, value: string][] {
  return [...parseForm(body)]
}

const parameterLimit = 10_000 // parsing millions takes seconds

/** The parameters of a URL and a form together. */
export function joined(first: URLSearchParams, second: URLSearchParams): URLSearchParams {
  return first.size === 0 ? second : new URLSearchParams([...first, ...second])
}

/**
 * The text of the query.
 *
 * @throws  Problem 400 `query-given`: none or several · `query-reads-only`: an update
 */
export function queryOf(parameters: URLSearchParams): string {
  refuseUpdate(parameters)
  const [text, ...others] = parameters.getAll('query')
  if (text !== undefined && others.length === 0) return text
  const count = text === undefined ? 'none' : others.length + 1
  throw new Problem(400, 'query-given', `One query is needed, in the parameter "query"; got ${count}.`)
}

/**
 * Checks the parameters of a request whose body is the query.
 *
 * @throws  Problem 400 `query-given`: a second query · `query-reads-only`: an update
 */
export function refuseSecondQuery(parameters: URLSearchParams): void {
  refuseUpdate(parameters)
  if (!parameters.has('query')) return
  throw new Problem(400, 'query-given', 'One query is needed; got the body and the parameter "query".')
}

function refuseUpdate(parameters: URLSearchParams): void {
  if (parameters.has('update'))
    throw new Problem(400, 'query-reads-only', 'This is an update, in the parameter "update": POST it as a form.')
}

/**
 * The text of the update in a posted form.
 *
 * @throws  Problem 400 `query-given`: a query as well, or several updates
 */
export function updateOf(parameters: URLSearchParams): string {
  const [text, ...others] = parameters.getAll('update')
  if (text !== undefined && others.length === 0 && !parameters.has('query')) return text
  throw new Problem(400, 'query-given', 'One update is needed, in the parameter "update", and no query beside it.')
}

/**
 * Checks the parameters of a request whose body is the update.
 *
 * @throws  Problem 400 `query-given`: a query or a second update
 */
export function refuseSecondUpdate(parameters: URLSearchParams): void {
  if (!parameters.has('query') && !parameters.has('update')) return
  throw new Problem(400, 'query-given', 'One update is needed; got the body and a parameter "update" or "query".')
}

/** @throws  Problem 400 `update-time`: an update of a past state */
export function refusePast(parameters: URLSearchParams): void {
  if (parameters.has('at')) throw updateOfPast()
}

export function updateOfPast(): Problem {
  return new Problem(400, 'update-time', 'An update changes the present store, so it cannot have a time.')
}

/**
 * The dataset of an update's WHERE clauses.
 *
 * @throws  Problem 400 `query-graph`: not an absolute IRI
 */
export function usingOf(parameters: URLSearchParams): {readonly using?: DatasetClause} {
  const defaults = parameters.getAll('using-graph-uri').map(checkedGraph)
  const named = parameters.getAll('using-named-graph-uri').map(checkedGraph)
  return defaults.length + named.length === 0 ? {} : {using: {default: defaults, named}}
}

/**
 * The dataset of a query, and its time.
 *
 * @throws  Problem 400 `query-graph`, `query-time`
 */
export function queryScopeOf(parameters: URLSearchParams): {readonly dataset?: DatasetClause; readonly at?: Date} {
  return {...datasetOf(parameters), ...timeOf(parameters)}
}

const timeSyntax = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

function timeOf(parameters: URLSearchParams): {readonly at?: Date} {
  const [text, ...others] = parameters.getAll('at')
  if (text === undefined) return {}
  const at = new Date(timeSyntax.test(text) && isDay(text.slice(0, 10)) ? text : Number.NaN)
  if (others.length === 0 && !Number.isNaN(at.getTime())) return {at}
  const expected = 'one xsd:dateTime with a time zone, such as 2026-11-17T09:30:00Z'
  throw new Problem(400, 'query-time', `"at" must be ${expected}, not "${excerpt(text)}".`)
}

/** Whether the calendar has the day. Date takes 30 February for a day of March. */
function isDay(day: string): boolean {
  const begin = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(begin.getTime()) && begin.toISOString().startsWith(day)
}

/** @throws  Problem 400 `query-graph`: not an absolute IRI */
export function datasetOf(parameters: URLSearchParams): {readonly dataset?: DatasetClause} {
  const defaults = parameters.getAll('default-graph-uri').map(checkedGraph)
  const named = parameters.getAll('named-graph-uri').map(checkedGraph)
  return defaults.length + named.length === 0 ? {} : {dataset: {default: defaults, named}}
}

function checkedGraph(iri: string): Iri {
  if (isAbsoluteIri(iri)) return iri
  throw new Problem(400, 'query-graph', `A graph must be named by an absolute IRI, got "${excerpt(iri)}"`)
}
