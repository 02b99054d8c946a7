/**
 * The page with the changes of a document, and the page of one of its states with what was added and removed.
 *
 * Pure. The form to restore a state sends the request that any client would send, with the entity tag of the present
 * document.
 */
import type {PastChange, PastState} from '../../db/store/history.ts'
import {stateIri, type TimeMap, timeMapIri} from '../../ldp/time-map.ts'
import type {Changes} from '../../ldpatch/patch.ts'
import {type Iri, namedNode, type Term, type Triple} from '../../rdf/term.ts'
import {xsd} from '../../rdf/vocabulary.ts'
import {arrange} from './arrange.ts'
import {pageOf} from './layout.ts'
import {localPath} from './link.ts'
import {type Markup, markup} from './markup.ts'
import {type Rendering, showOthers, showProperties} from './properties.ts'
import {showIri, showLiteral, showProperty} from './terms.ts'
import {showTime} from './values.ts'
import {type HtmlSite, showCount, titleOf, type View} from './view.ts'

const shownTriples = 500 // added or removed ones

/** What the change log calls a change, as people read it. */
const actionNames: Readonly<Record<string, string>> = {
  created: 'Created',
  replaced: 'Replaced',
  patched: 'Edited',
  'members-added': 'Members added',
  'members-removed': 'Members removed',
  deleted: 'Deleted',
  moved: 'Moved',
  imported: 'Imported',
  changed: 'Changed together with another document',
}

export function historyPage(
  site: HtmlSite,
  {iri, under, changes, next}: TimeMap,
  labels: ReadonlyMap<Iri, string>,
): string {
  const view: View = {site, iri, labels}
  const content = markup`<h1>History of <bdi>${titleOf(view)}</bdi></h1>
    <p><a href="${localPath(iri)}">The present document</a></p>
    <section class="card stacked"><table><caption class="unseen">Changes, the newest first</caption>
    <thead><tr><th scope="col">Time</th><th scope="col">Change</th><th scope="col">Author</th><th scope="col">State
    </th></tr></thead><tbody>${changes.map(change => changeRow(view, change))}</tbody></table>
    ${changes.length === 0 && markup`<p class="quiet">No changes here.</p>`}
    <p class="pager">${under !== undefined && markup`<a href="${localPath(timeMapIri(iri))}">Newest changes</a>`}
    ${next !== undefined && markup`<a href="${localPath(timeMapIri(iri, next))}" rel="next">Older changes</a>`}</p>
    </section>`
  return pageOf(site, {title: `History of ${titleOf(view)}`, path: iri, labels}, content)
}

function changeRow(view: View, {tag, time, action, agent}: PastChange): Markup {
  const what = action === undefined ? 'Before the oldest known change' : (actionNames[action] ?? action)
  const state =
    tag === undefined
      ? markup`<span class="quiet">none</span>`
      : markup`<a href="${localPath(stateIri(view.iri, tag))}">State <code>"${tag}"</code></a>`
  return markup`<tr><td>${showTime(time.toISOString(), xsd.dateTime, 'seconds')}</td><td>${what}</td><td>${
    agent === undefined ? markup`<span class="quiet">not known</span>` : showIri(view, agent)
  }</td><td>${state}</td></tr>`
}

export type StateToShow = {
  readonly iri: Iri
  readonly state: PastState
  readonly changes: Changes | undefined // from the state before; undefined: there is none
  readonly present: string | undefined // entity tag of the present document; undefined: it was deleted
  readonly isRestorable: boolean // the reader may make it the present one
  readonly labels: ReadonlyMap<Iri, string>
}

export function statePage(site: HtmlSite, shown: StateToShow): string {
  const {iri, state, changes, present, labels} = shown
  const view: View = {site, iri, labels}
  const arrangement = arrange(namedNode(iri), state.triples ?? [])
  const rendering: Rendering = {view, arrangement, valueLimit: 1000}
  const {prev, next} = state.around
  const time = showTime(state.time.toISOString(), xsd.dateTime, 'seconds')
  const step = (point: typeof prev, text: string) =>
    point !== undefined && markup`<a class="button" href="${localPath(stateIri(iri, point.tag))}">${text}</a>`
  const content = markup`<div class="title"><div><h1><bdi>${titleOf(view)}</bdi> at ${time}</h1>
    <p class="quiet">State with the entity tag <code>"${state.tag}"</code></p></div>
    <nav class="actions" aria-label="States">${step(prev, 'Previous state')}${step(next, 'Next state')}
    <a class="button" href="${localPath(timeMapIri(iri))}">All changes</a>
    <a class="button" href="${localPath(iri)}">Present document</a></nav></div>
    ${(shown.isRestorable || present === state.tag) && restoreForm(shown)}
    ${changes !== undefined && showChanges(view, changes)}
    <section class="card"><h2>Properties</h2>${showProperties(rendering, namedNode(iri), () => true)}</section>
    ${showOthers(rendering)}`
  const scripts = present === state.tag || !shown.isRestorable ? [] : (['history.js'] as const)
  return pageOf(site, {title: `${titleOf(view)} at ${state.time.toISOString()}`, path: iri, labels, scripts}, content)
}

/** The form that restores the state; a notice if it is the present one. */
function restoreForm({iri, state, present}: StateToShow): Markup {
  if (present === state.tag) return markup`<p class="notice">This is the present state.</p>`
  const path = `${localPath(iri)}?restore=${state.tag}`
  const text =
    present === undefined
      ? 'The document was deleted. Restoring creates it again, without its children.'
      : 'Restoring replaces the properties of the present document. It is a change like any other.'
  return markup`<form class="card" data-path="${path}" data-next="${localPath(iri)}"${
    present !== undefined && markup` data-etag="${present}"`
  }><noscript><p class="notice">This form needs JavaScript. Any HTTP client can restore a state with POST.</p>
    </noscript>
    <p>${text}</p><div data-outcome role="alert" tabindex="-1"></div>
    <p class="buttons"><button type="submit" class="button primary">Restore this state</button></p></form>`
}

function showChanges(view: View, {removed, added}: Changes): Markup {
  if (removed.length + added.length === 0) return markup``
  return markup`<div class="columns"><div>${changedTriples(view, 'Added', added)}</div>
    <div>${changedTriples(view, 'Removed', removed)}</div></div>`
}

function changedTriples(view: View, title: 'Added' | 'Removed', triples: readonly Triple[]): Markup {
  const rows = triples.slice(0, shownTriples).map(({subject, predicate, object}) => {
    const isOwn = subject.value === view.iri
    return markup`<li>${!isOwn && markup`${showTerm(view, subject)} `}${showProperty(view, predicate.value)}
      ${showTerm(view, object)}</li>`
  })
  const more = triples.length - shownTriples
  return markup`<section class="card"><h2>${title}</h2>
    ${triples.length === 0 && markup`<p class="quiet">Nothing.</p>`}<ul class="entries">${rows}${
      more > 0 && markup`<li class="quiet">and ${showCount(more)} more</li>`
    }</ul></section>`
}

function showTerm(view: View, term: Term): Markup {
  switch (term.termType) {
    case 'NamedNode':
      return showIri(view, term.value)
    case 'BlankNode':
      return markup`<span class="name">_:${term.value}</span>`
    case 'Literal':
      return showLiteral(view, term)
  }
}
