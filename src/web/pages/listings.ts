/**
 * The lists on a document's page: children, members, access points and references from other documents.
 *
 * Pure. Lists have a bounded length. Children and members come in pages; a query finds further references.
 */
import type {BrowsedDocument} from '../../ldp/browse.ts'
import type {Iri} from '../../rdf/term.ts'
import {localPath, viewPath} from './link.ts'
import {type Markup, markup} from './markup.ts'
import {followed, showIri, showProperty} from './terms.ts'
import {lastSegment, showCount, type View} from './view.ts'

/** The children of this page, each with the relation under which it is a member. */
export function showChildren(view: View, browsed: BrowsedDocument, after: string | undefined): Markup | undefined {
  const {state, childCount, isCounted} = browsed
  const isMembersPage = state.members !== undefined // members may go on after the last child
  if (state.children.length === 0 && (after === undefined || isMembersPage)) return undefined
  const count = `${showCount(childCount)}${isCounted ? '' : '+'}`
  const rows = state.children.map(
    ({iri, isAccessPoint, memberBy}) =>
      markup`<li>${childLink(view, iri)}${isAccessPoint && markup` <span class="tag">access point</span>`}${
        memberBy !== undefined &&
        markup` <span class="tag" title="${memberBy}">${view.site.names.show(memberBy)}</span>`
      }</li>`,
  )
  return markup`<section class="card" id="page-children"><h2>Children <span class="count">${count}</span></h2>
    <ul class="entries">${rows}</ul>${pager(view, browsed, after)}</section>`
}

function childLink({site, labels}: View, iri: Iri): Markup {
  const label = labels.get(iri)
  const segment = lastSegment(iri)
  if (label === undefined) return followed(site, iri, markup`${segment || site.names.show(iri)}`)
  return markup`${followed(site, iri, markup`<bdi>${label}</bdi>`)} <span class="name aside">${segment}/</span>`
}

function pager({iri}: View, browsed: BrowsedDocument, after: string | undefined): Markup | undefined {
  return showPager({...browsed, after}, place => `${viewPath(iri, {after: place})}#page-children`)
}

type Places = {
  readonly after: string | undefined // undefined: this is the first page
  readonly previousAfter: string | undefined // undefined: the previous page is the first
  readonly nextAfter: string | undefined // undefined: this is the last
}

/**
 * Links between the pages of a list; undefined if there is only one page.
 *
 * @param to  the URL of the page that begins after a place; undefined: the first page
 */
export function showPager(
  {after, previousAfter, nextAfter}: Places,
  to: (place: string | undefined) => string,
): Markup | undefined {
  if (nextAfter === undefined && after === undefined) return undefined
  const first = previousAfter !== undefined && markup`<a href="${to(undefined)}">First page</a>`
  const previous = after !== undefined && markup`<a rel="prev" href="${to(previousAfter)}">Previous page</a>`
  const next = nextAfter !== undefined && markup`<a rel="next" href="${to(nextAfter)}">Next page</a>`
  return markup`<nav class="pager" aria-label="Pages">${first}${previous}${next}</nav>`
}

/** The members of an access point, which are stored in its container document. */
export function showMembers(view: View, browsed: BrowsedDocument, after: string | undefined): Markup | undefined {
  const {members} = browsed.state
  if (members === undefined) return undefined
  const rows = members.members.map(({iri}) => markup`<li>${showIri(view, iri)}</li>`)
  const hasOwnPager = browsed.state.children.length === 0
  return markup`<section class="card" id="page-members"><h2>Members</h2>
    <p class="quiet">Stored in ${showIri(view, members.container)} under ${showProperty(view, members.relation)}.</p>
    ${rows.length > 0 && markup`<ul class="entries">${rows}</ul>`}
    ${rows.length === 0 && markup`<p class="quiet">None${after !== undefined && ' on this page'}.</p>`}
    ${hasOwnPager && pager(view, browsed, after)}</section>`
}

export function showAccessPoints(view: View, {accessPoints}: BrowsedDocument): Markup | undefined {
  if (accessPoints.length === 0) return undefined
  const rows = accessPoints.map(
    ({iri, relation, inverse}) => markup`<li>${childLink(view, iri)}<dl class="facts"><div><dt>members under</dt>
      <dd>${showProperty(view, relation)}</dd></div>${
        inverse !== undefined && markup`<div><dt>they refer back by</dt><dd>${showProperty(view, inverse)}</dd></div>`
      }</dl></li>`,
  )
  return markup`<section class="card"><h2>Access points</h2><ul class="entries">${rows}</ul></section>`
}

/** Other documents that refer to this one. */
export function showMentions(view: View, browsed: BrowsedDocument): Markup | undefined {
  const {mentions, hasMoreMentions} = browsed
  if (mentions.length === 0) return undefined
  const rows = mentions.map(
    ({document, predicate}) =>
      markup`<li>${showIri(view, document)} <span class="by">by ${showProperty(view, predicate)}</span></li>`,
  )
  const pattern = `GRAPH ?document { ?subject ?property <${view.iri}> }`
  const query = `SELECT ?document ?subject ?property {\n  ${pattern}\n}\nLIMIT 1000`
  const more =
    hasMoreMentions &&
    markup`<p><a href="${localPath(view.site.base)}sparql#query=${encodeURIComponent(query)}">Query
    all of them</a></p>`
  return markup`<section class="card"><h2>Mentioned in</h2><ul class="entries">${rows}</ul>${more}</section>`
}
