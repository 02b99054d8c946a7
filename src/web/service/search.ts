/**
 * GET /search: documents by the words of their literals, as a page, JSON or RDF; and suggestions while somebody types.
 */
import type {Context} from 'koa'
import {formats} from '../../format/registry.ts'
import type {Format} from '../../format/types.ts'
import {type Negotiated, negotiate} from '../../http/accept.ts'
import {formatLink} from '../../http/link.ts'
import {searchDocuments, suggestDocuments} from '../../ldp/search.ts'
import {chooseFormat, contentType, writeBody} from '../document/offers.ts'
import {resourceLink, varied} from '../document/reply.ts'
import {datasetToRead, headerOf, type Site} from '../exchange.ts'
import {prefersHtml} from '../pages/preference.ts'
import {searchPage} from '../pages/search-page.ts'
import {pageHeaders} from '../pages/security.ts'
import {readSearchRequest} from './search-parameters.ts'
import {hydraNamespace, jenaTextNamespace, pageLinks, resultJson, resultQuads} from './search-result.ts'

export const searchPath = 'search'

const json = {mediaTypes: ['application/json']}
const offers: readonly (Format | typeof json)[] = [json, ...formats]

/** @throws  Problem 400 `search-words`, `search-parameter` · 406 `format-acceptable` · 503 `search-ready` */
export async function answerSearch(site: Site, context: Context): Promise<void> {
  context.set({Vary: `${varied}, Accept-Language`, 'Cache-Control': 'no-cache', Link: resourceLink})
  if (context.query.suggest !== undefined && context.query.q === undefined) return answerSuggestions(site, context)
  const request = readSearchRequest(site, context, 'q')
  const dataset = datasetToRead({site, context})
  if (prefersHtml(headerOf(context, 'accept'))) {
    context.state.isPage = true
    const answer = request.text === '' ? undefined : await searchDocuments(dataset, request)
    context.set(pageHeaders)
    context.set('Vary', `${varied}, Accept-Language`)
    context.body = searchPage(site.pages.site, request, answer)
    return
  }
  const chosen = choose(context)
  const answer = await searchDocuments(dataset, request)
  const links = pageLinks(dataset.base, request, answer)
  for (const relation of ['first', 'previous', 'next'] as const) {
    const target = links[relation]
    if (target !== undefined)
      context.append('Link', formatLink({target, relation: relation === 'previous' ? 'prev' : relation}))
  }
  if (chosen === 'json') {
    context.set('Content-Type', 'application/json')
    context.body = `${JSON.stringify(resultJson(request, answer, links))}\n`
    return
  }
  context.set('Content-Type', contentType(chosen))
  const prefixes = {...site.prefixes, hydra: hydraNamespace, text: jenaTextNamespace}
  context.body = writeBody(chosen, resultQuads(request, answer, links), prefixes)
}

async function answerSuggestions(site: Site, context: Context): Promise<void> {
  const suggestions = await suggestDocuments(
    datasetToRead({site, context}),
    readSearchRequest(site, context, 'suggest'),
  )
  context.set('Content-Type', 'application/json')
  context.body = `${JSON.stringify({suggestions})}\n`
}

/** @throws  Problem 406 `format-acceptable` */
function choose(context: Context): Negotiated<Format> | 'json' {
  const accept = headerOf(context, 'accept')
  const chosen = negotiate(accept, offers)
  if (chosen?.offer === json) return 'json'
  return chooseFormat(accept)
}
