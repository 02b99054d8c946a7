/**
 * The page of a search: fields, and the documents that were found with marked snippets. Also the box in the header.
 *
 * Pure.
 */
import {type Snippet, snippetOf} from '../../base/search-marks.ts'
import type {SearchHit} from '../../db/store/search-reads.ts'
import type {SearchAnswer, SearchRequest} from '../../ldp/search.ts'
import type {Iri} from '../../rdf/term.ts'
import {xsd} from '../../rdf/vocabulary.ts'
import {searchParameters} from '../service/search-parameters.ts'
import {pageOf} from './layout.ts'
import {localPath} from './link.ts'
import {type Markup, markup} from './markup.ts'
import {followed, showProperty} from './terms.ts'
import {showTime} from './values.ts'
import {type HtmlSite, showCount, titleOf, type View} from './view.ts'

/** @param answer  undefined: nothing was searched for */
export function searchPage(site: HtmlSite, request: SearchRequest, answer: SearchAnswer | undefined): string {
  const {text} = request
  const content = markup`<h1>Search</h1>
    ${searchFields(site, request)}
    ${answer !== undefined && showAnswer(site, request, answer)}`
  return pageOf(site, {title: text === '' ? 'Search' : `Search: ${text.slice(0, 60)}`}, content)
}

function searchFields(site: HtmlSite, {text, filters, order}: SearchRequest): Markup {
  const {range, type, properties = [], under} = filters
  const isFiltered = [range, type, under, ...properties].some(filter => filter !== undefined)
  const field = (name: string, label: string, value: string | undefined, hint: string) =>
    markup`<label>${label}<input name="${name}" value="${value ?? ''}" placeholder="${hint}" spellcheck="false"
      autocomplete="off"></label>`
  const short = (iri: Iri | undefined) => (iri === undefined ? undefined : (site.names.shorten(iri) ?? iri))
  const orders = [
    ['relevance', 'By relevance'],
    ['date', 'Last changed first'],
  ].map(
    ([value = '', name]) => markup`<option value="${value}"${value === order && markup` selected`}>${name}</option>`,
  )
  return markup`<form class="search-form" method="get" action="${localPath(site.base)}search" role="search"
    aria-label="This search"><div class="search-line"><input type="search" name="q" value="${text}" aria-label="Words"
    maxlength="500" placeholder="Words, &quot;a phrase&quot;, prefix*"${text === '' && markup` autofocus`}><select
    name="sort" aria-label="Order">${orders}</select><button class="primary" type="submit">Search</button></div>
    <details${isFiltered && markup` open`}><summary>Restrict</summary><div class="search-filters">
    ${field('lang', 'Language', range, 'en')}
    ${field('type', 'Type', short(type), 'schema:Book')}
    ${field('property', 'Property', short(properties[0]), 'dct:title')}
    ${field('under', 'Below', short(under), '/books/')}</div></details></form>`
}

const correctedNotice = 'Few documents or none have these words. Some of these have similar ones.'

function showAnswer(site: HtmlSite, request: SearchRequest, answer: SearchAnswer): Markup {
  const {hits, labels, total, isComplete, isCorrected} = answer
  const entries = hits.map(hit =>
    showHit({site, iri: hit.document, labels}, hit, snippetOf(hit.literal.value, answer.words)),
  )
  return markup`<section class="card" aria-label="Results">
    ${isCorrected && markup`<p class="notice">${correctedNotice}</p>`}
    <p class="quiet" role="status">${countOf(total, hits.length, request)}${
      !isComplete && ' Some words are very frequent, so not everything was searched. Add a word or a restriction.'
    }</p>
    ${hits.length > 0 && markup`<ol class="found">${entries}</ol>`}
    ${searchPager(site, request, answer)}</section>`
}

function countOf(total: number | undefined, shown: number, {page}: SearchRequest): string {
  if (total === 0) return 'No document has these words.'
  if (total === 1) return 'One document'
  if (total !== undefined) return `${showCount(total)} documents`
  if (shown === 0) return 'No more documents.'
  return page === 1 ? 'The best documents' : `Page ${page}`
}

function showHit(view: View, hit: SearchHit, snippet: Snippet): Markup {
  const {site, labels} = view
  const {document, subject, property, literal, modified} = hit
  const isOwn = subject === document || subject.startsWith('_:')
  const title = (isOwn ? undefined : labels.get(subject)) ?? titleOf({...view, iri: document})
  const language = literal.language === '' ? undefined : literal.language
  const link = followed(site, isOwn ? document : subject, markup`<bdi>${title}</bdi>`)
  return markup`<li><p class="found-title">${link}</p>
    <p class="found-text">${showProperty(view, property)}: <span${
      language !== undefined && markup` lang="${language}"`
    } dir="auto">${showSnippet(snippet)}</span></p>
    <p class="quiet">${site.names.show(document)}${
      modified !== undefined && markup` · changed ${showTime(modified, xsd.dateTime)}`
    }</p></li>`
}

function showSnippet({text, marks}: Snippet): readonly Markup[] {
  const parts: Markup[] = []
  let place = 0
  for (const [from, to] of marks) {
    parts.push(markup`${text.slice(place, from)}<mark>${text.slice(from, to)}</mark>`)
    place = to
  }
  return [...parts, markup`${text.slice(place)}`]
}

function searchPager({base}: HtmlSite, request: SearchRequest, {hasNext}: SearchAnswer): Markup | undefined {
  const {page} = request
  if (page === 1 && !hasNext) return undefined
  const to = (other: number) => `${localPath(base)}search?${searchParameters(request, other)}`
  return markup`<nav class="pager" aria-label="Pages">${
    page > 1 && markup`<a href="${to(1)}">First page</a><a rel="prev" href="${to(page - 1)}">Previous page</a>`
  }${hasNext && markup`<a rel="next" href="${to(page + 1)}">Next page</a>`}</nav>`
}
