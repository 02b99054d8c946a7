/**
 * Past states of a document: Memento, the list of states, differences, and restoring.
 *
 * Sources: RFC 7089 §2, §4.1.2 (the document is its own TimeGate and answers 200), §4.5; docs/changes.md.
 */
import {Problem} from '../../base/problem.ts'
import {type PastState, readState, type StateChoice} from '../../db/store/history.ts'
import {formats} from '../../format/registry.ts'
import {type Negotiated, negotiate} from '../../http/accept.ts'
import {evaluatePreconditions, readPreconditions, strongTag} from '../../http/conditional.ts'
import {formatHttpDate} from '../../http/date.ts'
import {formatTypedLink} from '../../http/link.ts'
import {type HistoryQuery, readAcceptDatetime, readHistoryQuery} from '../../http/memento.ts'
import {writeConditions} from '../../ldp/conditions.ts'
import {compareStates, createAgain, differencePatch, readTimeMap, restoreState} from '../../ldp/history.ts'
import {
  historyLinks,
  linkFormat,
  stateIri,
  stateLinks,
  timeMapIri,
  timeMapText,
  timeMapTriples,
} from '../../ldp/time-map.ts'
import {datasetToRead, type Exchange, fieldsOf, headerOf} from '../exchange.ts'
import {chooseFormat, contentType, writeLongBody} from './offers.ts'
import {preconditionsOf} from './preconditions.ts'
import {quadsOf, resourceLink, varied} from './reply.ts'
import {answerWritten} from './write.ts'

/** Which past state a request is about, or which list or difference of states; undefined: the present document. */
export type PastRequest = Exclude<HistoryQuery, {readonly kind: 'restore'}> | {readonly kind: 'time'; readonly at: Date}

/**
 * Reads what a GET asks of a document's history. If the service keeps none, Accept-Datetime is ignored.
 *
 * @throws  Problem 400 `history-query`, `datetime-syntax`, `page-known` · 404 `state-exists` · 405 `method-allowed`
 */
export function pastRequestOf({site, context, target}: Exchange): PastRequest | undefined {
  const query = readHistoryQuery(target.query)
  if (query !== undefined) {
    if (query.kind === 'restore') throw onlyFor('POST', context.method)
    return query
  }
  if (!site.hasHistory) return undefined
  const at = readAcceptDatetime(fieldsOf(context, 'accept-datetime'), Date.now())
  return at && {kind: 'time', at}
}

/**
 * Refuses a write to a past state, which would otherwise change the present document.
 *
 * @returns  the tag of the state to restore; undefined: the request is about the present document
 * @throws   Problem 405 `method-allowed`, and as `readHistoryQuery`
 */
export function restoredTagOf({context, target}: Exchange): string | undefined {
  const query = readHistoryQuery(target.query)
  if (query === undefined) return undefined
  if (query.kind !== 'restore') throw onlyFor('GET, HEAD, OPTIONS', context.method)
  if (context.method !== 'POST') throw onlyFor('POST', context.method)
  return query.tag
}

function onlyFor(allowed: string, method: string): Problem {
  const message = `${method} is not possible on this view of a document's history, but ${allowed}.`
  return new Problem(405, 'method-allowed', message, {headers: {Allow: allowed}})
}

/** Answers a GET or HEAD about the history with data. */
export function answerPast(exchange: Exchange, asked: PastRequest): Promise<void> {
  switch (asked.kind) {
    case 'state':
      return answerState(exchange, {tag: asked.tag})
    case 'time':
      return answerState(exchange, {at: asked.at})
    case 'states':
      return answerTimeMap(exchange, asked.under)
    case 'difference':
      return answerDifference(exchange, asked)
  }
}

async function answerState(exchange: Exchange, choice: StateChoice): Promise<void> {
  const {site, context, iri} = exchange
  const chosen = chooseFormat(headerOf(context, 'accept'))
  const isHeadOnly = context.method === 'HEAD'
  const state = await readStateAt(exchange, choice, isHeadOnly)
  describeState(exchange, state, choice)
  if (isUnchanged(exchange, state)) return
  context.status = 200
  context.set('Content-Type', contentType(chosen))
  if (isHeadOnly) return
  context.body = await writeLongBody(chosen, quadsOf(iri, state.triples ?? []), site.prefixes)
}

/**
 * Reads a state.
 *
 * @throws  Problem 404 `document-exists`: there was no document at the time
 */
export async function readStateAt(exchange: Exchange, choice: StateChoice, isHeadOnly: boolean): Promise<PastState> {
  const {iri} = exchange
  const state = await readState(datasetToRead(exchange).session, iri, choice, {isHeadOnly})
  if (state.tag !== undefined) return state
  const time = 'at' in choice ? ` at ${formatHttpDate(choice.at.getTime())}` : ''
  throw new Problem(404, 'document-exists', `There was no document <${iri}>${time}.`, {
    headers: {Link: `${resourceLink}, ${stateLinks(iri, state.around, undefined)}`},
  })
}

