/**
 * Turns every error into an answer.
 *
 * A Problem is answered as it is. Any other error is a defect of the service: the answer is a 500 with the request id
 * only, and the details are logged.
 */
import type {Context, Middleware} from 'koa'
import {observe} from '../../base/observation.ts'
import {Problem} from '../../base/problem.ts'
import {formatLink} from '../../http/link.ts'
import type {Iri} from '../../rdf/term.ts'
import {ldp} from '../../rdf/vocabulary.ts'
import {resourceLink, varied} from '../document/reply.ts'
import {errorPage} from '../pages/error-page.ts'
import {prefersHtml} from '../pages/preference.ts'
import {pageHeaders, pageType} from '../pages/security.ts'
import type {HtmlSite, Viewer} from '../pages/view.ts'
import {type ProblemPlace, problemBody, ruleUri} from './problem-body.ts'
import {recordOf} from './request-record.ts'

export type FailureOptions = Pick<ProblemPlace, 'base' | 'platform' | 'prefixes'> & {
  readonly pages: HtmlSite
  readonly viewerOf: (context: Context) => Viewer | undefined
}

/** Statuses of violated constraints, which need a link to the constraint (LDP 1.0 §4.2.1.6). */
const constrained = new Set([409, 412, 422])

/** Headers that an error keeps. All others describe the answer that failed. */
const lasting = /^(connection|set-cookie|x-request-id|ratelimit|ratelimit-policy|access-control-.*)$/i

const nosniff = {'X-Content-Type-Options': 'nosniff'}

export function answerFailures(options: FailureOptions): Middleware {
  return async (context, next) => {
    context.set(nosniff)
    try {
      await next()
    } catch (error) {
      answerFailure(context, error, options)
    }
  }
}

/** Answers an error in place of what a handler has prepared. */
export function answerFailure(context: Context, error: unknown, options: FailureOptions): void {
  const {id: requestId} = recordOf(context.req)
  const problem =
    error instanceof Problem ? error : new Problem(500, 'internal', `This is our fault. Tell us: ${requestId}.`)
  if (problem !== error) observe({kind: 'failure', error, requestId})
  if (context.res.headersSent) {
    context.respond = false
    context.res.destroy() // a partial answer must not look complete
    return
  }
  if (problem.status === 499) {
    drop(context)
    return
  }
  for (const name of Object.keys(context.response.headers)) if (!lasting.test(name)) context.remove(name)

  const {etag} = problem.members
  const links = [resourceLink]
  if (constrained.has(problem.status))
    links.push(formatLink({target: ruleUri(options.base, problem.rule), relation: ldp.constrainedBy}))
  const place = {...options, requestId, instance: instanceOf(context, options.base), accept: context.req.headers.accept}
  const isPage = context.state.isPage === true || prefersHtml(context.req.headers.accept)
  const {type, body} = isPage
    ? {type: pageType, body: errorPage({...options.pages, viewer: options.viewerOf(context)}, problem, requestId)}
    : problemBody(problem, place)
  context.set({Link: links.join(', '), Vary: varied, 'Cache-Control': 'no-store', ...problem.headers})
  if (typeof etag === 'string') context.set('ETag', `"${etag}"`)
  if (problem.status === 401 && problem.headers['WWW-Authenticate'] === undefined)
    context.set('WWW-Authenticate', 'Bearer realm="quadstead"') // RFC 9110 §11.6.1
  context.set({'Content-Type': type, ...nosniff, ...(isPage && pageHeaders)})
  context.status = problem.status
  context.body = body
}

function drop(context: Context): void {
  context.respond = false
  context.req.destroy()
}

/** The requested URI at the origin of the configured base; the request's Host is not used. */
function instanceOf({req}: Context, base: Iri): Iri {
  const uri = new URL(base).origin + (req.url?.startsWith('/') ? req.url : '/')
  return URL.canParse(uri) ? new URL(uri).href : base
}
