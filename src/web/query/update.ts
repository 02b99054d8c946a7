/**
 * Updates over HTTP: POSTed to a document, or sent to /sparql by the SPARQL 1.1 Protocol.
 *
 * Sources: SPARQL 1.1 Protocol §2.2; docs/interface.md, Updates; decision 0006.
 */
import type {Context} from 'koa'
import {Problem} from '../../base/problem.ts'
import {checkPrecondition, hasDocument} from '../../db/store/document-reads.ts'
import type {WriteConditions} from '../../db/store/session.ts'
import {decodeBody} from '../../format/registry.ts'
import {formatPreferenceApplied, type Preferences} from '../../http/prefer.ts'
import {checkStrictness} from '../../ldp/action.ts'
import {writeConditions} from '../../ldp/conditions.ts'
import {noDocument} from '../../ldp/no-document.ts'
import type {UpdateRequest, UpdateResult} from '../../query/update.ts'
import type {Iri} from '../../rdf/term.ts'
import type {UpdateScope} from '../../sparql/translate/update.ts'
import {orMissing} from '../document/get.ts'
import {preconditionsOf} from '../document/preconditions.ts'
import {answerEmpty, resourceLink, varied} from '../document/reply.ts'
import {requireIfMatch} from '../document/write.ts'
import type {Exchange, Site} from '../exchange.ts'
import {readerSite, requireQuery} from '../server/access.ts'
import {readBytes} from '../server/body.ts'
import {nameRoute, recordOf} from '../server/request-record.ts'
import {goneSignal} from '../server/spooled.ts'
import {refusePast, refuseSecondUpdate, updateOfPast, usingOf} from './parameters.ts'

/** Runs an update POSTed to a document, which is the default graph of its templates. */
export async function postUpdate(exchange: Exchange): Promise<void> {
  const {site, context, iri, target, preferences} = exchange
  checkStrictness(preferences)
  const preconditions = await preconditionsOf(exchange)
  const text = await orMissing({...exchange, site: readerSite(site)}, async () => {
    if (site.requireIfMatch === 'all') requireIfMatch(exchange, preconditions)
    return decodeBody(await readBytes({site, context}))
  })
  if (iri !== site.dataset.base && !(await hasDocument(readerSite(site).dataset.session, iri))) throw noDocument(iri)
  await requireQuery(site, context, iri)
  const parameters = new URLSearchParams(target.query)
  refuseSecondUpdate(parameters)
  refusePast(parameters)
  const scope = {document: iri, ...usingOf(parameters)}
  await answerUpdate(site, context, {text, base: iri, scope, conditions: writeConditions(preconditions), preferences})
}

export type AskedUpdate = {
  readonly text: string
  readonly base: Iri
  readonly scope: UpdateScope
  readonly conditions: WriteConditions
  readonly preferences: Preferences
}

/** Runs an update and answers with what it has changed. */
export async function answerUpdate(site: Site, context: Context, {preferences, ...asked}: AskedUpdate): Promise<void> {
  context.set({Link: resourceLink, Vary: varied, 'Cache-Control': 'no-cache'})
  const result = await runRequestedUpdate(site, context, asked)
  if (preferences.return === 'minimal') {
    context.set('Preference-Applied', formatPreferenceApplied({return: 'minimal'}))
    return answerEmpty(context, 204)
  }
  context.type = 'application/json'
  context.body = `${JSON.stringify(shown(result))}\n`
}

function shown({inserted, removed, created, changed, deleted}: UpdateResult) {
  return {triples: {inserted, removed}, created, changed, deleted}
}

/**
 * Runs an update on behalf of the request's caller.
 *
 * If it is refused, and a precondition fails as well, throws that error: it comes first (decision 0010).
 */
export async function runRequestedUpdate(
  site: Site,
  context: Context,
  asked: Omit<UpdateRequest, 'session' | 'signal'>,
): Promise<UpdateResult> {
  nameRoute(context.req, 'update')
  if (context.req.headers['accept-datetime'] !== undefined) throw updateOfPast()
  const {session} = site.dataset
  const signal = goneSignal(context)
  const {id: requestId} = recordOf(context.req)
  const endTurn = await site.turns.enter(site.callerKey(context), signal)
  try {
    return await site.queries.update({signal, ...asked, session: {...session, requestId}})
  } catch (error) {
    const {document} = asked.scope
    if (error instanceof Problem && error.status < 500 && document !== undefined)
      await checkPrecondition(readerSite(site).dataset.session, document, asked.conditions)
    throw error
  } finally {
    endTurn()
  }
}
