/**
 * The page about the grants of a document: who may do what there and why, and forms to change that.
 *
 * Pure. The forms need no JavaScript.
 */

import {type Mode, modes} from '../../db/store/caller.ts'
import type {DocumentGrants, GrantsEntry, ListedGrant} from '../../db/store/grants.ts'
import type {Allowed} from '../../db/store/graph-codec.ts'
import type {Iri} from '../../rdf/term.ts'
import {expiryField, faultNotice, modeFields, showExpiry, showModes} from './grant-parts.ts'
import {pageOf} from './layout.ts'
import {accessPath, localPath} from './link.ts'
import {showPager} from './listings.ts'
import {type Markup, markup} from './markup.ts'
import {showIri} from './terms.ts'
import {type HtmlSite, showCount, titleOf, type View} from './view.ts'

/** What was entered into the form for a grant. */
export type EnteredGrant = {
  readonly kind: string
  readonly who: string
  readonly modes: readonly string[]
  readonly expires: string // a day
}

export type AccessToShow = {
  readonly document: Iri
  readonly labels: ReadonlyMap<Iri, string> // of documents only: anybody may give an agent a name
  readonly grants: DocumentGrants
  readonly allowed: Allowed | undefined // what the reader may do
  readonly below: readonly GrantsEntry[]
  readonly after: string | undefined // of the documents below
  readonly nextAfter: string | undefined
  readonly fault?: string | undefined // of the form that was sent
  readonly entered?: EnteredGrant | undefined
}

const kinds = [
  ['agent', 'An agent, by IRI'],
  ['group', 'A group, by name'],
  ['authenticated', 'Everybody who is signed in'],
  ['public', 'Everybody'],
] as const

export function accessPage(site: HtmlSite, shown: AccessToShow): string {
  const {document, labels, fault} = shown
  const view: View = {site, iri: document, labels}
  const content = markup`<h1>Access to <bdi>${titleOf(view)}</bdi></h1>
    <p><a href="${localPath(document)}">The document</a> ·
    <a href="${keysPathWithin(site, document)}">API keys for it</a></p>${faultNotice(fault)}
    ${grantsCard(view, shown)}${addCard(site, shown)}${inheritanceCard(site, shown)}${belowCard(view, shown)}`
  return pageOf(site, {title: `Access to ${titleOf(view)}`, path: document, labels}, content)
}

/** Who may do what here, with the document whose grants say so. */
function grantsCard(view: View, {document, grants, allowed}: AccessToShow): Markup {
  const {own, inherited, withheld, inherits} = grants
  const ownRows = own.map(grant =>
    grantRow(view, grant, {from: 'of this document', action: removeForm(view, document, grant)}),
  )
  const inheritedRows = inherited.map(grant => {
    const from = markup`<a href="${accessPath(view.site.base, grant.document)}">${
      grant.document === view.site.base ? 'all documents' : view.site.names.show(grant.document)
    }</a>`
    return grantRow(view, grant, {from: markup`inherited from ${from}`, action: undefined})
  })
  const rows = [...ownRows, ...inheritedRows]
  const more = `${showCount(withheld)} more ${withheld === 1 ? 'grant applies' : 'grants apply'} here`
  return markup`<section class="card"><h2>Who may do what</h2>
    <ul class="entries">${rows}</ul>${rows.length === 0 && markup`<p class="quiet">Nobody has a grant here.</p>`}
    ${withheld > 0 && markup`<p class="quiet">${more}, of documents above that you do not control.</p>`}
    ${!inherits && markup`<p class="notice">It is private: grants of documents above have no effect here.</p>`}
    ${
      allowed &&
      markup`<p class="quiet">You may: ${wordsOf(allowed.own)}. Everybody may: ${wordsOf(allowed.everybody)}.</p>`
    }
    </section>`
}

/** Each mode once, in the usual order. */
function wordsOf(given: readonly Mode[]): string {
  return modes.filter(mode => given.includes(mode)).join(', ') || 'nothing'
}

type Reason = {readonly from: Markup | string; readonly action: Markup | undefined}

function grantRow(view: View, grant: ListedGrant, {from, action}: Reason): Markup {
  const {grantee, modes, expires, isExpired} = grant
  return markup`<li class="grant"><span>${showGrantee(view, grantee)} ${showModes(modes)} ${showExpiry(
    expires,
    isExpired,
  )} <span class="quiet">${from}</span></span>${action}</li>`
}

