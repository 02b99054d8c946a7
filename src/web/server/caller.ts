/**
 * The caller of a request, authenticated once before the request is handled.
 */
import type {Context, Middleware} from 'koa'
import type {Authenticate} from '../../authentication/authenticate.ts'
import {anonymous, type Principal} from '../../base/principal.ts'

/**
 * Authenticates the caller if the request has credentials.
 *
 * @param authenticate  undefined: credentials are ignored
 * @throws              Problem 401 `credentials-valid`, 503 `authentication-available`
 */
export function settleCaller(authenticate: Authenticate | undefined): Middleware {
  if (authenticate === undefined) return (_, next) => next()
  return async (context, next) => {
    const {authorization} = context.req.headers
    if (authorization !== undefined) context.state.caller = await authenticate(authorization)
    return next()
  }
}

export function callerOf(context: Pick<Context, 'state'>): Principal {
  return context.state.caller ?? anonymous
}

/**
 * Adds `private` to Cache-Control and `Authorization` to Vary, because answers depend on the caller.
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
        res.setHeader('Vary', [res.getHeader('Vary'), 'Authorization'].filter(one => one !== undefined).join(', '))
      return writeHead(...values)
    }
    return next()
  }
}
