/**
 * Whether a request would rather have a page than data.
 *
 * Floor 5. Pure. Only a client that names text/html, and names no RDF format that it likes as much, gets a page: no
 * RDF client does by accident, and whoever takes anything gets Turtle (decisions, row "Accept not satisfiable").
 */
import {formats} from '../../format/registry.ts'
import {negotiate} from '../../http/accept.ts'

const html = {mediaTypes: ['text/html']}
const offers = [...formats, html]

/** Java's own client sends `text/html, image/gif, image/jpeg, *; q=.2 …` unasked, and means nothing by it. */
const loneWildcard = /(?:^|,)\s*\*\s*(?:;|,|$)/

/** @param accept  the field's value; several fields joined by commas */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/html/i.test(accept)) return false // whatever else it says, it takes data
  if (loneWildcard.test(accept)) return false
  return negotiate(accept, offers)?.offer === html
}

/** Languages of the reader, primary subtags in lower case, the best first; '' stands for no language. */
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
