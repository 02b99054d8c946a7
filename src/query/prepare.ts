/**
 * Prepares query texts, and caches the prepared queries by text and by shape.
 *
 * The shape of a query is its text without constants. When a shape occurs the second time, it is parsed with marks in
 * place of the constants. The first query of the shape decides whether it fits: replacing the marks must give what its
 * parser gave. This and later queries of the shape are made by replacing the marks, without parsing. The cache records
 * shapes that do not fit. A long text has no shape: a thread parses it.
 */
import type {Iri} from '../rdf/term.ts'
import type {DatasetClause} from '../sparql/algebra.ts'
import {hasService} from '../sparql/analyse/services.ts'
import {longText, type PreparedQuery, prepareQuery, refill} from '../sparql/compile.ts'
import {liftableConstants} from '../sparql/lift.ts'
import {checkLength, defaultLimits} from '../sparql/parse/limits.ts'
import {isFilledTo, markedText, type Shape, shapeOf} from '../sparql/shape.ts'
import type {CachedQuery, PlanCache} from './plan-cache.ts'
import {uncached} from './plans.ts'
import type {ProcessState} from './state.ts'

export type QueryText = {
  readonly text: string
  readonly base: Iri // the request's URL
  readonly dataset?: DatasetClause | undefined // from the protocol's parameters
  readonly signal?: AbortSignal | undefined // aborts when the client disconnects
}

export type FoundQuery = {
  readonly query: CachedQuery
  readonly isKept: boolean // this text was in the cache
}

type Preparing = Pick<ProcessState, 'limits' | 'threads'> & {readonly cache: Pick<PlanCache, 'texts' | 'shapes'>}

const textLimit = 20_000 // UTF-16 units of a cached query

/** @throws  Problem 400 (see sparql/parse/parse.ts), and the Problems of threads.ts */
export async function prepare(process: Preparing, asked: QueryText): Promise<FoundQuery> {
  const {text, base, dataset} = asked
  const {texts} = process.cache
  if (text.length > textLimit) return {query: uncached(await prepareLong(process, asked)), isKept: false}
  const key = dataset === undefined ? `${base} ${text}` : JSON.stringify([text, base, dataset])
  const known = texts.get(key)
  if (known !== undefined) return {query: known, isKept: true}
  const query =
    text.length > longText ? uncached(await prepareLong(process, asked)) : sharing(prepareByShape(process, asked))
  texts.set(key, query)
  return {query, isKept: false}
}

/** A query that shares its plan with others. One with SERVICE does not, because its plan contains solutions. */
function sharing(prepared: PreparedQuery): CachedQuery {
  const {query} = prepared
  const liftable = hasService(query.pattern) ? [] : liftableConstants(query)
  return {prepared, liftable, plans: []}
}

function prepareByShape({limits = defaultLimits, cache: {shapes}}: Preparing, asked: QueryText): PreparedQuery {
  const {text, base, dataset} = asked
  const shape = shapeOf(text)
  if (shape === undefined) return prepareQuery(text, base, dataset, {limits})
  const key = JSON.stringify([shape.shape, base, dataset])
  const known = shapes.get(key)
  if (known !== undefined && known !== 'unfit') {
    const template = 'shape' in known ? templateOf(known.shape, known.prepared, base, dataset) : known
    if (template !== known) shapes.set(key, template ?? 'unfit')
    checkLength(text, limits)
    if (template !== undefined) return refill(template, shape.constants)
  }
  const prepared = prepareQuery(text, base, dataset, {limits})
  if (known === undefined) shapes.set(key, {shape, prepared})
  return prepared
}

async function prepareLong({limits = defaultLimits, threads}: Preparing, asked: QueryText): Promise<PreparedQuery> {
  const {text, base, dataset, signal} = asked
  checkLength(text, limits)
  if (threads === undefined) return prepareQuery(text, base, dataset, {limits})
  return (await threads.prepare({text, base, dataset, limits, isExplained: false}, signal)).prepared
}

/** The prepared form of the marked text; undefined if filling it in does not give the prepared form of the text. */
export function templateOf(
  {shape, constants}: Shape,
  prepared: PreparedQuery,
  base: Iri,
  dataset: DatasetClause | undefined,
): PreparedQuery | undefined {
  try {
    const template = prepareQuery(markedText(shape), base, dataset)
    const isFit = template.isLong === prepared.isLong && isFilledTo(template.query, constants, prepared.query)
    return isFit ? template : undefined
  } catch {
    return undefined // only the marked text is invalid
  }
}
