/**
 * A quota for each of many callers: a steady rate with a burst.
 *
 * Pure: the caller passes the current time. It is the generic cell rate algorithm, with one number for each caller: the
 * time at which its quota will be whole again. It needs no timers and no fixed windows. The library
 * rate-limiter-flexible keeps a timer for each caller until its window ends, so its memory grows with the number of
 * callers without limit.
 */
import {createLru} from './lru.ts'

export type QuotaOptions = {
  readonly amount: number // in one window
  readonly windowMs: number
  readonly callersMax: number // number of callers kept; one that was evicted starts with a whole quota
}

export type Grant = {
  readonly isGranted: boolean
  readonly left: number
  readonly wholeAfterMs: number // until the quota is whole again
  readonly retryAfterMs: number // until the next unit is granted; 0: now
}

export type Quota = {
  readonly take: (caller: string, nowMs: number) => Grant
  /** Whether `take` would grant a unit, and the quota as it is now. Takes nothing. */
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

const slackMs = 1e-6 // rounding error of sums of fractions
