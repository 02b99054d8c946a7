/**
 * The query page, and the fields of its form.
 *
 * An HTML form cannot set headers. In a request that prefers HTML, the field `format` replaces Accept, and the fields
 * `contexts` and `checksums` replace preferences. In other requests these fields have no meaning.
 */
import type {Context} from 'koa'
import {Problem} from '../../base/problem.ts'
import {formats} from '../../format/registry.ts'
import {resultsFormats} from '../../format/results.ts'
import type {Preferences} from '../../http/prefer.ts'
import {resourceLink, varied} from '../document/reply.ts'
import type {Site} from '../exchange.ts'
import {prefersHtml} from '../pages/preference.ts'
import {queryPage} from '../pages/query-page.ts'
import {pageHeaders} from '../pages/security.ts'

const pageFields = ['query', 'contexts', 'checksums']

/** Whether the query page has a field for each parameter of a request, so that it can show the query. */
export function isForPage(parameters: URLSearchParams): boolean {
  return [...parameters.keys()].every(name => pageFields.includes(name)) && parameters.getAll('query').length < 2
}

/** @param parameters  fill the fields of the page */
export function answerQueryPage({pages}: Site, context: Context, parameters: URLSearchParams): void {
  context.set({...pageHeaders, Link: resourceLink, Vary: varied, 'Cache-Control': 'no-cache'})
  context.body = queryPage(pages.site, parameters)
}

const extensions: Readonly<Record<string, string>> = {'results-csv': 'csv', 'results-tsv': 'tsv'}

/**
 * Applies the fields of a posted form: sets Accept to its `format`, and adds its preferences.
 *
 * @returns  the preferences of the request and of the form
 * @throws  Problem 406 `format-acceptable`
 */
export function withFormWishes(
  {dataset}: Site,
  context: Context,
  form: URLSearchParams,
  preferences: Preferences,
): Preferences {
  const name = form.get('format')
  if (name === null || !prefersHtml(context.req.headers.accept)) return preferences
  const offer = [...resultsFormats, ...formats].find(({id}) => id === name)
  if (offer === undefined) {
    const available = [...resultsFormats, ...formats].map(({id}) => id)
    const message = `There is no format "${name.slice(0, 40)}", but ${available.join(', ')}`
    throw new Problem(406, 'format-acceptable', message, {members: {available}})
  }
  context.state.isPage = true
  context.req.headers.accept = offer.mediaTypes[0]
  context.set('Content-Disposition', `attachment; filename="answer.${extensions[offer.id] ?? offer.id}"`)
  const {platform} = dataset
  const include = new Set(preferences.include)
  if (form.has('contexts')) include.add(platform.PreferResultsContexts)
  if (form.has('checksums')) include.add(platform.PreferDocumentChecksums)
  return {...preferences, include}
}
