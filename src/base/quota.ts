/**
 * How much each of many callers may still do: a steady rate, with a burst.
 *
 * Floor 0. Pure: it is told the time. Generic cell rate algorithm: one number for each caller, the moment at which its
 * quota will be whole again; no timers, no windows that begin anew. A library was weighed: rate-limiter-flexible keeps
 * a timer for each caller and forgets none before its time, so that many callers cost memory without bound.
 */
import {createLru} from './lru.ts'

export type QuotaOptions = {
  readonly amount: number // in one window
  readonly windowMs: number
  readonly callersMax: number // remembered; one that is forgotten begins anew
}

export type Grant = {
  readonly isGranted: boolean
  readonly left: number
  readonly wholeAfterMs: number // until the whole quota is there again
  readonly retryAfterMs: number // until one more is granted; 0: now
}

export type Quota = {
  readonly take: (caller: string, nowMs: number) => Grant
  /** What `take` would say of whether one is granted, and of the quota as it is; nothing is taken. */
  readonly look: (caller: string, nowMs: number) => Grant
}

export function createQuota({amount, windowMs, callersMax}: QuotaOptions): Quota {
  const wholeAt = createLru<string, number>(callersMax)
  const oneMs = windowMs / amount

  function told(isGranted: boolean, wholeAfterMs: number): Grant {
    const left = Math.max(0, Math.floor((windowMs - wholeAfterMs + slackMs) / oneMs))
    const retryAfterMs = left > 0 ? 0 : Math.max(0, wholeAfterMs + oneMs - windowMs)
    return {isGranted, left, wholeAfterMs, retryAfterMs}
  }
  function wholeAfter(caller: string, nowMs: number): number {
    return Math.max(0, (wholeAt.get(caller) ?? nowMs) - nowMs)
  }
  const fits = (wholeAfterMs: number) => wholeAfterMs + oneMs <= windowMs + slackMs

  return {
    take(caller, nowMs) {
      const before = wholeAfter(caller, nowMs)
      if (!fits(before)) return told(false, before)
      wholeAt.set(caller, nowMs + before + oneMs)
      return told(true, before + oneMs)
    },
    look(caller, nowMs) {
      const now = wholeAfter(caller, nowMs)
      return told(fits(now), now)
    },
  }
}

const slackMs = 1e-6 // of sums of fractions
