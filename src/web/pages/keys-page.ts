/**
 * The page about API keys: a list, and forms to make and to remove them.
 *
 * Pure. The forms need no JavaScript.
 */
import type {ListedKey} from '../../db/store/keys.ts'
import type {Iri} from '../../rdf/term.ts'
import {xsd} from '../../rdf/vocabulary.ts'
import {expiryField, faultNotice, modeFields, showExpiry, showModes} from './grant-parts.ts'
import {pageOf} from './layout.ts'
import {accessPath, localPath} from './link.ts'
import {type Markup, markup} from './markup.ts'
import {showIri} from './terms.ts'
import {showTime} from './values.ts'
import type {HtmlSite, View} from './view.ts'

/** A key that was just made. */
export type MadeKey = {readonly name: string; readonly key: string}

/** What was entered into the form for a key. */
export type EnteredKey = {
  readonly name: string
  readonly agent: string // '' for the reader
  readonly modes: readonly string[]
  readonly within: string
  readonly expires: string // a day
}

type KeysToShow = {
  readonly keys: readonly ListedKey[]
  readonly within: Iri | undefined // undefined: all keys
  readonly agent: Iri // the reader
  readonly isOfAll: boolean // the reader manages the keys of all agents
  readonly made: MadeKey | undefined
  readonly fault: string | undefined // of the form that was sent
  readonly entered: EnteredKey | undefined
}

export function keysPage(site: HtmlSite, shown: KeysToShow): string {
  const {keys, within, isOfAll, made, fault} = shown
  const view: View = {site, iri: site.base, labels: new Map()}
  const whose = isOfAll ? 'Keys of all agents' : 'Your keys'
  const place =
    within !== undefined &&
    markup`<p>Keys that work for <code>${within}</code> or a part of it only.
      <a href="${localPath(site.base)}.system/keys">All keys</a> ·
      <a href="${accessPath(site.base, within)}">Grants</a></p>`
  const content = markup`<h1>API keys</h1>${place}${made && newKey(made)}${faultNotice(fault)}
    <section class="card"><h2>${whose} <span class="count">${keys.length}</span></h2>
    <ul class="entries">${keys.map(key => keyRow(view, key, shown))}</ul>
    ${keys.length === 0 && markup`<p class="quiet">None.</p>`}</section>${addCard(site, shown)}`
  return pageOf(site, {title: 'API keys'}, content)
}

function newKey({name, key}: MadeKey): Markup {
  return markup`<section class="card new-key" role="status"><h2>The new key${name !== '' && markup` “${name}”`}</h2>
    <p>Copy it now. It is not shown again.</p><p><code class="secret">${key}</code></p></section>`
}

function keyRow(view: View, key: ListedKey, {agent, within}: KeysToShow): Markup {
  const {id, name, modes, created, expires, last_used: used} = key
  const facts = [markup`made ${timeOf(created)}`, used === null ? 'never used' : markup`last used ${timeOf(used)}`]
  return markup`<li class="grant"><span><b><bdi>${name || 'without a name'}</bdi></b> <code class="quiet">${id}</code>
    ${key.agent !== agent && markup`of ${showIri(view, key.agent)}`}
    ${modes === null ? markup`<span class="quiet">all that its agent may do</span>` : showModes(modes)}
    ${key.within !== null && markup`in ${showIri(view, key.within)}`}
    ${showExpiry(expires?.toISOString(), key.is_expired)}
    <span class="quiet">· ${facts[0]}, ${facts[1]}</span></span>
    <form method="post" action="${pathOf(view.site, within)}"><input type="hidden" name="remove" value="${id}"><button
    type="submit" aria-label="Remove the key ${name || id}">Remove</button></form></li>`
}

function timeOf(time: Date): Markup | string {
  const text = time.toISOString()
  return showTime(text, xsd.dateTime) ?? text
}

function pathOf({base}: HtmlSite, within: Iri | undefined): string {
  const path = `${localPath(base)}.system/keys`
  return within === undefined ? path : `${path}?${new URLSearchParams({within})}`
}

function addCard(site: HtmlSite, {within, isOfAll, agent, entered}: KeysToShow): Markup {
  const {name = '', modes = [], expires = ''} = entered ?? {}
  const owner =
    isOfAll &&
    markup`<label for="page-agent">Agent (optional)</label><input id="page-agent" name="agent"
      value="${entered?.agent ?? ''}" autocapitalize="off" spellcheck="false" placeholder="${agent}">`
  return markup`<section class="card"><h2>Make a key</h2><p class="quiet">For a program. It acts for its agent, and may
    do what you choose here, as far as its agent may.</p>
    <form method="post" action="${pathOf(site, within)}"><label for="page-name">Name</label><input id="page-name"
      name="name" value="${name}" maxlength="200" placeholder="nightly import">${owner}
    ${modeFields('What it may do (none: all that its agent may)', modes)}
    <label for="page-within">Only in this document and below (optional)</label><p class="quiet"
      id="page-within-note">The document must have grants of its own.</p><input id="page-within" name="within"
      value="${entered?.within ?? within ?? ''}" autocapitalize="off" spellcheck="false"
      aria-describedby="page-within-note" placeholder="${site.base}inbox/">${expiryField(expires)}
    <p class="buttons"><button type="submit" class="button primary">Make the key</button></p></form></section>`
}
