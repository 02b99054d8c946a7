/**
 * The part of every page's header that says who is signed in, with links to sign in and out.
 *
 * Pure.
 */
import type {Iri} from '../../rdf/term.ts'
import {localPath} from './link.ts'
import {type Markup, markup} from './markup.ts'
import {type HtmlSite, lastSegment, type Viewer} from './view.ts'

/** Nothing without access control. */
export function showViewer({base, viewer}: HtmlSite): Markup | undefined {
  if (viewer === undefined) return undefined
  const root = localPath(base)
  const {agent, name, hasSession, place} = viewer
  if (agent === undefined && place.startsWith(`${root}.system/sign-in`)) return undefined
  if (agent === undefined) return markup`<a class="viewer" href="${signInPath(base, viewer)}">Sign in</a>`
  return markup`<details class="menu viewer"><summary><span class="unseen">Signed in as </span><bdi>${
    name || shortName(agent)
  }</bdi></summary><div class="items"><p class="quiet">Signed in as <code>${agent}</code></p>
    <ul><li><a href="${root}.system/keys">API keys</a></li>
    <li><a href="${root}.system/sessions">Sessions</a></li>${
      hasSession &&
      markup`<li><form method="post" action="${root}.system/sign-out"><button type="submit">Sign out</button></form
      ></li>`
    }</ul></div></details>`
}

/** The page to sign in, which leads back to where the viewer is. */
export function signInPath(base: string, {place}: Pick<Viewer, 'place'>): string {
  return `${localPath(base)}.system/sign-in?${new URLSearchParams({to: place})}`
}

/** The name of an agent without one: `ada` of https://example.org/people/ada#me and of https://login.example#ada. */
function shortName(agent: Iri): string {
  const [document = '', fragment = ''] = agent.split('#')
  return fragment === '' || fragment === 'me' ? lastSegment(document) : lastSegment(fragment)
}
