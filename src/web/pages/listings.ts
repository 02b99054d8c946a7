/**
 * The lists on a document's page: children, members, access points and references from other documents.
 *
 * Pure. Lists have a bounded length. Children and members come in pages; a query finds further references.
 */
import type {Mode} from '../../db/store/caller.ts'
import {type ArrangedPage, arrangedChildren, type BrowsedDocument} from '../../ldp/browse.ts'
import type {Iri} from '../../rdf/term.ts'
import {ldp} from '../../rdf/vocabulary.ts'
import {localPath, viewPath} from './link.ts'
import {type Markup, markup} from './markup.ts'
import {followed, showIri, showProperty} from './terms.ts'
import {isOffered, lastSegment, showCount, type View} from './view.ts'

/** The children of this page, with fields to arrange them, and buttons for those that are selected. */
export function showChildren(view: View, browsed: BrowsedDocument, after: string | undefined): Markup | undefined {
  const {state, childCount, isCounted, arranged} = browsed
  const isMembersPage = state.members !== undefined // members may go on after the last child
  const isEmpty = state.children.length === 0 && arranged === undefined
  if (isEmpty && (after === undefined || isMembersPage)) return undefined
  const count = `${showCount(childCount)}${isCounted ? '' : '+'}`
  const children = arranged === undefined ? state.children : (arranged.children ?? [])
  const rows = children.map(
    ({iri, isAccessPoint, memberBy}) =>
      markup`<li><input type="checkbox" data-select="${localPath(iri)}" aria-label="Select ${lastSegment(iri)}" hidden>
      <span>${childLink(view, iri)}${isAccessPoint && markup` <span class="tag">access point</span>`}${
        memberBy !== undefined &&
        memberBy !== ldp.member &&
        markup` <span class="tag" title="${memberBy}">${view.site.names.show(memberBy)}</span>`
      }</span></li>`,
  )
  return markup`<section class="card" id="page-children"><h2>Children <span class="count">${count}</span></h2>
    ${(childCount > 5 || arranged !== undefined) && arrangeFields(view, arranged)}
    ${arranged !== undefined && arrangedNote(arranged)}
    <ul class="entries children">${rows}</ul>
    <div class="selection" data-selection data-batch="${localPath(view.site.base)}batch"
      data-methods="${selectionMethods(view, browsed)}" hidden></div>
    ${arranged === undefined ? pager(view, browsed, after) : arrangedPager(view, arranged)}</section>`
}

/** What can be done with selected children. They inherit the modes on the document, unless one is private. */
function selectionMethods({site: {viewer}}: View, {state}: BrowsedDocument): string {
  const may = (mode: Mode) => isOffered(state, mode)
  const mayCopy = may('create') || viewer?.agent !== undefined // perhaps to somewhere else
  return [may('delete') && 'MOVE', mayCopy && 'COPY', may('delete') && 'DELETE'].filter(Boolean).join(' ')
}

const orders = [
  ['created', 'Oldest first'],
  ['-created', 'Newest first'],
  ['label', 'By label'],
  ['name', 'By name'],
  ['-modified', 'Last changed first'],
] as const

/** A form that works without scripts. The script sends it while the user types. */
function arrangeFields({iri}: View, arranged: ArrangedPage | undefined): Markup {
  const chosen = arranged === undefined ? 'created' : sortOf(arranged)
  const options = orders.map(
    ([value, name]) => markup`<option value="${value}"${value === chosen && markup` selected`}>${name}</option>`,
  )
  return markup`<form class="arrange" method="get" action="${localPath(iri)}" data-arrange><input type="search"
    name="filter" value="${arranged?.search ?? ''}" aria-label="Filter by label or name" placeholder="Filter"><select
    name="sort" aria-label="Order">${options}</select><label>Page <input type="number" name="page" min="1"
    max="${arranged?.pages ?? 999_999}" value="${arranged?.page ?? 1}"></label><button type="submit">Show</button>
    </form>`
}

function sortOf({order, isDown}: ArrangedPage): string {
  return `${isDown ? '-' : ''}${order}`
}

function arrangedNote({children, total, search}: ArrangedPage): Markup | undefined {
  if (children === undefined)
    return markup`<p class="notice">More than ${showCount(arrangedChildren)} documents cannot be arranged on a page. A
      query can select and sort them.</p>`
  if (total === 0) return markup`<p class="quiet">No label or name contains “${search}”.</p>`
  return search === '' ? undefined : markup`<p class="quiet">${showCount(total)} contain “${search}”.</p>`
}

function arrangedPager({iri}: View, arranged: ArrangedPage): Markup | undefined {
  const {page, pages, search} = arranged
  if (pages === 1) return undefined
  const to = (other: number) =>
    `${viewPath(iri, {
      filter: search === '' ? undefined : search,
      sort: sortOf(arranged),
      page: String(other),
    })}#page-children`
  return markup`<nav class="pager" aria-label="Pages">${
    page > 1 && markup`<a href="${to(1)}">First page</a><a rel="prev" href="${to(page - 1)}">Previous page</a>`
  }<span class="quiet">Page ${showCount(page)} of ${showCount(pages)}</span>${
    page < pages && markup`<a rel="next" href="${to(page + 1)}">Next page</a><a href="${to(pages)}">Last page</a>`
  }</nav>`
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
  return markup`<section class="card" id="page-mentions"><h2>Mentioned in</h2>
    <ul class="entries">${rows}</ul>${more}</section>`
}
