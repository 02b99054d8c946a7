/**
 * RDF terms as markup: IRIs as links with names, literals with their language or datatype.
 *
 * Pure.
 */
import type {Iri, Literal} from '../../rdf/term.ts'
import {xsd} from '../../rdf/vocabulary.ts'
import {linkTo} from './link.ts'
import {type Markup, markup} from './markup.ts'
import {type HtmlSite, showCount, type View} from './view.ts'

/** An IRI with its short name and, if it has one, its label; a link if the scheme allows it. */
export function showIri({site, labels, iri: document}: View, iri: Iri): Markup {
  const label = labels.get(iri)
  const name = iri.startsWith(`${document}#`) ? site.names.show(iri).replace(/^[^#]*/, '') : site.names.show(iri)
  const text = label === undefined ? markup`<span class="name">${name}</span>` : markup`<bdi>${label}</bdi>`
  const aside = label !== undefined && markup` <span class="name aside">${name}</span>`
  return markup`<span class="iri">${followed(site, iri, text)}${aside}</span>`
}

/** A property with its short name and, if it has one, its label; a link to its IRI, where it may be documented. */
export function showProperty({site, labels}: Pick<View, 'site' | 'labels'>, iri: Iri): Markup {
  const label = labels.get(iri)
  const name = site.names.show(iri)
  const text =
    label === undefined
      ? markup`<span class="name">${name}</span>`
      : markup`<bdi>${label}</bdi> <span class="name aside">${name}</span>`
  return markup`<span class="property">${followed(site, iri, text)}</span>`
}

/** Markup as a link to an IRI, or as plain text if the IRI must not become a link. */
export function followed({base}: HtmlSite, iri: Iri, text: Markup): Markup {
  const link = linkTo(iri, base)
  if (link === undefined) return markup`<span title="${iri}">${text}</span>`
  if (!link.isExternal) return markup`<a href="${link.href}" title="${iri}">${text}</a>`
  return markup`<a class="external" href="${link.href}" title="${iri}" rel="external noopener noreferrer">${text}<span
    class="unseen"> (on another site)</span></a>`
}

const plainTypes = new Set<Iri>([xsd.string, 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString'])
const foldedLength = 1_000 // characters; longer texts are folded
const shownLength = 20_000 // characters; longer texts are cut

export function showLiteral({site}: Pick<View, 'site'>, {value, datatype, language}: Literal): Markup {
  const tag = language !== '' && markup` <span class="tag" title="language">${language}</span>`
  const type =
    !plainTypes.has(datatype.value) &&
    markup` <span class="tag" title="${datatype.value}">${site.names.show(datatype.value)}</span>`
  return markup`<span class="literal">${showText(value, datatype.value, language)}${tag}${type}</span>`
}

function showText(value: string, datatype: Iri, language: string): Markup {
  const time = datatype === xsd.dateTime || datatype === xsd.date
  if (time && isTime(value)) return markup`<time datetime="${value}">${value}</time>`
  if (value === '') return markup`<span class="quiet">empty</span>`
  const lang = language !== '' && markup` lang="${language}"`
  if (value.length <= foldedLength) return markup`<span class="text" dir="auto"${lang}>${value}</span>`
  const shown = value.slice(0, shownLength)
  const cut =
    value.length > shownLength &&
    markup`<p class="quiet">The first ${showCount(shownLength)} of ${showCount(value.length)} characters. The other
    formats contain all of them.</p>`
  return markup`<details class="long"><summary><span class="text" dir="auto"${lang}>${value.slice(0, 200)}…</span
    ></summary><div class="text" dir="auto"${lang}>${shown}</div>${cut}</details>`
}

/** Whether a lexical form is a valid date or time in HTML, which has no years beyond 9999 and no negative ones. */
function isTime(value: string): boolean {
  return /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)?)?$/.test(value)
}
