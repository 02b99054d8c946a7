/**
 * The page about the reader's sessions: a list, and forms to end one or all others.
 *
 * Pure. The forms need no JavaScript.
 */
import type {ListedWebSession} from '../../db/store/web-sessions.ts'
import {xsd} from '../../rdf/vocabulary.ts'
import {faultNotice} from './grant-parts.ts'
import {pageOf} from './layout.ts'
import {localPath} from './link.ts'
import {type Markup, markup} from './markup.ts'
import {showTime} from './values.ts'
import type {HtmlSite} from './view.ts'

type SessionsToShow = {
  readonly sessions: readonly ListedWebSession[]
  readonly fault: string | undefined // of the form that was sent
}

export function sessionsPage(site: HtmlSite, {sessions, fault}: SessionsToShow): string {
  const path = `${localPath(site.base)}.system/sessions`
  const others = sessions.filter(session => !session.is_own)
  const endOthers = markup`<form method="post" action="${path}"><p class="buttons"><button type="submit" name="end"
    value="others" class="button danger">End all other sessions</button></p></form>`
  const content = markup`<h1>Sessions</h1>${faultNotice(fault)}
    <section class="card"><h2>Where you are signed in <span class="count">${sessions.length}</span></h2>
    <ul class="entries">${sessions.map(session => sessionRow(site, path, session))}</ul>
    ${sessions.length === 0 && markup`<p class="quiet">In no browser.</p>`}
    ${others.length > 0 && endOthers}</section>`
  return pageOf(site, {title: 'Sessions'}, content)
}

function sessionRow(site: HtmlSite, path: string, session: ListedWebSession): Markup {
  const {id, client, is_key: isKey, begun, used, ends, is_own: isOwn} = session
  const name = browserName(client)
  const end = isOwn
    ? markup`<form method="post" action="${localPath(site.base)}.system/sign-out"><button type="submit">Sign out</button
      ></form>`
    : markup`<form method="post" action="${path}"><button type="submit" name="end" value="${id}"
      aria-label="End the session in ${name}, used ${used.toISOString()}">End</button></form>`
  return markup`<li class="grant"><span><b title="${client}">${name}</b> ${
    isOwn && markup`<span class="tag">this browser</span>`
  } ${isKey && markup`<span class="tag">with an API key</span>`}<br><span class="quiet">used ${timeOf(used)} · signed in
    ${timeOf(begun)} · until ${timeOf(ends)} at most</span></span>${end}</li>`
}

const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
]
const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iPhone or iPad', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

/** The name of a browser by its User-Agent, such as `Firefox on Linux`. Browsers name others too, so order matters. */
export function browserName(client: string): string {
  const find = (marks: typeof browsers) => marks.find(([, mark]) => mark.test(client))?.[0]
  const [browser, system] = [find(browsers), find(systems)]
  if (browser === undefined) return client === '' ? 'A browser' : (/^[^\s/]{1,40}/.exec(client)?.[0] ?? 'A browser')
  return system === undefined ? browser : `${browser} on ${system}`
}

function timeOf(time: Date): Markup | string {
  const text = time.toISOString()
  return showTime(text, xsd.dateTime) ?? text
}
