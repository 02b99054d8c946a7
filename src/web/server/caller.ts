/**
 * The caller of a request, authenticated once before the request is handled.
 */
import type {Context, Middleware} from 'koa'
import type {Authenticate} from '../../authentication/authenticate.ts'
import {anonymous, type Principal} from '../../base/principal.ts'
import type {SignInDesk} from './sign-in-desk.ts'

/**
 * Authenticates the caller if the request has credentials. A cookie counts only without an Authorization field.
 *
 * @param authenticate  undefined: credentials are ignored
 * @param desk          undefined: cookies are ignored
 * @throws              Problem 401 `credentials-valid`, 503 `authentication-available`
 */
export function settleCaller(authenticate: Authenticate | undefined, desk?: Pick<SignInDesk, 'settle'>): Middleware {
  if (authenticate === undefined) return (_, next) => next()
  return async (context, next) => {
    const {authorization} = context.req.headers
    const caller = authorization === undefined ? await desk?.settle(context) : await authenticate(authorization)
    if (caller !== undefined) context.state.caller = caller
    return next()
  }
}

export function callerOf(context: Pick<Context, 'state'>): Principal {
  return context.state.caller ?? anonymous
}

/**
 * Adds `private` to Cache-Control, and `Authorization` and `Cookie` to Vary, because answers depend on the caller.
 *
 * Handlers set these headers late, so this happens when the head is written. Answers that are `public` stay as they
 * are, and `no-store` keeps its Cache-Control.
 */
export function markPrivate(): Middleware {
  return ({res}, next) => {
    const writeHead = res.writeHead.bind(res) as (...values: unknown[]) => typeof res
    res.writeHead = (...values: unknown[]) => {
      const caching = String(res.getHeader('Cache-Control') ?? '')
      if (!/\bpublic\b|\bno-store\b/.test(caching))
        res.setHeader('Cache-Control', caching === '' ? 'private' : `private, ${caching}`)
      if (!/\bpublic\b/.test(caching))
        res.setHeader(
          'Vary',
          [res.getHeader('Vary'), 'Authorization, Cookie'].filter(one => one !== undefined).join(', '),
        )
      return writeHead(...values)
    }
    return next()
  }
}
