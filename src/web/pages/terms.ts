/**
 * RDF terms as markup: IRIs as links with names, literals in a form for people with the exact one on hover.
 *
 * Pure. An IRI of the service is a link to its document. Any other is a link to its page at `/describe`, followed by a
 * link to its site if the scheme allows it: no reader leaves for another host by accident.
 */
import type {Iri, Literal} from '../../rdf/term.ts'
import {xsd} from '../../rdf/vocabulary.ts'
import {describePath, linkTo} from './link.ts'
import {type Markup, markup} from './markup.ts'
import {showNumber, showTime} from './values.ts'
import {type HtmlSite, showCount, type View} from './view.ts'

/** An IRI with its short name and, if it has one, its label; an image as a thumbnail. */
export function showIri(view: View, iri: Iri): Markup {
  const {site, labels, iri: document} = view
  if (/^data:/i.test(iri)) return showData(iri)
  const label = labels.get(iri)
  const name = iri.startsWith(`${document}#`) ? site.names.show(iri).replace(/^[^#]*/, '') : site.names.show(iri)
  const text = label === undefined ? markup`<span class="name">${name}</span>` : markup`<bdi>${label}</bdi>`
  const aside = label !== undefined && markup` <span class="name aside">${name}</span>`
  const link = linkTo(iri, site.base)
  const isImage = link?.isExternal === false && imagePath.test(iri)
  return markup`<span class="iri">${followed(site, iri, text)}${aside}${
    link?.isExternal === true && siteLink(link.href)
  }</span>${isImage && thumbnail(link.href)}`
}

const imagePath = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i
const imageData = /^data:image\/(?:avif|gif|jpeg|png|svg\+xml|webp)[;,]/i
const embeddedLength = 100_000 // characters; larger images are not repeated in the page

/** A data URI: images as pictures, others as their media type and length. */
function showData(iri: Iri): Markup {
  const type = /^data:([^;,]*)/i.exec(iri)?.[1] || 'text/plain'
  const about = markup`<span class="name" title="${iri.slice(0, 200)}">data:${type.slice(0, 60)}</span>
    <span class="quiet">${showCount(iri.length)} characters</span>`
  if (!imageData.test(iri) || iri.length > embeddedLength) return about
  return markup`${thumbnail(iri)} ${about}`
}

function thumbnail(href: string): Markup {
  return markup`<img class="thumbnail" src="${href}" alt="" loading="lazy">`
}

function siteLink(href: string): Markup {
  return markup` <a class="external" href="${href}" rel="external noopener noreferrer" title="Open ${href}"><span
    class="unseen">On its own site</span></a>`
}

/** A property with its short name and, if it has one, its label. */
export function showProperty({site, labels}: Pick<View, 'site' | 'labels'>, iri: Iri): Markup {
  const label = labels.get(iri)
  const name = site.names.show(iri)
  const text =
    label === undefined
      ? markup`<span class="name">${name}</span>`
      : markup`<bdi>${label}</bdi> <span class="name aside">${name}</span>`
  return markup`<span class="property">${followed(site, iri, text)}</span>`
}

/** Markup as a link to the document of an IRI, or to the page about it. */
export function followed({base}: HtmlSite, iri: Iri, text: Markup): Markup {
  const link = linkTo(iri, base)
  const href = link === undefined || link.isExternal ? describePath(iri, base) : link.href
  return markup`<a href="${href}" title="${iri}">${text}</a>`
}

const plainTypes = new Set<Iri>([xsd.string, 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString'])
const foldedLength = 600 // characters; longer texts are folded
const shownLength = 20_000 // characters; longer texts are cut

export function showLiteral({site}: Pick<View, 'site'>, {value, datatype, language}: Literal): Markup {
  const readable = showTime(value, datatype.value) ?? showNumber(value, datatype.value)
  if (readable !== undefined) return markup`<span class="literal">${readable}</span>`
  const tag = language !== '' && markup` <span class="tag" title="language">${language}</span>`
  const type =
    !plainTypes.has(datatype.value) &&
    markup` <span class="tag" title="${datatype.value}">${site.names.show(datatype.value)}</span>`
  return markup`<span class="literal">${showText(value, language)}${tag}${type}</span>`
}

function showText(value: string, language: string): Markup {
  if (value === '') return markup`<span class="quiet">empty</span>`
  const lang = language !== '' && markup` lang="${language}"`
  if (value.length <= foldedLength) return markup`<span class="text" dir="auto"${lang}>${value}</span>`
  const shown = value.slice(0, shownLength)
  const cut =
    value.length > shownLength &&
    markup`<p class="quiet">The first ${showCount(shownLength)} of ${showCount(value.length)} characters. The other
    formats contain all of them.</p>`
  return markup`<details class="long"><summary><span class="text beginning" dir="auto"${lang}>${beginning(value)}…</span
    ></summary><div class="text" dir="auto"${lang}>${shown}</div>${cut}</details>`
}

/** The first words of a text. */
function beginning(text: string): string {
  const cut = text.slice(0, 240)
  return cut.replace(/\s+\S*$/, '') || cut
}
