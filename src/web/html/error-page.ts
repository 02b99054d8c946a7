/**
 * A Problem as a page.
 *
 * Floor 5. Pure. It says what problem details say, to people.
 */
import type {Problem} from '../../base/problem.ts'
import {pageOf} from './layout.ts'
import {localPath} from './link.ts'
import {markup} from './markup.ts'
import type {HtmlSite} from './view.ts'

const titles: Readonly<Record<number, string>> = {
  400: 'The request is not right',
  403: 'This is not allowed',
  404: 'There is nothing here',
  405: 'This cannot be done here',
  406: 'There is no such format',
  409: 'This is in conflict with what is there',
  412: 'The document has changed',
  500: 'Something went wrong',
  503: 'Not now',
}

export function errorPage(site: HtmlSite, {status, rule, message, members}: Problem, requestId: string): string {
  const title = titles[status] ?? (status < 500 ? 'This cannot be done' : 'Something went wrong')
  const {line, column} = members
  const place = line !== undefined && markup`<p>At line ${line}${column !== undefined && `, column ${column}`}.</p>`
  const content = markup`<section class="card"><h1>${title}</h1><p>${message}</p>${place}
    <p class="quiet">Status ${status}, rule <a href="${localPath(site.base)}errors#${rule}"><code>${rule}</code></a>,
    request <code>${requestId}</code></p>
    <p><a class="button" href="${localPath(site.base)}">All documents</a></p></section>`
  return pageOf(site, {title}, content)
}
