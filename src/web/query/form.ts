/**
 * The query page, and what its form asks for beside the query.
 *
 * A browser's form can send no headers: in a request that prefers HTML, `format` stands for Accept, and
 * `contexts` and `checksums` for the preferences. In every other request these fields mean nothing.
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

export function answerQueryPage({pages}: Site, context: Context): void {
  context.set({...pageHeaders, Link: resourceLink, Vary: varied, 'Cache-Control': 'no-cache'})
  context.body = queryPage(pages.site)
}

const extensions: Readonly<Record<string, string>> = {'results-csv': 'csv', 'results-tsv': 'tsv'}

/**
 * The preferences of a posted form; the request is read from here on as if it had asked for its `format`.
 *
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
