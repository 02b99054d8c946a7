/**
 * Whether a request prefers a page to data, and in which languages.
 *
 * Pure. Only a client that names text/html and prefers it to every RDF format gets a page. RDF clients do not do this
 * by accident, and a client that accepts anything gets Turtle (docs/interface.md, Formats; docs/pages.md).
 */
import {formats} from '../../format/registry.ts'
import {negotiate} from '../../http/accept.ts'

const html = {mediaTypes: ['text/html']}
const offers = [...formats, html]

/** Java's HttpURLConnection sends `text/html, image/gif, image/jpeg, *; q=.2 …` by default: it is not a browser. */
const loneWildcard = /(?:^|,)\s*\*\s*(?:;|,|$)/

/** @param accept  value of the Accept header; several fields joined by commas */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/html/i.test(accept)) return false
  if (loneWildcard.test(accept)) return false
  return negotiate(accept, offers)?.offer === html
}

/** The user's languages in order of preference: primary subtags in lower case. '' means literals without a language. */
export function readLanguages(acceptLanguage: string | undefined): readonly string[] {
  const wanted = (acceptLanguage ?? '')
    .slice(0, 1000)
    .split(',')
    .map((range, index) => {
      const [tag = '', ...parameters] = range.split(';')
      const weight = parameters.map(parameter => /^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(parameter)?.[1]).find(Boolean)
      return {language: tag.trim().toLowerCase().split('-', 1)[0] ?? '', weight: Number(weight ?? 1), index}
    })
    .filter(({language, weight}) => /^[a-z]{1,8}$/.test(language) && weight > 0)
    .sort((a, b) => b.weight - a.weight || a.index - b.index)
  return [...new Set([...wanted.map(({language}) => language).slice(0, 10), '', 'en'])]
}
