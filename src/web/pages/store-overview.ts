/**
 * The overview of the store on the start page: its size, classes, properties and newest documents.
 *
 * Pure.
 */
import type {StoreOverview} from '../../db/store/browse-reads.ts'
import type {Iri} from '../../rdf/term.ts'
import {ldpNamespace, rdfNamespace} from '../../rdf/vocabulary.ts'
import {describePath} from './link.ts'
import {type Markup, markup} from './markup.ts'
import {showIri} from './terms.ts'
import {showCount, type View} from './view.ts'

const countedTo = 1000
const shownNames = 12

export function showStore(view: View, {numbers, classes, properties, newest}: StoreOverview): Markup {
  const about = numbers === undefined ? '' : numbers.isExact ? '' : 'about '
  return markup`<section class="card"><h2>This store</h2>
    ${
      numbers !== undefined &&
      markup`<p>${about}${showCount(numbers.documents)} documents, ${showCount(numbers.triples)} triples</p>`
    }
    ${showNames(view, 'Classes', classes)}${showNames(view, 'Properties', properties)}</section>
    ${
      newest.length > 0 &&
      markup`<section class="card"><h2>Newest documents</h2><ul class="entries">${newest.map(
        iri => markup`<li>${showIri(view, iri)}</li>`,
      )}</ul></section>`
    }`
}

/** The most frequent names that clients chose themselves. */
function showNames({site, labels}: View, title: string, names: StoreOverview['classes']): Markup | undefined {
  const own = names.filter(([iri]) => !isTechnical(iri, site.platform.Document)).slice(0, shownNames)
  if (own.length === 0) return undefined
  const rows = own.map(
    ([iri, count]) =>
      markup`<li><a href="${describePath(iri, site.base)}" title="${iri}">${
        labels.get(iri) ?? site.names.show(iri)
      }</a> <span class="quiet">${showCount(count)}${count >= countedTo && '+'}</span></li>`,
  )
  return markup`<h3>${title}</h3><ul class="names">${rows}</ul>`
}

/** Whether a name is one of RDF, LDP or the service. */
function isTechnical(iri: Iri, document: Iri): boolean {
  return [rdfNamespace, ldpNamespace, document.replace(/[^#/]*$/, '')].some(namespace => iri.startsWith(namespace))
}
