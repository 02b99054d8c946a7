/**
 * A limit on how long the statements of one transaction run together.
 *
 * PostgreSQL's statement_timeout bounds one statement only, so a cursor that is slow from batch to batch would
 * hold its connection without end. Only time in the database counts, not what is done between two statements.
 */
import {Problem} from '../../base/problem.ts'

/** Sends a statement, and counts its time. */
export type Timed = <Result>(send: () => Promise<Result>) => Promise<Result>

/**
 * @param limitMs  undefined or 0: no limit
 * @returns        throws Problem 503 `query-timeout` instead of sending a statement when the time is over
 */
export function createTotalTime(limitMs = 0): Timed {
  let running = 0 // statements are sent together
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
