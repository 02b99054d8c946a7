/**
 * GET and HEAD of a document: the present one, or its history, as data or as a page.
 */
import {Problem} from '../../base/problem.ts'
import {readDocument} from '../../db/store/document-reads.ts'
import type {StateChoice} from '../../db/store/history.ts'
import {irisOf, labelsAround} from '../../ldp/browse.ts'
import {compareStates, readTimeMap} from '../../ldp/history.ts'
import {historyLinks} from '../../ldp/time-map.ts'
import {
  answerPast,
  describeState,
  orDeleted,
  type PastRequest,
  pastRequestOf,
  readStateAt,
} from '../document/history.ts'
import {resourceLink, varied} from '../document/reply.ts'
import {datasetToRead, type Exchange, headerOf} from '../exchange.ts'
import {answerGet} from './get-page.ts'
import {historyPage, statePage} from './history-pages.ts'
import {prefersHtml, readLanguages} from './preference.ts'
import {pageHeaders} from './security.ts'
import {isOffered} from './view.ts'

/** Answers a GET or HEAD of a document. */
export function answerRead(exchange: Exchange): Promise<void> {
  return orDeleted(exchange, async () => {
    const asked = pastRequestOf(exchange)
    if (asked === undefined) return answerGet(exchange)
    if (asked.kind === 'difference' || !prefersHtml(exchange.context.req.headers.accept))
      return answerPast(exchange, asked)
    exchange.context.state.isPage = true
    return answerPage(exchange, asked)
  })
}

async function answerPage(
  exchange: Exchange,
  asked: Exclude<PastRequest, {readonly kind: 'difference'}>,
): Promise<void> {
  const {site, context, iri} = exchange
  const dataset = datasetToRead(exchange)
  const languages = readLanguages(headerOf(context, 'accept-language'))
  if (asked.kind === 'states') {
    const map = await readTimeMap(dataset, iri, asked.under)
    const named = map.changes.flatMap(({agent}) => agent ?? [])
    sendPage(exchange, historyPage(site.pages.site, map, await labelsAround(dataset, iri, {named, languages})))
    context.set('Link', `${resourceLink}, ${historyLinks(iri)}`)
    return
  }
  const choice: StateChoice = asked.kind === 'state' ? {tag: asked.tag} : {at: asked.at}
  const state = await readStateAt(exchange, choice, false)
  const before = state.around.prev
  const changes = before && (await compareStates(dataset, iri, before.tag, state.tag))
  const now = await presentState(exchange)
  const present = now?.etag
  const isRestorable = now === undefined || isOffered(now, 'edit')
  const triples = [...(state.triples ?? []), ...(changes?.added ?? []), ...(changes?.removed ?? [])]
  const labels = await labelsAround(dataset, iri, {named: irisOf(triples), languages})
  sendPage(exchange, statePage(site.pages.site, {iri, state, changes, present, isRestorable, labels}))
  describeState(exchange, state, choice)
  context.set('ETag', `W/"${state.tag}-html-${present ?? 'gone'}"`)
}

function sendPage({context}: Exchange, text: string): void {
  context.set({...pageHeaders, 'Cache-Control': 'no-cache', Vary: `${varied}, Accept-Language`})
  context.status = 200
  context.body = text
}

/** Entity tag and modes of the present document; undefined if it was deleted. */
async function presentState(exchange: Exchange) {
  try {
    return await readDocument(datasetToRead(exchange).session, exchange.iri, {isHeadOnly: true})
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined
    throw error
  }
}
