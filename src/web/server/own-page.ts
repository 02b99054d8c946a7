/**
 * Whether a browser sends a request for a page of the service, and not for a page of somebody else.
 *
 * Browsers add cookies to requests that other pages cause. Sec-Fetch-Site and Origin say which page it is, and no
 * script can change them. Browsers omit Sec-Fetch-Site on http, except on this machine.
 * Sources: Fetch Metadata Request Headers §2; RFC 6454 §7 (Origin); docs/sign-in.md.
 */
import type {Context} from 'koa'
import {Problem} from '../../base/problem.ts'
import type {Iri} from '../../rdf/term.ts'

type Request = Pick<Context, 'req' | 'method'>

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether the request is proven to come from a page of the service. */
export function isFromOwnPage({req: {headers}}: Pick<Context, 'req'>, base: Iri): boolean {
  const {origin} = headers
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return origin !== undefined && isOwnOrigin(origin, headers.host ?? '', base)
}

/**
 * Whether a cookie says who sends the request. A request that changes something must come from a page of the service.
 * One that reads must not come from a page of another origin, except when somebody follows a link.
 */
export function mayUseCookie(context: Request, base: Iri): boolean {
  const {headers} = context.req
  if (isFromOwnPage(context, base)) return true
  if (!readingMethods.has(context.method) || headers.origin !== undefined) return false
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'none') return true
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

/**
 * Checks that a form was sent by a page of the service.
 *
 * @throws  Problem 403 `page-own`
 */
export function requireOwnPage(context: Pick<Context, 'req'>, base: Iri): void {
  if (isFromOwnPage(context, base)) return
  const message = 'A form counts only if a page of this service sends it, as Sec-Fetch-Site or Origin must say.'
  throw new Problem(403, 'page-own', message)
}

/** Under https, a page of the same host without https is a foreign page. */
function isOwnOrigin(origin: string, host: string, base: Iri): boolean {
  const {origin: own, protocol} = new URL(base)
  return origin === own || origin === `https://${host}` || (protocol === 'http:' && origin === `http://${host}`)
}
