/**
 * `/changes`: the log of changes as JSON lines with a long poll, as server-sent events, or as a Linked Data Event
 * Stream in RDF (stream-pages.ts).
 *
 * A listener holds no connection to the database. It reads a page when it can write it, so a slow client delays nobody,
 * and at most one page waits in memory for it. slow-clients.ts closes the connection of a client that does not read.
 * Sources: docs/changes.md; HTML, "Server-sent events" §9.2.
 */
import {once} from 'node:events'
import type {Context} from 'koa'
import {observe} from '../../base/observation.ts'
import {Problem} from '../../base/problem.ts'
import {shownPresent} from '../../changes/show-change.ts'
import type {ChangesPage} from '../../db/store/changes.ts'
import {readPresent} from '../../db/store/present.ts'
import {formats} from '../../format/registry.ts'
import type {Format} from '../../format/types.ts'
import {negotiate} from '../../http/accept.ts'
import {formatLink} from '../../http/link.ts'
import {resourceLink, varied} from '../document/reply.ts'
import {headerOf, type Site} from '../exchange.ts'
import {nameRoute} from '../server/request-record.ts'
import {goneSignal} from '../server/spooled.ts'
import {type ChangesRequest, readChangesRequest, showListing} from './change-parameters.ts'
import {type ChangesForm, listingBytes, pageBytes} from './change-text.ts'
import {answerEventStream} from './stream-pages.ts'

export const changesPath = 'changes'

const offers: readonly {readonly form: ChangesForm; readonly mediaTypes: readonly string[]}[] = [
  {form: 'lines', mediaTypes: ['application/x-ndjson', 'application/jsonl', 'application/ndjson']},
  {form: 'events', mediaTypes: ['text/event-stream']},
]
const allOffers: readonly ((typeof offers)[number] | Format)[] = [...offers, ...formats]
const heartbeatMs = 15_000 // proxies close connections that are silent for longer, often after 30 or 60 s
const retryMs = 1000 // after which a client connects again

/** @throws  Problem 400 `changes-parameter` · 404 `changes-logged` · 406 · 410 `changes-kept` · 503 `listeners` */
export async function answerChanges(site: Site, context: Context): Promise<void> {
  nameRoute(context.req, 'changes')
  const accept = headerOf(context, 'accept')
  const chosen = negotiate(accept, allOffers)
  if (chosen === undefined) {
    const available = allOffers.map(({mediaTypes: [type]}) => type)
    const message = `Nothing that "${accept}" accepts can be written; there is ${available.join(', ')}`
    throw new Problem(406, 'format-acceptable', message, {members: {available}})
  }
  const {offer, mediaType} = chosen
  if (!('form' in offer)) return answerEventStream(site, context, {...chosen, offer})
  const request = readChangesRequest(context, site.dataset.base)
  const isListing = request.listing !== undefined && offer.form === 'lines'
  const after = isListing ? '' : await startOf(site, request, offer.form === 'events' ? 'last' : 'first')
  context.set({Link: resourceLink, Vary: varied, 'Cache-Control': 'no-cache', 'Content-Type': mediaType})
  if (context.method === 'HEAD') {
    context.status = 200
    return
  }
  const answer = isListing ? sendDocuments : offer.form === 'events' ? sendEvents : sendLines
  const leave = site.listeners.enter()
  try {
    await answer({site, context, request, after})
  } finally {
    leave()
  }
}

type Listening = {
  readonly site: Site
  readonly context: Context
  readonly request: ChangesRequest
  readonly after: string
}

/** The position after which to begin. @throws Problem 400 `changes-parameter`: the request asks for a list */
export async function startOf(
  {feed}: Pick<Site, 'feed'>,
  {after, listing}: ChangesRequest,
  initial: 'first' | 'last',
): Promise<string> {
  if (listing !== undefined)
    throw new Problem(400, 'changes-parameter', 'after=documents gives lines only, and not events or messages.')
  const start = after ?? initial
  if (start !== 'first' && start !== 'last') return start
  const {oldest, last} = await feed.range()
  return start === 'first' ? oldest : last
}