/** Sets the headers of a state. A negotiated one also has its own URL as Content-Location (RFC 7089 §4.1.2). */
export function describeState({context, iri}: Exchange, state: PastState, choice: StateChoice): void {
  context.set({
    Link: `${resourceLink}, ${stateLinks(iri, state.around, state)}`,
    'Memento-Datetime': formatHttpDate(state.time.getTime()),
    Vary: varied,
    'Cache-Control': 'no-cache', // grants may change
    ETag: `"${state.tag}"`,
  })
  if ('at' in choice) context.set('Content-Location', stateIri(iri, state.tag))
}

function isUnchanged({context}: Exchange, {tag, time}: PastState): boolean {
  const conditions = readPreconditions(context.req.headers, Date.now())
  const verdict = evaluatePreconditions(
    conditions,
    {tags: [strongTag(tag)], lastModifiedMs: time.getTime()},
    context.method,
  )
  if (verdict === 'precondition-failed')
    throw new Problem(412, 'etag-mismatch', `The entity tag of this state is "${tag}".`, {members: {etag: tag}})
  if (verdict === 'proceed') return false
  context.status = 304
  return true
}

const linkFormatOffer = {mediaTypes: [linkFormat]}

async function answerTimeMap(exchange: Exchange, under: string | undefined): Promise<void> {
  const {site, context, iri} = exchange
  const accept = headerOf(context, 'accept')
  const chosen = negotiate(accept, [linkFormatOffer, ...formats])
  const offer = chosen?.offer
  const format = offer !== undefined && 'id' in offer ? ({...chosen, offer} as Negotiated<typeof offer>) : undefined
  if (offer === undefined) chooseFormat(accept) // throws
  const map = await readTimeMap(datasetToRead(exchange), iri, under)
  describeView(exchange)
  context.status = 200
  context.set('Content-Type', format === undefined ? linkFormat : contentType(format))
  if (context.method === 'HEAD') return
  context.body =
    format === undefined
      ? timeMapText(map)
      : await writeLongBody(format, quadsOf(timeMapIri(iri, under), timeMapTriples(map)), site.prefixes)
}

const patchOffer = {mediaTypes: ['text/ldpatch']}

async function answerDifference(
  exchange: Exchange,
  {from, to}: {readonly from: string; readonly to: string | undefined},
): Promise<void> {
  const {context, iri} = exchange
  const accept = headerOf(context, 'accept')
  if (negotiate(accept, [patchOffer]) === undefined)
    throw new Problem(
      406,
      'format-acceptable',
      `"${accept}" does not accept the format of a difference, text/ldpatch.`,
      {
        members: {available: patchOffer.mediaTypes},
      },
    )
  const difference = await compareStates(datasetToRead(exchange), iri, from, to)
  describeView(exchange)
  const states = [from, difference.tag].map((tag, index) =>
    formatTypedLink(stateIri(iri, tag), [index === 0 ? 'predecessor-version' : 'successor-version'], {}),
  )
  context.append('Link', states)
  context.status = 200
  context.set('Content-Type', 'text/ldpatch; charset=utf-8')
  if (context.method === 'HEAD') return
  context.body = differencePatch(difference)
}

function describeView({context, iri}: Exchange): void {
  context.set({Link: `${resourceLink}, ${historyLinks(iri)}`, Vary: varied, 'Cache-Control': 'no-cache'})
}

/**
 * Makes a state the present one: with If-Match of a document that exists, with `If-None-Match: *` of a deleted one.
 *
 * @throws  Problem 428 `precondition-required`, and as `restoreState` and `createAgain`
 */
export async function answerRestore(exchange: Exchange, tag: string): Promise<void> {
  const {site, iri, context} = exchange
  const preconditions = await preconditionsOf(exchange)
  if (preconditions.ifMatch !== undefined) {
    const written = await restoreState(site.dataset, iri, tag, writeConditions(preconditions))
    return answerWritten(exchange, iri, written, 204)
  }
  if (preconditions.ifNoneMatch !== '*')
    throw new Problem(
      428,
      'precondition-required',
      `To restore a state of <${iri}>, send If-Match with its present ETag, or If-None-Match: * if it was deleted.`,
    )
  const written = await createAgain(site.dataset, iri, tag)
  context.set('Location', iri)
  await answerWritten(exchange, iri, written, 201)
}

/**
 * Runs a GET. If it finds no document, but there was one, the error has a link to the list of its states.
 *
 * @throws  what `handle` throws
 */
export async function orDeleted(exchange: Exchange, handle: () => Promise<void>): Promise<void> {
  try {
    await handle()
  } catch (error) {
    const isMissing = error instanceof Problem && error.status === 404 && error.rule === 'document-exists'
    if (!isMissing || error.headers.Link !== undefined || !(await hadDocument(exchange))) throw error
    const headers = {...error.headers, Link: `${resourceLink}, ${historyLinks(exchange.iri)}`}
    throw new Problem(404, 'document-exists', error.message, {members: error.members, headers, cause: error})
  }
}

async function hadDocument(exchange: Exchange): Promise<boolean> {
  const {site, iri} = exchange
  if (!site.hasHistory) return false
  try {
    await readState(datasetToRead(exchange).session, iri, {at: new Date()}, {isHeadOnly: true})
    return true
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return false
    throw error
  }
}
