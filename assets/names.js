/**
 * Terms in the browser as people read them: the same rules as on the pages that the server writes.
 *
 * @typedef {{base: string, prefixes: Readonly<Record<string, string>>}} Site
 */
import {xsd} from './terms.js'

/**
 * `dct:title`, the path of a document of ours, or the IRI itself.
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
 * Where an IRI may be followed to: only http, https and mailto; ours by their path.
 *
 * @param {string} iri
 * @param {Site} site
 */
export function hrefOf(iri, {base}) {
  if (iri.startsWith(base) && !pathOf(iri).startsWith('//')) return pathOf(iri)
  return /^(?:https?:\/\/|mailto:)/i.test(iri) ? iri : undefined
}

/**
 * @param {import('./terms.js').Term} term
 * @param {Site} site
 * @returns {Node}
 */
export function showTerm(term, site) {
  if (term.kind === 'blank') return Object.assign(document.createElement('span'), {textContent: `_:${term.value}`})
  if (term.kind === 'iri') return showIri(term.value, site)
  const text = Object.assign(document.createElement('span'), {textContent: term.value, className: 'text', dir: 'auto'})
  if (term.language !== '') text.lang = term.language
  const mark = term.language || (term.datatype === `${xsd}string` ? '' : shortName(term.datatype, site))
  const cell = document.createElement('span')
  cell.append(text)
  if (mark !== '')
    cell.append(' ', Object.assign(document.createElement('span'), {textContent: mark, className: 'tag'}))
  return cell
}

/**
 * @param {string} iri
 * @param {Site} site
 */
function showIri(iri, site) {
  const href = hrefOf(iri, site)
  const element = document.createElement(href === undefined ? 'span' : 'a')
  element.textContent = shortName(iri, site)
  element.title = iri
  element.className = 'name'
  if (href === undefined) return element
  element.setAttribute('href', href)
  if (href === iri) element.setAttribute('rel', 'external noopener noreferrer')
  return element
}
