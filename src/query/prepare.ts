/**
 * Prepares query texts, and caches the prepared queries by text and by shape.
 *
 * The shape of a query is its text without constants. When a shape occurs the second time, it is parsed with marks in
 * place of the constants. Later queries of this shape are made by replacing the marks, without parsing. The cache
 * records shapes for which this is not possible. A long text has no shape: a thread parses it.
 */
import {isDeepStrictEqual} from 'node:util'
import {createLru} from '../base/lru.ts'
import type {Iri} from '../rdf/term.ts'
import type {Dataset} from '../sparql/algebra.ts'
import {longText, type PreparedQuery, prepareQuery, refill} from '../sparql/compile.ts'
import {checkLength, defaultLimits, type QueryLimits} from '../sparql/parse/limits.ts'
import {markedText, type Shape, shapeOf} from '../sparql/shape.ts'
import type {QueryThreads} from './threads.ts'

/** @throws  Problem 400 (see sparql/parse/parse.ts), and the Problems of threads.ts */
export type Prepare = (request: PrepareRequest) => Promise<Prepared>

type Prepared = {
  readonly prepared: PreparedQuery
  readonly isKept: boolean // this text was in the cache
}

export type PrepareRequest = {
  readonly text: string
  readonly base: Iri
  readonly dataset?: Dataset | undefined
  readonly signal?: AbortSignal | undefined // aborts when the client disconnects
}

export type PrepareOptions = {
  readonly keptPlans: number // capacity of the cache of texts and of that of shapes
  readonly limits?: QueryLimits | undefined
  readonly threads?: QueryThreads | undefined // for long texts; undefined: they block the calling thread
}

const textLimit = 20_000 // UTF-16 units of a cached query

export function createPrepare({keptPlans, limits = defaultLimits, threads}: PrepareOptions): Prepare {
  const texts = createLru<string, PreparedQuery>(keptPlans)
  const shapes = createLru<string, PreparedQuery | 'seen' | 'unfit'>(keptPlans)

  function byShape({text, base, dataset}: PrepareRequest): PreparedQuery {
    const shape = shapeOf(text)
    if (shape === undefined) return prepareQuery(text, base, dataset, {limits})
    const key = JSON.stringify([shape.shape, base, dataset])
    const known = shapes.get(key)
    if (typeof known === 'object') {
      checkLength(text, limits)
      return refill(known, shape.constants)
    }
    const prepared = prepareQuery(text, base, dataset, {limits})
    if (known === undefined) shapes.set(key, 'seen')
    if (known === 'seen') shapes.set(key, templateOf(shape, prepared, base, dataset) ?? 'unfit')
    return prepared
  }

  async function anew({text, base, dataset, signal}: PrepareRequest): Promise<PreparedQuery> {
    checkLength(text, limits)
    if (threads === undefined) return prepareQuery(text, base, dataset, {limits})
    return (await threads.prepare({text, base, dataset, limits, isExplained: false}, signal)).prepared
  }

  return async request => {
    const {text, base, dataset} = request
    if (text.length > textLimit) return {prepared: await anew(request), isKept: false}
    const key = JSON.stringify([text, base, dataset])
    const known = texts.get(key)
    if (known !== undefined) return {prepared: known, isKept: true}
    const prepared = text.length > longText ? await anew(request) : byShape(request)
    texts.set(key, prepared)
    return {prepared, isKept: false}
  }
}

/** The prepared form of the marked text; undefined if filling it in does not give the prepared form of the text. */
export function templateOf(
  {shape, constants}: Shape,
  prepared: PreparedQuery,
  base: Iri,
  dataset: Dataset | undefined,
): PreparedQuery | undefined {
  try {
    const template = prepareQuery(markedText(shape), base, dataset)
    return isDeepStrictEqual(refill(template, constants), prepared) ? template : undefined
  } catch {
    return undefined // only the marked text is invalid
  }
}
