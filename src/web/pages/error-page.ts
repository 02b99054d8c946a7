/**
 * The page for an error: a Problem with its sentence, place, status, rule and request id.
 *
 * Pure.
 */
import type {Problem} from '../../base/problem.ts'
import {pageOf} from './layout.ts'
import {localPath} from './link.ts'
import {type Markup, markup} from './markup.ts'
import type {HtmlSite} from './view.ts'
import {signInPath} from './viewer.ts'

const titles: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'Sign in to go on',
  403: 'This is not allowed',
  404: 'There is nothing here',
  405: 'This cannot be done here',
  406: 'This format is not available',
  409: 'This conflicts with the current state',
  412: 'The document has changed',
  500: 'Something went wrong',
  503: 'This is not possible at the moment',
}

export function errorPage(site: HtmlSite, {status, rule, message, members}: Problem, requestId: string): string {
  const title = titles[status] ?? (status < 500 ? 'This cannot be done' : 'Something went wrong')
  const {line, column} = members
  const place = line !== undefined && markup`<p>At line ${line}${column !== undefined && `, column ${column}`}.</p>`
  const mayHelp = [401, 403, 404].includes(status) || rule === 'sign-in-begun'
  const content = markup`<section class="card"><h1>${title}</h1><p>${message}</p>${place}
    <p class="quiet">Status ${status}, rule <a href="${localPath(site.base)}errors#${rule}"><code>${rule}</code></a>,
    request <code>${requestId}</code></p>
    <p class="buttons">${mayHelp && signInLink(site)}<a class="button" href="${localPath(site.base)}">All documents</a>
    </p></section>`
  return pageOf(site, {title}, content)
}

/** A link to sign in, if nobody is signed in. */
function signInLink({base, viewer}: HtmlSite): Markup | undefined {
  if (viewer === undefined || viewer.agent !== undefined) return undefined
  return markup`<a class="button primary" href="${signInPath(base, viewer)}">Sign in</a>`
}
