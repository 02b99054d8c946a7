/**
 * Who listens on a connection: checked when it begins, and again every minute while it lasts.
 */
import type {Context, Middleware} from 'koa'
import {type Allowance, createAllowance} from '../../base/allowance.ts'
import {Problem} from '../../base/problem.ts'
import type {Session} from '../../db/store/session.ts'
import type {SharedSite} from '../exchange.ts'
import {siteFor} from '../server/access.ts'
import {createInnerContext} from '../server/inner-request.ts'
import type {TextChannel} from './channel.ts'

export type IdentityOptions = {
  readonly shared: SharedSite
  readonly settle: Middleware // authenticates a request
  readonly count: Middleware // counts a request for its caller
  readonly listeners: Allowance // open connections by caller
}

export type Identity = {
  /** The session of the caller. @throws Problem 401 `credentials-valid`: they have expired, or were removed */
  readonly session: () => Promise<Session>
  /** Counts a request. @throws Problem 429 `request-rate` */
  readonly count: () => Promise<void>
  /**
   * Counts a connection until it is closed.
   *
   * @throws  Problem 429 `listeners-counted` · 503 `listeners`
   */
  readonly join: (channel: TextChannel) => void
}

const callerListeners = 1000
const recheckMs = 60_000

/** Counts the connections of each caller. */
export function countCallers(): Allowance {
  return createAllowance({callerMax: callerListeners, totalMax: Number.POSITIVE_INFINITY})
}

/**
 * Checks the credentials of a connection.
 *
 * @param authorization  value of an Authorization field; undefined: that of the request, if it has one
 * @throws               Problem 401 `credentials-valid` · 429 `credentials-rate`
 */
export async function identify(
  {shared, settle, count, listeners}: IdentityOptions,
  context: Context,
  authorization: string | undefined,
): Promise<Identity> {
  const headers = authorization === undefined ? {} : {authorization}
  const request = {method: 'GET', url: context.url, headers, headersDistinct: {}, body: undefined}
  async function check() {
    const inner = createInnerContext(context, request)
    await settle(inner, done)
    return inner
  }
  let inner = await check()
  let checkedAt = performance.now()
  return {
    async session() {
      if (performance.now() - checkedAt > recheckMs) {
        inner = await check()
        checkedAt = performance.now()
      }
      return siteFor(shared, inner).dataset.session
    },
    async count() {
      await count(inner, done)
    },
    join({closed}) {
      if (closed.aborted) return
      const caller = shared.callerKey(inner)
      if (listeners.take(caller, 1) !== undefined) {
        const message = `You have ${callerListeners} connections that listen, as many as one caller may have.`
        throw new Problem(429, 'listeners-counted', message)
      }
      closed.addEventListener('abort', () => listeners.give(caller, 1), {once: true})
      closed.addEventListener('abort', shared.listeners.enter(), {once: true})
    },
  }
}

async function done(): Promise<void> {}
