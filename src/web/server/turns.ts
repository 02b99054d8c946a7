/**
 * Limits how many queries, updates, batches and reads of large documents run at once for one caller.
 *
 * More of them wait for their turn, so that no caller takes every database connection.
 */
import {Problem} from '../../base/problem.ts'

export type TurnOptions = {
  readonly places: number // answers at once, for each caller; Infinity: no limit
  readonly waitingMax: number // waiting answers, for each caller
  readonly waitMs: number
}

export type Turns = {
  /**
   * Waits for the caller's turn.
   *
   * @param caller  undefined: no limit, no wait
   * @param signal  aborts if the client disconnects; ends the wait
   * @returns       ends the turn; must be called once
   * @throws        Problem 429 `queries-at-once`: too many wait, or this one waited too long · 499 `client-gone`
   */
  readonly enter: (caller: string | undefined, signal: AbortSignal) => Promise<() => void>
}

type Line = {running: number; readonly waiting: Set<() => void>}

export function createTurns({places, waitingMax, waitMs}: TurnOptions): Turns {
  const lines = new Map<string, Line>() // only callers with running work

  function refusal(): Problem {
    const message =
      `${places} of your queries or large documents are being answered, ` +
      'and more have waited too long or are too many.'
    return new Problem(429, 'queries-at-once', message, {headers: {'Retry-After': '1'}, members: {limit: places}})
  }

  function waitIn(line: Line, signal: AbortSignal): Promise<void> {
    if (line.running < places) {
      line.running += 1
      return Promise.resolve()
    }
    if (line.waiting.size >= waitingMax) return Promise.reject(refusal())
    return new Promise((resolve, reject) => {
      const admit = () => {
        leave()
        resolve()
      }
      const give = (reason: Problem) => {
        leave()
        reject(reason)
      }
      const gone = () => give(new Problem(499, 'client-gone', 'The client went away before its query began.'))
      const timer = setTimeout(() => give(refusal()), waitMs)
      function leave(): void {
        clearTimeout(timer)
        signal.removeEventListener('abort', gone)
        line.waiting.delete(admit)
      }
      line.waiting.add(admit)
      signal.addEventListener('abort', gone, {once: true})
      if (signal.aborted) gone()
    })
  }

  return {
    async enter(caller, signal) {
      if (caller === undefined || places === Number.POSITIVE_INFINITY) return () => undefined
      const line = lines.get(caller) ?? {running: 0, waiting: new Set()}
      lines.set(caller, line)
      await waitIn(line, signal)
      return () => {
        const [next] = line.waiting
        if (next !== undefined)
          next() // takes over this place
        else {
          line.running -= 1
          if (line.running === 0) lines.delete(caller)
        }
      }
    },
  }
}
