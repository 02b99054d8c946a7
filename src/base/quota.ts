/**
 * A quota for each of many callers: a steady rate with a burst.
 *
 * `createQuota` is pure: the caller passes the current time. It is the generic cell rate algorithm, with one number for
 * each caller: the time at which its quota will be whole again. It needs no timers and no fixed windows. The library
 * rate-limiter-flexible keeps a timer for each caller until its window ends, so its memory grows with the number of
 * callers without limit.
 */
import {createLru} from './lru.ts'

export type QuotaOptions = {
  readonly amount: number // in one window
  readonly windowMs: number
  readonly callersMax: number // number of callers kept; one that was evicted starts with a whole quota
}

export type Admission = {
  readonly isGranted: boolean
  readonly left: number
  readonly wholeAfterMs: number // until the quota is whole again
  readonly retryAfterMs: number // until the next unit is granted; 0: now
}

/** Several units at once, for a process that grants them one by one (`lent-quota.ts`). */
export type Loan = {
  readonly units: number // 0: none is left
  readonly grant: Admission // the state after the loan
}

export type Quota = {
  readonly take: (caller: string, nowMs: number) => Admission
  /** Takes as many units as are left, `most` at most. */
  readonly lend: (caller: string, nowMs: number, most: number) => Loan
  /** Whether `take` would grant a unit, and the quota as it is now. Takes nothing. */
  readonly look: (caller: string, nowMs: number) => Admission
}

/** A quota as requests meet it: of this process, or of all processes of the service. */
export type CallerQuota = {
  readonly take: (caller: string) => Admission | Promise<Admission>
  readonly look: (caller: string) => Admission | Promise<Admission>
}

/** A quota that this process keeps for itself. */
export function createOwnQuota(options: QuotaOptions): CallerQuota {
  const {take, look} = createQuota(options)
  return {
    take: caller => take(caller, performance.now()),
    look: caller => look(caller, performance.now()),
  }
}

export function createQuota({amount, windowMs, callersMax}: QuotaOptions): Quota {
  const wholeAt = createLru<string, number>(callersMax)
  const oneMs = windowMs / amount

  function admissionOf(isGranted: boolean, wholeAfterMs: number): Admission {
    const left = Math.max(0, Math.floor((windowMs - wholeAfterMs + slackMs) / oneMs))
    const retryAfterMs = left > 0 ? 0 : Math.max(0, wholeAfterMs + oneMs - windowMs)
    return {isGranted, left, wholeAfterMs, retryAfterMs}
  }
  function wholeAfter(caller: string, nowMs: number): number {
    return Math.max(0, (wholeAt.get(caller) ?? nowMs) - nowMs)
  }
  const fits = (wholeAfterMs: number) => wholeAfterMs + oneMs <= windowMs + slackMs
  function lend(caller: string, nowMs: number, most: number): Loan {
    const before = wholeAfter(caller, nowMs)
    const units = Math.min(most, Math.max(0, Math.floor((windowMs + slackMs - before) / oneMs)))
    if (units === 0) return {units, grant: admissionOf(false, before)}
    const after = before + units * oneMs
    wholeAt.set(caller, nowMs + after)
    return {units, grant: admissionOf(true, after)}
  }

  return {
    take: (caller, nowMs) => lend(caller, nowMs, 1).grant,
    lend,
    look(caller, nowMs) {
      const now = wholeAfter(caller, nowMs)
      return admissionOf(fits(now), now)
    },
  }
}

const slackMs = 1e-6 // rounding error of sums of fractions
