/**
 * The parameters of `/search` (docs/search.md).
 */
import type {Context} from 'koa'
import {excerpt} from '../../base/excerpt.ts'
import {Problem} from '../../base/problem.ts'
import {lastSearchPage, type SearchRequest} from '../../ldp/search.ts'
import {isAbsoluteIri} from '../../rdf/iri.ts'
import type {Iri} from '../../rdf/term.ts'
import {headerOf, type Site} from '../exchange.ts'
import {readName} from '../pages/names.ts'
import {readLanguages} from '../pages/preference.ts'

const known = ['q', 'suggest', 'lang', 'type', 'property', 'under', 'sort', 'page']
const propertyLimit = 20

/**
 * @param name  of the parameter with the words
 * @returns     `text` is '' if there are no words
 * @throws      Problem 400 `search-parameter`
 */
export function readSearchRequest({dataset, pages}: Site, context: Context, name: 'q' | 'suggest'): SearchRequest {
  const parameters = new URLSearchParams(context.querystring)
  for (const given of parameters.keys())
    if (!known.includes(given)) throw refused(given, `expected ${known.join(', ')}`)
  // A form sends empty fields too.
  const all = (field: string) => parameters.getAll(field).filter(value => value.trim() !== '')
  const one = (field: string) => {
    const [value, ...others] = all(field)
    if (others.length > 0) throw refused(field, 'it may be given once')
    return value?.trim()
  }
  const iriOf = (field: string, written: string): Iri => {
    const iri = readName(written, pages.site.names, dataset.base)
    if (iri === undefined || !isAbsoluteIri(iri)) throw refused(field, `expected an IRI, not ${quote(written)}`)
    return iri
  }
  const [type, properties] = [one('type'), all('property')]
  if (properties.length > propertyLimit) throw refused('property', `at most ${propertyLimit} are possible`)
  return {
    text: one(name) ?? '',
    languages: readLanguages(headerOf(context, 'accept-language')),
    filters: {
      range: readRange(one('lang')),
      type: type === undefined ? undefined : iriOf('type', type),
      properties: properties.length === 0 ? undefined : properties.map(property => iriOf('property', property)),
      under: readUnder(one('under'), dataset.base),
    },
    order: readOrder(one('sort')),
    page: readPage(one('page')),
  }
}

/** The parameters of a request, always in the same order, so that pages have stable URLs. */
export function searchParameters({text, filters, order}: SearchRequest, page: number): URLSearchParams {
  const {range, type, properties = [], under} = filters
  const given: readonly (readonly [name: string, value: string | undefined])[] = [
    ['q', text],
    ['lang', range],
    ['type', type],
    ...properties.map(property => ['property', property] as const),
    ['under', under],
    ['sort', order === 'relevance' ? undefined : order],
    ['page', page === 1 ? undefined : String(page)],
  ]
  const written = new URLSearchParams()
  for (const [name, value] of given) if (value !== undefined) written.append(name, value)
  return written
}

function readRange(text: string | undefined): string | undefined {
  if (text === undefined || /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/i.test(text)) return text?.toLowerCase()
  throw refused('lang', `expected a language such as en or de-CH, not ${quote(text)}`)
}

function readUnder(text: string | undefined, base: Iri): Iri | undefined {
  if (text === undefined) return undefined
  const iri = URL.canParse(text, base) ? new URL(text, base).href : ''
  if (iri.startsWith(base) && iri.endsWith('/')) return iri
  throw refused('under', `expected a document below <${base}>, not ${quote(text)}`)
}

function readOrder(text = 'relevance'): SearchRequest['order'] {
  if (text === 'relevance' || text === 'date') return text
  throw refused('sort', `expected relevance or date, not ${quote(text)}`)
}

function readPage(text = '1'): number {
  const page = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (page >= 1 && page <= lastSearchPage) return page
  throw refused('page', `expected a number from 1 to ${lastSearchPage}, not ${quote(text)}`)
}

function quote(text: string): string {
  return `"${excerpt(text)}"`
}

function refused(name: string, reason: string): Problem {
  return new Problem(400, 'search-parameter', `The parameter ${name}: ${reason}`)
}
