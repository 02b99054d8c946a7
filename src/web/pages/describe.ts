/**
 * GET /describe?iri=…: a page about any IRI for browsers; for other clients, the same as data.
 */
import type {Context} from 'koa'
import {excerpt} from '../../base/excerpt.ts'
import {Problem} from '../../base/problem.ts'
import {hasDocument} from '../../db/store/document-reads.ts'
import {browseIri} from '../../ldp/browse-iri.ts'
import {isAbsoluteIri} from '../../rdf/iri.ts'
import {answerSeeOther, varied} from '../document/reply.ts'
import {datasetToRead, headerOf, type Site} from '../exchange.ts'
import {readerSite} from '../server/access.ts'
import {describePage} from './describe-page.ts'
import {localPath} from './link.ts'
import {prefersHtml, readLanguages} from './preference.ts'
import {pageHeaders} from './security.ts'

/** @throws  Problem 400 `iri-absolute` */
export async function answerDescribe(site: Site, context: Context): Promise<void> {
  const iri = new URLSearchParams(context.querystring).get('iri')?.trim() ?? ''
  if (!isAbsoluteIri(iri))
    throw new Problem(400, 'iri-absolute', `The parameter "iri" must be an absolute IRI, got "${excerpt(iri)}"`)
  const {base} = site.dataset
  context.set({Vary: varied, 'Cache-Control': 'no-cache'})
  if (!prefersHtml(context.req.headers.accept)) {
    const query = new URLSearchParams({query: `DESCRIBE <${iri}>`})
    return answerSeeOther(context, `${localPath(base)}sparql?${query}`)
  }
  context.state.isPage = true
  const dataset = datasetToRead({site, context})
  const isDocument = iri.startsWith(base) && (await hasDocument(readerSite(site).dataset.session, iri))
  if (isDocument) return answerSeeOther(context, localPath(iri))
  const browsed = await browseIri(dataset, iri, readLanguages(headerOf(context, 'accept-language')))
  context.set({...pageHeaders, Vary: `${varied}, Accept-Language`})
  context.body = describePage(site.pages.site, browsed)
}
