/**
 * Limits requests for each caller: every answer states how many are left, and one too many is a 429.
 *
 * Probes and metrics run earlier and are not counted. Invalid credentials have a quota of the same size for each
 * address, because no caller is known to count them for. It is separate from the quota of anonymous requests, which
 * therefore cannot lock out agents at the same address.
 * Sources: draft-ietf-httpapi-ratelimit-headers-10 (RateLimit, RateLimit-Policy); RFC 6585 §4 (429).
 */
import type {Context, Middleware} from 'koa'
import {Problem} from '../../base/problem.ts'
import type {Admission, CallerQuota} from '../../base/quota.ts'
import type {CallerKey} from './caller-key.ts'

export type RequestQuota = {
  readonly requests: number // in one window; Infinity: no limit
  readonly windowMs: number
}

/** The quotas: requests for each caller, invalid credentials for each address, and requests for each dataset. */
export type QuotaName = 'requests' | 'credentials' | 'dataset'
export type QuotaOf = (name: QuotaName) => CallerQuota

/** @param keyOf  the caller that a request counts for */
export function limitRequests(options: RequestQuota, quotaOf: QuotaOf, keyOf: CallerKey): Middleware {
  const {requests, windowMs} = options
  if (requests === Number.POSITIVE_INFINITY) return (_, next) => next()
  const quota = quotaOf('requests')
  return async (context, next) => {
    const caller = keyOf(context)
    if (caller === undefined) return next()
    const grant = await quota.take(caller)
    setRateLimit(context, 'requests', options, grant)
    if (grant.isGranted) return next()
    const message = `More than ${requests} requests in ${windowMs / 1000} s; the next is taken after Retry-After.`
    throw new Problem(429, 'request-rate', message, refusal(options, grant))
  }
}

/** Runs a check of credentials, and counts it for the address of the request if it fails. */
export type CheckCredentials = <Result>(context: Context, check: () => Promise<Result>) => Promise<Result>

/**
 * Limits invalid credentials for each address. Above the limit, credentials are no longer checked.
 *
 * @returns  a function that throws what the check throws, or Problem 429 `credentials-rate`
 */
export function limitCredentials(options: RequestQuota, quotaOf: QuotaOf, addressKey: CallerKey): CheckCredentials {
  const {requests, windowMs} = options
  if (requests === Number.POSITIVE_INFINITY) return (_, check) => check()
  const quota = quotaOf('credentials')
  return async (context, check) => {
    const address = addressKey(context)
    if (address === undefined) return check()
    const grant = await quota.look(address)
    if (!grant.isGranted) {
      setRateLimit(context, 'credentials', options, grant)
      const message = `More than ${requests} credentials in ${windowMs / 1000} s proved nothing; wait for Retry-After.`
      throw new Problem(429, 'credentials-rate', message, refusal(options, grant))
    }
    try {
      return await check()
    } catch (error) {
      setRateLimit(context, 'credentials', options, await quota.take(address))
      throw error
    }
  }
}

/** Authenticates the caller of a request, with the limit of invalid credentials if it has an Authorization field. */
export function limitFailures(check: CheckCredentials, settle: Middleware): Middleware {
  const settleChecked: Middleware = async (context, next) => {
    await check(context, () => settle(context, async () => undefined))
    return next()
  }
  return (context, next) =>
    context.req.headers.authorization === undefined ? settle(context, next) : settleChecked(context, next)
}

/**
 * Limits the requests to one of several datasets, of all callers together.
 *
 * @throws  Problem 429 `dataset-rate`
 */
export function limitDataset(options: RequestQuota, quotaOf: QuotaOf): Middleware {
  const {requests, windowMs} = options
  if (requests === Number.POSITIVE_INFINITY) return (_, next) => next()
  const quota = quotaOf('dataset')
  return async (_, next) => {
    const grant = await quota.take('')
    if (grant.isGranted) return next()
    const message = `More than ${requests} requests to this dataset in ${windowMs / 1000} s; wait for Retry-After.`
    throw new Problem(429, 'dataset-rate', message, refusal(options, grant))
  }
}

function setRateLimit(
  context: Context,
  name: string,
  {requests, windowMs}: RequestQuota,
  {left, wholeAfterMs}: Admission,
): void {
  context.set('RateLimit-Policy', `"${name}";q=${requests};w=${Math.ceil(windowMs / 1000)}`)
  context.set('RateLimit', `"${name}";r=${left};t=${Math.ceil(wholeAfterMs / 1000)}`)
}

function refusal({requests}: RequestQuota, {retryAfterMs}: Admission) {
  const headers = {'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000)))}
  return {headers, members: {limit: requests}}
}