function showGrantee(view: View, grantee: string): Markup {
  if (grantee === 'public') return markup`<b>Everybody</b>`
  if (grantee === 'authenticated') return markup`<b>Everybody who is signed in</b>`
  if (grantee.startsWith('agent ')) return markup`<span title="${grantee}">${showIri(view, grantee.slice(6))}</span>`
  return markup`Group <b><bdi>${grantee.slice(6)}</bdi></b>`
}

/** A form that sends an action with its fields. */
function actionForm({base}: HtmlSite, {document, action, fields}: Action): Markup {
  return markup`<form method="post" action="${accessPath(base, document)}"><input type="hidden" name="action"
    value="${action}">${fields}</form>`
}

type Action = {readonly document: Iri; readonly action: string; readonly fields: Markup}

function removeForm({site}: View, document: Iri, {grantee, expires}: ListedGrant): Markup {
  const fields = markup`<input type="hidden" name="grantee" value="${grantee}"><input type="hidden" name="until"
    value="${expires ?? 'never'}"><button type="submit" aria-label="Revoke the grant of ${grantee}">Revoke</button>`
  return actionForm(site, {document, action: 'remove', fields})
}

function addCard(site: HtmlSite, {document, entered}: AccessToShow): Markup {
  const {kind = 'agent', who = '', modes = ['read'], expires = ''} = entered ?? {}
  const options = kinds.map(
    ([value, label]) => markup`<option value="${value}"${value === kind && markup` selected`}>${label}</option>`,
  )
  const fields = markup`<label for="page-kind">To whom</label><select id="page-kind" name="kind">${options}</select>
    <label for="page-who">IRI of the agent, or name of the group</label><input id="page-who" name="who" value="${who}"
      autocapitalize="off" spellcheck="false" placeholder="https://example.org/people/ada#me">
    ${modeFields('What they may do', modes)}${expiryField(expires)}
    <p class="buttons"><button type="submit" class="button primary">Add the grant</button></p>`
  return markup`<section class="card"><h2>Add a grant</h2><p class="quiet">It applies here and to everything below.</p>
    ${actionForm(site, {document, action: 'add', fields})}</section>`
}

function inheritanceCard(site: HtmlSite, {document, grants}: AccessToShow): Markup | undefined {
  if (document === site.base) return undefined
  const text = grants.inherits
    ? markup`<p>Grants of documents above apply here too. If the document is private, only its own grants count, here
      and below. You keep control of it.</p>`
    : markup`<p>Only the grants of this document count, here and below.</p>`
  const [action, label] = grants.inherits ? ['isolate', 'Make it private'] : ['inherit', 'Inherit grants again']
  const fields = markup`<p class="buttons"><button type="submit" class="button">${label}</button></p>`
  const form = actionForm(site, {document, action, fields})
  return markup`<section class="card"><h2>Inheritance</h2>${text}${form}</section>`
}

/** Documents below with grants of their own. */
function belowCard(view: View, {document, below, after, nextAfter}: AccessToShow): Markup | undefined {
  if (below.length === 0 && after === undefined) return undefined
  const heads = [...new Set(below.map(entry => entry.document))]
  const items = heads.map(head => {
    const grants = below.flatMap(entry => (entry.document === head && entry.grant ? [entry.grant] : []))
    const isPrivate = below.some(entry => entry.document === head && entry.grant === undefined)
    return markup`<li><a href="${accessPath(view.site.base, head)}"><code>${head.slice(document.length)}</code></a>${
      isPrivate && markup` <span class="tag">private</span>`
    }<ul class="plain">${grants.map(
      grant =>
        markup`<li>${showGrantee(view, grant.grantee)} ${showModes(
          grant.modes,
        )} ${showExpiry(grant.expires, grant.isExpired)}</li>`,
    )}</ul></li>`
  })
  const to = (place: string | undefined) =>
    `${accessPath(view.site.base, document)}${place === undefined ? '' : `&${new URLSearchParams({after: place})}`}`
  return markup`<section class="card"><h2>Below it</h2><p class="quiet">Documents with grants of their own.</p>
    <ul class="entries">${items}</ul>${showPager({after, previousAfter: undefined, nextAfter}, to)}</section>`
}

function keysPathWithin({base}: HtmlSite, within: Iri): string {
  return `${localPath(base)}.system/keys?${new URLSearchParams({within})}`
}
