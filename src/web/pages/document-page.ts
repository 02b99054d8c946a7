/**
 * The page of a document, and the page of all values of one property.
 *
 * Pure: `ldp/browse.ts` has read all that they show.
 */
import type {Mode} from '../../db/store/caller.ts'
import {formats} from '../../format/registry.ts'
import type {BrowsedDocument, BrowsedValues} from '../../ldp/browse.ts'
import {timeMapIri} from '../../ldp/time-map.ts'
import {parentOf} from '../../rdf/iri.ts'
import {type Iri, namedNode} from '../../rdf/term.ts'
import {ldp, rdf, xsd} from '../../rdf/vocabulary.ts'
import {arrange} from './arrange.ts'
import {pageOf} from './layout.ts'
import {accessPath, localPath, viewPath} from './link.ts'
import {showAccessPoints, showChildren, showMembers, showMentions, showPager} from './listings.ts'
import {type Markup, markup} from './markup.ts'
import {drawNeighbourhood, type Neighbour, type Neighbourhood} from './picture.ts'
import {type Rendering, showOthers, showProperties, showTypes, termMarkup} from './properties.ts'
import {savedQueryOf} from './saved-query.ts'
import {showStore} from './store-overview.ts'
import {showProperty} from './terms.ts'
import {uploadSection} from './upload-section.ts'
import {showTime} from './values.ts'
import {type HtmlSite, isOffered, titleOf, type View} from './view.ts'

const valueLimit = 50 // values shown of one property

export function documentPage(site: HtmlSite, browsed: BrowsedDocument, after: string | undefined): string {
  const {iri, labels, triples} = browsed
  const view: View = {site, iri, labels}
  const arrangement = arrange(namedNode(iri), triples)
  const rendering: Rendering = {view, arrangement, valueLimit: browsed.isPart ? 20 : valueLimit}
  const kept = keptProperties(site)
  const isOwn = (property: Iri) => !kept.has(property) && property !== rdf.type
  const aside = [
    browsed.store && showStore(view, browsed.store),
    showMembers(view, browsed, after),
    showAccessPoints(view, browsed),
    showMentions(view, browsed),
  ]
  const hasAside = aside.some(part => part !== undefined)
  const hasOwn = [...arrangement.propertiesOf(namedNode(iri)).keys()].some(isOwn)
  const properties = markup`<section class="card"><h2>Properties</h2>
    ${showProperties(rendering, namedNode(iri), isOwn)}
    <details class="kept"><summary>Kept by the service</summary>
    ${showProperties(rendering, namedNode(iri), property => kept.has(property))}</details></section>`
  const content = markup`${heading(view, browsed, rendering)}
    ${browsed.isPart && partNotice()}
    <div class="columns${!hasAside && ' single'}"><div>
    ${hasOwn && properties}
    ${showOthers(rendering)}
    ${showChildren(view, browsed, after)}
    ${!hasOwn && properties}
    ${!browsed.state.isAccessPoint && isOffered(browsed.state, 'create') && uploadSection(iri, 'when dragged')}
    ${drawNeighbourhood(view, neighbourhoodOf(site, browsed))}</div>
    ${hasAside && markup`<div>${aside}</div>`}</div>`
  return pageOf(site, {title: titleOf(view), path: iri, labels, scripts: ['document.js']}, content)
}

/** A page of the values of one property. */
export function valuesPage(site: HtmlSite, browsed: BrowsedValues, after: string | undefined): string {
  const {iri, property, labels, values} = browsed
  const view: View = {site, iri, labels}
  const rendering: Rendering = {view, arrangement: arrange(namedNode(iri), []), valueLimit}
  const to = (place: string | undefined) => viewPath(iri, {view: 'values', property, after: place})
  const content = markup`<h1><bdi>${titleOf(view)}</bdi></h1>
    <p><a href="${localPath(iri)}">The whole document</a> · <a href="${viewPath(iri, {view: 'edit', property})}"
      >Edit</a></p>
    <section class="card"><h2>${showProperty(view, property)}</h2>
    ${values.length === 0 && markup`<p class="quiet">No values here.</p>`}
    <ul class="entries">${values.map(value => markup`<li>${termMarkup(rendering, value)}</li>`)}</ul>
    ${showPager({...browsed, after}, to)}</section>`
  return pageOf(site, {title: titleOf(view), path: iri, labels}, content)
}

/** Properties that the service maintains. They are shown apart from those of clients. */
function keptProperties({platform}: HtmlSite): ReadonlySet<Iri> {
  const {membershipResource, hasMemberRelation, insertedContentRelation, isMemberOfRelation} = ldp
  const relations = [membershipResource, hasMemberRelation, insertedContentRelation, isMemberOfRelation]
  return new Set([platform.created, platform.modified, platform.accessPoint, ...relations])
}

