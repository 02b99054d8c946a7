/**
 * CORS: which origins may use the service from a browser, and which headers they may read.
 *
 * Runs right after request-head.ts, so that pages can read later errors. Origins that are not allowed get the same
 * answers without these headers, and browsers withhold the answers from them.
 * Sources: Fetch §3.2 (CORS protocol); Private Network Access §3.1; docs/operations.md, Browsers.
 */
import type {Context, Middleware} from 'koa'
import {excerpt} from '../../base/excerpt.ts'
import {observe} from '../../base/observation.ts'
import {Problem} from '../../base/problem.ts'
import {isToken, splitList} from '../../http/field.ts'
import {isAllowedOrigin, type OriginRule} from '../../http/origins.ts'
import {nameRoute} from './request-record.ts'

export type CorsOptions = {readonly origins: readonly OriginRule[]; readonly hasCredentials: boolean}

const methods = 'GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE, MOVE, COPY'
const requestHeaders =
  'accept, accept-datetime, authorization, cache-control, content-type, depth, destination, idempotency-key, ' +
  'if-match, if-modified-since, if-none-match, if-unmodified-since, overwrite, pragma, prefer, ' +
  'quadstead-consistency, slug, traceparent, tracestate, x-request-id'
const exposed =
  'ETag, Location, Preference-Applied, Content-Location, Link, Allow, Accept-Post, Accept-Patch, Date, ' +
  'Memento-Datetime, RateLimit, RateLimit-Policy, Quadstead-Consistency, Retry-After, Server-Timing, Vary, ' +
  'WAC-Allow, WWW-Authenticate, X-Request-Id'
const preflightSeconds = 7200 // Chromium keeps none longer
const reportedLimit = 100 // refused origins that are logged

export function answerCors({origins, hasCredentials}: CorsOptions): Middleware {
  const reported = new Set<string>()
  return (context, next) => {
    const {origin} = context.req.headers
    if (origin === undefined) return next()
    if (isAllowedOrigin(origins, origin)) {
      context.set('Access-Control-Allow-Origin', origin)
      if (hasCredentials) context.set('Access-Control-Allow-Credentials', 'true')
      if (isPreflight(context)) return answerPreflight(context)
      context.set('Access-Control-Expose-Headers', exposed)
    } else if (isPreflight(context) && reported.size < reportedLimit && !reported.has(origin)) {
      reported.add(origin)
      observe({kind: 'origin-refused', origin})
    }
    return next()
  }
}

/**
 * Refuses a page of an origin that is not allowed, for requests that browsers send without asking: WebSockets, and
 * forms that change something.
 *
 * @param own  the origin of the service's base
 * @throws     Problem 403 `origin-allowed`
 */
export function requireOrigin({req: {headers}}: Context, {origins}: CorsOptions, own: string): void {
  const {origin, host = ''} = headers
  if (origin === undefined || origin === own || isAllowedOrigin(origins, origin)) return
  if (origin === `http://${host}` || origin === `https://${host}`) return // checkHead has checked the host
  throw new Problem(
    403,
    'origin-allowed',
    `Pages of ${excerpt(origin)} may not do this: CORS_ORIGINS does not allow it.`,
  )
}

function isPreflight({method, req}: Context): boolean {
  return method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined
}

/** Answers a preflight request. All request headers are allowed, because none can do harm. */
function answerPreflight(context: Context): void {
  nameRoute(context.req, 'preflight')
  const {headers} = context.req
  const known = requestHeaders.split(', ')
  const asked = splitList(String(headers['access-control-request-headers'] ?? '').toLowerCase())
  const others = asked.filter(name => isToken(name) && !known.includes(name))
  context.set({
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': [...known, ...others].join(', '),
    'Access-Control-Max-Age': String(preflightSeconds),
    Vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Private-Network',
  })
  if (headers['access-control-request-private-network'] === 'true')
    context.set('Access-Control-Allow-Private-Network', 'true')
  context.status = 204
}
