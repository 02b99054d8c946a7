/**
 * Requests per caller: every answer says how many are left, one too many is a 429.
 *
 * Floor 5. Probes and metrics come before and are not counted.
 * Sources: draft-ietf-httpapi-ratelimit-headers-10 (RateLimit, RateLimit-Policy); RFC 6585 §4 (429).
 */
import type {Middleware} from 'koa'
import {Problem} from '../base/problem.ts'
import {createQuota} from '../base/quota.ts'
import type {CallerKey} from './caller-key.ts'

export type RequestQuota = {
  readonly requests: number // in one window; Infinity: no limit
  readonly windowMs: number
}

const callersMax = 50_000 // some 10 MB

export function limitRequests({requests, windowMs}: RequestQuota, keyOf: CallerKey): Middleware {
  if (requests === Number.POSITIVE_INFINITY) return (_, next) => next()
  const quota = createQuota({amount: requests, windowMs, callersMax})
  const policy = `"requests";q=${requests};w=${Math.ceil(windowMs / 1000)}`
  return (context, next) => {
    const caller = keyOf(context)
    if (caller === undefined) return next()
    const {isGranted, left, wholeAfterMs, retryAfterMs} = quota.take(caller, performance.now())
    context.set('RateLimit-Policy', policy)
    context.set('RateLimit', `"requests";r=${left};t=${Math.ceil(wholeAfterMs / 1000)}`)
    if (isGranted) return next()
    const message = `More than ${requests} requests in ${windowMs / 1000} s; the next is taken after Retry-After.`
    const headers = {'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000)))}
    throw new Problem(429, 'request-rate', message, {headers, members: {limit: requests}})
  }
}
