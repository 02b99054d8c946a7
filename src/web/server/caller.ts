/**
 * Who sent a request: settled once, before anything answers it.
 */
import type {Context, Middleware} from 'koa'
import type {Authenticate} from '../../authentication/authenticate.ts'
import {anonymous, type Caller} from '../../base/caller.ts'

/**
 * @param authenticate  undefined: nobody is asked who they are, and credentials are not looked at
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

export function callerOf(context: Pick<Context, 'state'>): Caller {
  return context.state.caller ?? anonymous
}

/**
 * Tells caches that answers are for their caller only.
 *
 * What is told of an answer is known when its head is written, and not before; so it is added there. What everybody may
 * have alike, and what nobody may keep, stays as it is.
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
