/**
 * Limits the total running time of the statements of one transaction.
 *
 * PostgreSQL's statement_timeout limits one statement only. A cursor whose every batch is slow would hold its
 * connection without limit. Only time in the database counts, not the time between statements.
 */
import {Problem} from '../../base/problem.ts'

/** Runs a statement and measures its time. */
export type Timed = <Result>(send: () => Promise<Result>) => Promise<Result>

/**
 * @param limitMs  undefined or 0: no limit
 * @returns        a function that runs statements; after the limit it throws Problem 503 `query-timeout` instead
 */
export function createTotalTime(limitMs = 0): Timed {
  let running = 0 // statements may run at the same time
  let [beganMs, spentMs] = [0, 0]
  return async send => {
    if (limitMs > 0 && spentMs > limitMs) throw tooLong(limitMs)
    if (running === 0) beganMs = performance.now()
    running += 1
    try {
      return await send()
    } finally {
      running -= 1
      if (running === 0) spentMs += performance.now() - beganMs
    }
  }
}

function tooLong(limitMs: number): Problem {
  return new Problem(503, 'query-timeout', `The statements of one answer took longer than ${limitMs} ms together.`, {
    members: {limitMs},
    headers: {'Retry-After': String(Math.max(1, Math.ceil(limitMs / 1000)))},
  })
}
