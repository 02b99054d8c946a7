/**
 * Terms in the browser, named by the same rules as on the pages that the server renders.
 *
 * @typedef {{base: string, prefixes: Readonly<Record<string, string>>}} Site
 */
import {make} from './dom.js'
import {xsd} from './terms.js'

/**
 * `dct:title`, the path of a document of the service, or the IRI itself.
 *
 * @param {string} iri
 * @param {Site} site
 */
export function shortName(iri, {base, prefixes}) {
  if (iri.startsWith(base)) return pathOf(iri)
  const cut = Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/'), iri.lastIndexOf(':')) + 1
  const [prefix] = Object.entries(prefixes).find(([, namespace]) => namespace === iri.slice(0, cut)) ?? []
  return prefix === undefined || !/^[\w.-]*$/.test(iri.slice(cut)) ? iri : `${prefix}:${iri.slice(cut)}`
}

/** @param {string} iri */
function pathOf(iri) {
  return iri.replace(/^https?:\/\/[^/]*/i, '')
}

/**
 * The link of an IRI: only http, https and mailto; the path of a document of the service.
 *
 * @param {string} iri
 * @param {Site} site
 */
export function hrefOf(iri, {base}) {
  if (iri.startsWith(base) && !pathOf(iri).startsWith('//')) return pathOf(iri)
  return /^(?:https?:\/\/|mailto:)/i.test(iri) ? iri : undefined
}

/**
 * A term as an element: an IRI as a link, a literal with its language or datatype.
 *
 * @param {import('./terms.js').Term} term
 * @param {Site} site
 * @param {{isMarked?: boolean, label?: string | undefined}} [options]
 *   isMarked: false leaves out language and datatype; label: shown instead of the IRI
 */
export function showTerm(term, site, {isMarked = true, label} = {}) {
  if (term.kind === 'blank') return make('span', {class: 'name'}, `_:${term.value}`)
  if (term.kind === 'iri') return showIri(term.value, site, label)
  const text = make('span', {class: 'text', dir: 'auto', lang: term.language || undefined}, term.value)
  const mark = term.language || (term.datatype === `${xsd}string` ? '' : shortName(term.datatype, site))
  const isShown = isMarked && mark !== ''
  return make('span', {}, text, ...(isShown ? [' ', make('span', {class: 'tag'}, mark)] : []))
}

/**
 * @param {string} iri
 * @param {Site} site
 * @param {string | undefined} label
 */
function showIri(iri, site, label) {
  const href = hrefOf(iri, site)
  const attributes = {title: iri, class: label === undefined ? 'name' : 'labelled'}
  const text = label ?? shortName(iri, site)
  if (href === undefined) return make('span', attributes, text)
  return make('a', {...attributes, href, rel: href === iri ? 'external noopener noreferrer' : undefined}, text)
}