/** Sends one page. Waits for a change if there is none and the client asks for that. */
async function sendLines({site, context, request: {asked, waitMs}, after}: Listening): Promise<void> {
  const {feed, dataset} = site
  const signal = goneSignal(context)
  const until = performance.now() + waitMs
  let page = await feed.read(dataset.session, {...asked, after})
  while (page.changes.length === 0) {
    const leftMs = until - performance.now()
    if (page.isEnd && (leftMs <= 0 || !(await feed.wait(page.next, {ms: leftMs, signal})))) break
    page = await feed.read(dataset.session, {...asked, after: page.next})
  }
  noteSent(page)
  linkPages({site, context}, page.next, page.isEnd ? page.next : (await feed.range()).last)
  context.body = pageBytes(page, 'lines')
}

/** Sends a page of the present documents. The last page links to the changes after the list began. */
async function sendDocuments({site, context, request: {asked, listing}}: Listening): Promise<void> {
  const {feed, dataset} = site
  const {last, isOn} = await feed.range()
  if (!isOn) throw new Problem(404, 'changes-logged', 'Changes are not logged here.')
  const {position = last, walked = []} = listing ?? {}
  const {limit, under, hasTriples = false} = asked
  const page = await readPresent(dataset.session, {walked, limit, under})
  const next = page.next === undefined ? position : showListing({position, walked: page.next})
  linkPages({site, context}, next, last)
  context.body = listingBytes(page.documents.map(document => shownPresent(document, position, hasTriples)))
}

/** Links to the next page, and to the changes from now on. Their positions show how far behind a reader is. */
function linkPages({site, context}: Pick<Listening, 'site' | 'context'>, next: string, last: string): void {
  const link = (relation: string, after: string) => {
    const parameters = new URLSearchParams(context.querystring)
    parameters.set('after', after)
    return formatLink({target: `${site.dataset.base}${changesPath}?${parameters}`, relation})
  }
  context.set('Link', [resourceLink, link('next', next), link('last', last)].join(', '))
}

/**
 * Sends events until the client leaves, the service stops, or the limit of an answer's time is near. Then the client
 * connects again, with the id of the last event. So its credentials are checked again, too.
 */
async function sendEvents({site, context, request: {asked}, after}: Listening): Promise<void> {
  const {feed, dataset, limits} = site
  const {res} = context
  const signal = goneSignal(context)
  const until = performance.now() + limits.streamMs
  let page = await feed.read(dataset.session, {...asked, after}) // an error has a status of its own
  context.status = 200
  context.respond = false
  context.set('X-Accel-Buffering', 'no') // for nginx
  res.write(`retry: ${retryMs}\n\n`)
  let from = after
  try {
    while (!signal.aborted) {
      if (page.next !== from) await send(res.write(pageBytes(page, 'events')), context, signal)
      noteSent(page)
      from = page.next
      if (page.isEnd) {
        const ms = Math.min(heartbeatMs, until - performance.now())
        const isFound = ms > 0 && (await feed.wait(from, {ms, signal}))
        if (!isFound) await send(res.write(':\n\n'), context, signal)
      }
      if (!feed.isOpen() || performance.now() >= until) break
      page = await feed.read(dataset.session, {...asked, after: from})
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const {status, rule: title, message: detail, members} = error
    res.write(`event: problem\ndata: ${JSON.stringify({title, status, detail, ...members})}\n\n`)
  } finally {
    res.end()
  }
}

/** Waits until the client has read what was written. */
async function send(isRoom: boolean, {res}: Context, signal: AbortSignal): Promise<void> {
  if (!isRoom && !signal.aborted) await once(res, 'drain', {signal}).catch(() => undefined)
}

function noteSent({changes}: ChangesPage): void {
  const last = changes.at(-1)
  if (last === undefined) return
  observe({kind: 'changes-sent', count: changes.length, lagMs: Math.max(0, Date.now() - last.time.getTime())})
}
