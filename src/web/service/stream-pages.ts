/**
 * `/changes` in RDF: a Linked Data Event Stream of the versions of all documents (docs/changes.md).
 *
 * A full page is immutable. Its bytes follow from the log, so its entity tag is strong, and is known without reading
 * the triples.
 * With access control a page depends on the reader and on the grants of the day: it has no tag and is not immutable.
 * Sources: LDES server primer (w3id.org/ldes/server-primer) §2; RFC 9110 §8.8.3; RFC 8246 (immutable).
 */
import {createHash} from 'node:crypto'
import type {Context} from 'koa'
import {Problem} from '../../base/problem.ts'
import type {ChangeRange} from '../../db/store/changes.ts'
import {readVersions} from '../../db/store/versions.ts'
import type {Format} from '../../format/types.ts'
import type {Negotiated} from '../../http/accept.ts'
import {evaluatePreconditions, formatTag, readPreconditions, strongTag} from '../../http/conditional.ts'
import {pageQuads, rootTriples, type StreamPage, streamPage} from '../../ldp/event-stream.ts'
import {defaultGraph, type Quad} from '../../rdf/term.ts'
import {contentType, writeLongBody} from '../document/offers.ts'
import {answerEmpty, resourceLink, varied} from '../document/reply.ts'
import type {Site} from '../exchange.ts'
import {readStreamPage} from './change-parameters.ts'

const yearSeconds = 31_536_000

/** @throws  Problem 400 `changes-parameter` · 404 `changes-logged`, `changes-page` · 410 `changes-kept` · 412 */
export async function answerEventStream(site: Site, context: Context, chosen: Negotiated<Format>): Promise<void> {
  const number = readStreamPage(context)
  const range = await site.feed.range()
  if (!range.isOn) throw new Problem(404, 'changes-logged', 'Changes are not logged here.')
  const page = number === undefined ? undefined : existingPage(range, number)
  const isFinal = page?.isFull === true && !site.access.isGuarded
  const {changesKept, dataset} = site
  const keptSeconds = typeof changesKept === 'number' ? changesKept : undefined
  const maxAge = Math.min(keptSeconds ?? yearSeconds, yearSeconds)
  const freshness = isFinal ? `public, max-age=${maxAge}, immutable` : 'no-cache'
  context.set({Link: resourceLink, Vary: varied, 'Cache-Control': freshness, 'Content-Type': contentType(chosen)})
  const parts = page === undefined ? [range.oldest, String(keptSeconds)] : [page.number, page.after, page.until]
  if (isUnchanged(site, context, [dataset.base, chosen.mediaType, ...parts])) return answerEmpty(context, 304)
  context.status = 200
  if (context.method === 'HEAD') return
  const root = `${dataset.base}changes`
  const quads =
    page === undefined
      ? rootTriples(root, range, keptSeconds).map(triple => ({...triple, graph: defaultGraph}))
      : await quadsOfPage(site, root, page, chosen.offer)
  context.body = await writeLongBody(chosen, quads, site.prefixes)
}

function existingPage(range: ChangeRange, number: number): StreamPage {
  const page = streamPage(range, number)
  if (page === undefined) throw new Problem(404, 'changes-page', `The event stream has no page ${number} yet.`)
  if (page !== 'expired') return page
  const message = `The changes of page ${number} are no longer kept; the oldest position is ${range.oldest}.`
  throw new Problem(410, 'changes-kept', message, {members: {oldest: range.oldest}})
}

/** Formats without graphs have the members without the states of the documents. */
async function quadsOfPage(site: Site, root: string, page: StreamPage, format: Format): Promise<readonly Quad[]> {
  const {after, until} = page
  const versions = await readVersions(site.dataset.session, {after, until, hasTriples: format.hasGraphs})
  return pageQuads(root, page, versions)
}

/** Sets the entity tag and evaluates the preconditions. Does nothing if access control is on. */
function isUnchanged(site: Site, context: Context, parts: readonly (string | number)[]): boolean {
  if (site.access.isGuarded) return false
  const tag = strongTag(createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22))
  context.set('ETag', formatTag(tag))
  const conditions = readPreconditions(context.req.headers, Date.now())
  const verdict = evaluatePreconditions(conditions, {tags: [tag]}, context.method)
  if (verdict === 'precondition-failed')
    throw new Problem(412, 'etag-mismatch', `The entity tag of this page is ${formatTag(tag)}.`)
  return verdict === 'not-modified'
}