/** Types that every document or every access point has. */
function commonTypes({platform}: HtmlSite): ReadonlySet<Iri> {
  return new Set([platform.Document, ldp.RDFSource, ldp.BasicContainer, ldp.DirectContainer])
}

function heading(view: View, {state}: BrowsedDocument, {arrangement}: Rendering): Markup {
  const {site, iri} = view
  const types = arrangement.propertiesOf(namedNode(iri)).get(rdf.type) ?? []
  const common = commonTypes(site)
  const modified = state.modified.toISOString()
  const isRoot = iri === site.base
  const may = (mode: Mode) => isOffered(state, mode)
  const query = savedQueryOf(arrangement.propertiesOf(namedNode(iri)))
  const queryLink = query && `${localPath(site.base)}sparql#${new URLSearchParams({query})}`
  return markup`<div class="title"><div><h1><bdi>${titleOf(view)}</bdi></h1>
    <p class="address"><code>${iri}</code></p>${showTypes(
      view,
      types.filter(type => !common.has(type.value)),
    )}
    <p class="quiet">Changed ${showTime(modified, xsd.dateTime)}
    · entity tag <code>"${state.etag}"</code></p></div>
    <nav class="actions" aria-label="Actions">${
      queryLink !== undefined && markup`<a class="button primary" href="${queryLink}">Open the query</a>`
    }${may('edit') && markup`<a class="button" href="${viewPath(iri, {view: 'edit'})}">Edit</a>`}
    ${site.hasHistory && markup`<a class="button" href="${localPath(timeMapIri(iri))}">History</a>`}
    ${
      !state.isAccessPoint &&
      may('create') &&
      markup`<a class="button" href="${viewPath(iri, {view: 'create'})}">Add a child</a>`
    }
    ${site.viewer && may('control') && markup`<a class="button" href="${accessPath(site.base, iri)}">Access</a>`}
    ${formatMenu(view)}
    ${
      !isRoot && may('delete') && markup`<a class="button danger" href="${viewPath(iri, {view: 'delete'})}">Delete</a>`
    }</nav></div>`
}

function partNotice(): Markup {
  return markup`<p class="notice">This document is large. The page shows the first values of each property, and some of
    the other subjects. The other formats contain the whole document.</p>`
}

/** Links to the other formats. The query parameter `format` has a meaning for browsers only (docs/pages.md). */
function formatMenu({iri}: View): Markup {
  const links = formats.map(
    ({id, name, mediaTypes}) =>
      markup`<li><a href="${viewPath(iri, {format: id})}" type="${mediaTypes[0]}" title="${mediaTypes[0]}"
        >${name}</a></li>`,
  )
  return markup`<details class="menu"><summary class="button">Formats</summary><div class="items"><ul>${links}</ul></div
    ></details>`
}

/** The documents that refer to this one, its parent first, and the IRIs to which it refers, its children last. */
function neighbourhoodOf(site: HtmlSite, browsed: BrowsedDocument): Neighbourhood {
  const {iri, triples, mentions, state, childCount} = browsed
  const parent = parentOf(iri, site.base)
  const kept = keptProperties(site)
  const incoming = [
    ...(parent === undefined ? [] : [{iri: parent, relation: ldp.contains}]),
    ...mentions.map(({document, predicate}) => ({iri: document, relation: predicate})),
  ]
  const linked = triples.flatMap(({subject, predicate, object}): Neighbour[] => {
    const isOwn = subject.value === iri && object.termType === 'NamedNode' && !object.value.startsWith(`${iri}#`)
    if (
      !isOwn ||
      object.value === iri ||
      object.value.startsWith('data:') ||
      predicate.value === rdf.type ||
      object.value === rdf.nil ||
      kept.has(predicate.value)
    )
      return []
    return [{iri: object.value, relation: predicate.value}]
  })
  const isOurs = ({iri: object}: Neighbour) => object.startsWith(site.base)
  const children = state.children.map(child => ({iri: child.iri, relation: ldp.contains}))
  const outgoing = unique([...linked.filter(isOurs), ...linked.filter(one => !isOurs(one)), ...children])
  return {
    incoming: unique(incoming),
    outgoing,
    hasMoreIncoming: browsed.hasMoreMentions,
    hasMoreOutgoing: browsed.isPart || childCount > children.length,
    isFolded: children.length > 0,
  }
}

/** Each neighbour once, with the first relation to it. */
function unique(neighbours: readonly Neighbour[]): readonly Neighbour[] {
  const seen = new Set<Iri>()
  return neighbours.filter(({iri}) => !seen.has(iri) && seen.add(iri))
}
