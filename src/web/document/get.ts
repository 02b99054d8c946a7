/**
 * GET, HEAD and OPTIONS of a document.
 *
 * Source: docs/interface.md, Requests on a document; Entity tags and conditions.
 */
import {Problem} from '../../base/problem.ts'
import {hasDocument} from '../../db/store/document-reads.ts'
import type {Format} from '../../format/types.ts'
import type {Negotiated} from '../../http/accept.ts'
import {evaluatePreconditions, type Preconditions, type TagCondition} from '../../http/conditional.ts'
import {formatPreferenceApplied} from '../../http/prefer.ts'
import {checkStrictness} from '../../ldp/action.ts'
import type {Dataset} from '../../ldp/context.ts'
import {noDocument} from '../../ldp/no-document.ts'
import {
  type Listing,
  type Representation,
  readListing,
  readRepresentation,
  streamRepresentation,
} from '../../ldp/read.ts'
import type {Iri, Quad, Triple} from '../../rdf/term.ts'
import {datasetToRead, type Exchange, headerOf} from '../exchange.ts'
import {goneSignal} from '../server/spooled.ts'
import {chooseFormat, contentType, writeLongBody} from './offers.ts'
import {preconditionsOf} from './preconditions.ts'
import {describeDocument, quadsOf, streamQuads} from './reply.ts'

export async function getDocument(exchange: Exchange): Promise<void> {
  const {site, context, iri, target, preferences} = exchange
  const chosen = await orMissing(exchange, () => chooseFormat(headerOf(context, 'accept')))
  checkStrictness(preferences)
  const listing = readListing(preferences, target.query, site.limits.pageSize)
  const conditions = await preconditionsOf(exchange)
  const dataset = datasetToRead(exchange)
  const known = tagsOf(conditions.ifNoneMatch)
  const needed = {known, seen: [...known, ...tagsOf(conditions.ifMatch)], isHeadOnly: context.method === 'HEAD'}
  const representation = await readRepresentation(dataset, iri, listing, needed)

  describe(exchange, representation, listing)
  if (isSettled(exchange, representation, conditions)) return
  context.status = 200
  context.set('Content-Type', contentType(chosen))
  if (context.method === 'HEAD') return
  const {triples} = representation.state
  if (triples === undefined) return stream(exchange, chosen, dataset, listing)
  const {listed} = representation
  const all = listed.length === 0 ? triples : [...triples, ...listed]
  context.body = await writeLongBody(chosen, quadsOf(iri, all), site.prefixes)
}

export async function answerOptions({site, context, iri}: Exchange): Promise<void> {
  if (!(await hasDocument(site.dataset.session, iri))) throw noDocument(iri)
  describeDocument(context, {iri, base: site.dataset.base, hasHistory: site.hasHistory})
  context.status = 204
}

/**
 * Runs checks of the request. If one fails and the document does not exist, the error is a 404 instead (decision 0010).
 *
 * @throws  Problem 404 `document-exists`, or what `work` throws
 */
export async function orMissing<Result>({site, iri}: Exchange, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && !(await hasDocument(site.dataset.session, iri))) throw noDocument(iri)
    throw error
  }
}

/** Tags that the client sent. The store skips triples that the client has, and never answers with an older state. */
function tagsOf(condition: TagCondition | undefined): readonly string[] {
  return Array.isArray(condition) ? condition.map(({opaque}) => opaque) : []
}

function describe({site, context, iri}: Exchange, {tag, state, nextAfter}: Representation, listing?: Listing): void {
  const {modified, isAccessPoint, allowed} = state
  const nextPage = nextAfter === undefined ? undefined : `${iri}?after=${nextAfter}`
  const {hasHistory, dataset} = site
  describeDocument(context, {iri, base: dataset.base, tag, modified, isAccessPoint, nextPage, allowed, hasHistory})
  if (listing !== undefined) context.set('Preference-Applied', formatPreferenceApplied({return: 'representation'}))
}

/**
 * Evaluates the preconditions.
 *
 * @returns  true if the answer is a 304
 * @throws   Problem 412 `etag-mismatch`
 */
function isSettled({context}: Exchange, {tag, state}: Representation, conditions: Preconditions): boolean {
  const current = {tags: [tag], lastModifiedMs: state.modified.getTime()}
  const verdict = evaluatePreconditions(conditions, current, context.method)
  if (verdict === 'precondition-failed') {
    const message =
      conditions.ifMatch === undefined
        ? `The document was modified at ${state.modified.toISOString()}, after If-Unmodified-Since.`
        : `The document's entity tag is "${state.etag}".`
    throw new Problem(412, 'etag-mismatch', message, {members: {etag: state.etag}})
  }
  if (verdict === 'proceed') return false
  context.status = 304
  context.remove('Content-Type')
  return true
}

/** Streams a large document. It takes a turn like a query, because it holds a database connection, too. */
async function stream(
  exchange: Exchange,
  chosen: Negotiated<Format>,
  dataset: Dataset,
  listing: Listing | undefined,
): Promise<void> {
  const {site, context, iri} = exchange
  const endTurn = await site.turns.enter(site.callerKey(context), goneSignal(context))
  try {
    await streamRepresentation(dataset, iri, listing, (representation, batches) => {
      describe(exchange, representation, listing)
      return streamQuads(site, context, chosen, quadBatches(iri, representation.listed, batches))
    })
  } finally {
    endTurn()
  }
}

/** Yields the listed triples first: their subject is the document, whose own triples begin the batches. */
async function* quadBatches(
  iri: Iri,
  listed: readonly Triple[],
  batches: AsyncIterable<readonly Triple[]>,
): AsyncIterable<readonly Quad[]> {
  if (listed.length > 0) yield quadsOf(iri, listed)
  for await (const triples of batches) yield quadsOf(iri, triples)
}
