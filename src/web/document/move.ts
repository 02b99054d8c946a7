/**
 * MOVE and COPY of a document, and redirects from its old URL.
 *
 * Sources: docs/interface.md, Moving and copying; RFC 4918 §9.8, §9.9; decision 0020.
 */
import {Problem} from '../../base/problem.ts'
import {copyDocument, type Destination, type Moved, moveDocument, readMovedTo} from '../../db/store/document-moves.ts'
import {strongTag} from '../../http/conditional.ts'
import {readDestination, readOverwrite} from '../../http/destination.ts'
import {checkWritePreferences, isDeep} from '../../ldp/action.ts'
import {writeConditions} from '../../ldp/conditions.ts'
import {type Exchange, headerOf} from '../exchange.ts'
import {hasBody} from '../server/body.ts'
import {orMissing} from './get.ts'
import {abilities} from './offers.ts'
import {preconditionsOf} from './preconditions.ts'
import {answerEmpty, describeDocument, resourceLink, varied} from './reply.ts'
import {requireIfMatch} from './write.ts'

export async function answerMove(exchange: Exchange): Promise<void> {
  const {site, context, iri, preferences} = exchange
  refuseRoot(exchange)
  checkWritePreferences(preferences)
  const preconditions = await preconditionsOf(exchange)
  const destination = await orMissing(exchange, async () => {
    await refuseBody(exchange)
    if (!isDeep(headerOf(context, 'depth')))
      throw new Problem(400, 'depth-known', 'A MOVE includes everything below the document, so Depth must be infinity.')
    if (site.requireIfMatch === 'all') requireIfMatch(exchange, preconditions)
    return destinationOf(exchange)
  })
  const {redirectSeconds} = site
  const conditions = writeConditions(preconditions)
  const moved = await moveDocument(site.dataset.session, iri, conditions, {...destination, redirectSeconds})
  answerMoved(exchange, destination, moved)
}

export async function answerCopy(exchange: Exchange): Promise<void> {
  const {site, context, iri, preferences} = exchange
  refuseRoot(exchange)
  checkWritePreferences(preferences)
  const preconditions = await preconditionsOf(exchange)
  const how = await orMissing(exchange, async () => {
    await refuseBody(exchange)
    return {...destinationOf(exchange), isDeep: isDeep(headerOf(context, 'depth'))}
  })
  const copied = await copyDocument(site.dataset.session, iri, writeConditions(preconditions), how)
  answerMoved(exchange, how, copied)
}

/** @throws  Problem 405 `root-stays` */
function refuseRoot({site, context, iri}: Exchange): void {
  if (iri !== site.dataset.base) return
  const message = `${context.method} is not possible on the root document, which contains all others.`
  throw new Problem(405, 'root-stays', message, {headers: abilities(true)})
}

/** Refuses a body, which would be ignored (RFC 4918 §8.4). @throws  Problem 415 `media-type-known` */
async function refuseBody(exchange: Exchange): Promise<void> {
  if (await hasBody(exchange))
    throw new Problem(
      415,
      'media-type-known',
      `A ${exchange.context.method} has no body; send neither one nor Content-Type.`,
    )
}

function destinationOf({site, context}: Exchange): Destination {
  const {destination = [], overwrite = []} = context.req.headersDistinct
  return {iri: readDestination(destination, site.dataset.base), overwrites: readOverwrite(overwrite)}
}

/** A destination that was free is a 201, one that was overwritten a 204 (RFC 4918 §9.8.5, §9.9.4). */
function answerMoved({site, context}: Exchange, {iri}: Destination, {isCreated, state}: Moved): void {
  if (state === undefined) context.set({Link: resourceLink, Vary: varied, 'Cache-Control': 'no-cache'})
  else {
    const {etag, modified} = state
    const {hasHistory, dataset} = site
    describeDocument(context, {iri, base: dataset.base, tag: strongTag(etag), modified, hasHistory})
  }
  context.set('Location', iri)
  answerEmpty(context, isCreated ? 201 : 204)
}

/**
 * Runs a handler. If it finds no document because it has moved, answers with a redirect (MOVED_REDIRECTS_SECONDS).
 *
 * The redirect must not be cached, because a new document may get the old URL.
 */
export async function orMoved(exchange: Exchange, handle: () => Promise<void>): Promise<void> {
  const {site, context, iri, target} = exchange
  try {
    await handle()
  } catch (error) {
    const isMissing = error instanceof Problem && error.status === 404 && missing.has(error.rule)
    if (!isMissing || site.redirectSeconds === 0) throw error
    const path = iri.endsWith('/') ? iri : `${iri}/`
    const found = await readMovedTo(site.dataset.session, path)
    if (found === undefined) throw error
    const query = target.query === undefined ? '' : `?${target.query}`
    context.set({Location: found + query, Link: resourceLink, 'Cache-Control': 'no-cache'})
    answerEmpty(context, 308)
  }
}

const missing = new Set(['document-exists', 'parent-exists'])
