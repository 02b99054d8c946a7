/**
 * The page about any IRI: what documents say about it, and who mentions it.
 *
 * Pure.
 */
import type {BrowsedIri} from '../../ldp/browse-iri.ts'
import {parentOf} from '../../rdf/iri.ts'
import type {Iri, Term} from '../../rdf/term.ts'
import {pageOf} from './layout.ts'
import {linkTo, localPath} from './link.ts'
import {type Markup, markup} from './markup.ts'
import {showIri, showLiteral, showProperty} from './terms.ts'
import type {HtmlSite, View} from './view.ts'

export function describePage(site: HtmlSite, browsed: BrowsedIri): string {
  const {iri, labels, said, mentions} = browsed
  const view: View = {site, iri, labels}
  const link = linkTo(iri, site.base)
  const isOurs = parentOf(iri.replace(/[?#].*$/, ''), site.base) !== undefined
  const name = labels.get(iri) ?? site.names.show(iri)
  const content = markup`<div class="title"><div><h1><bdi>${name}</bdi></h1><p class="address"><code>${iri}</code></p>
    </div>
    <nav class="actions" aria-label="Actions">${
      link !== undefined &&
      markup`<a class="button" href="${link.href}"${!isOurs && markup` rel="external noopener noreferrer"`}>${
        isOurs ? 'Open it' : 'Open it on its own site'
      }</a>`
    }<a class="button" href="${queryPath(site, iri)}">Query it</a></nav></div>
    ${said.length + mentions.length === 0 && markup`<p class="notice">No document mentions this IRI.</p>`}
    <div class="columns${said.length * mentions.length === 0 && ' single'}">
    ${said.length > 0 && showSaid(view, browsed)}
    ${mentions.length > 0 && showMentioned(view, browsed)}</div>`
  return pageOf(site, {title: name}, content)
}

/** The query page with a query for everything about an IRI. */
function queryPath({base}: HtmlSite, iri: Iri): string {
  const query = `SELECT ?document ?property ?value {\n  GRAPH ?document { <${iri}> ?property ?value }\n}\nLIMIT 1000`
  return `${localPath(base)}sparql#${new URLSearchParams({query})}`
}

function showSaid(view: View, {said, isPart}: BrowsedIri): Markup {
  const byProperty = new Map<Iri, {readonly value: Term; readonly document: Iri}[]>()
  for (const {subject, predicate, object} of said) {
    const values = byProperty.get(predicate.value) ?? []
    values.push({value: object, document: subject.value})
    byProperty.set(predicate.value, values)
  }
  const rows = [...byProperty].map(
    ([property, values]) =>
      markup`<div><dt>${showProperty(view, property)}</dt><dd><ul class="values">${values.map(
        ({value, document}) =>
          markup`<li>${showValue(view, value)} <span class="by">in ${showIri(view, document)}</span></li>`,
      )}</ul></dd></div>`,
  )
  return markup`<section class="card"><h2>What is said about it</h2><dl class="properties">${rows}</dl>
    ${isPart && markup`<p class="quiet">The query shows more.</p>`}</section>`
}

function showValue(view: View, value: Term): Markup {
  if (value.termType === 'Literal') return showLiteral(view, value)
  return value.termType === 'NamedNode'
    ? showIri(view, value.value)
    : markup`<span class="name">_:${value.value}</span>`
}

function showMentioned(view: View, {mentions, hasMoreMentions}: BrowsedIri): Markup {
  const rows = mentions.map(({document, subject, predicate}) => {
    const isOwn = subject === document || subject.startsWith('_:')
    const where = isOwn ? undefined : markup` <span class="by">in ${showIri(view, document)}</span>`
    return markup`<li>${showIri(view, isOwn ? document : subject)} <span class="by">by ${showProperty(
      view,
      predicate,
    )}</span>${where}</li>`
  })
  return markup`<section class="card"><h2>Mentioned by</h2><ul class="entries">${rows}</ul>
    ${hasMoreMentions && markup`<p class="quiet">and others</p>`}</section>`
}
