/**
 * A bounded queue before the pool: as many at once as there are connections, the rest wait in order, and not for ever.
 *
 * Floor 3. Without it the driver sends a statement behind another one on the same connection once all are busy, so a
 * short read waits for whatever long query it drew, and the number of waiting requests has no limit.
 */
import {observe} from '../base/observation.ts'
import {Problem} from '../base/problem.ts'
import {crowded} from './problem-of.ts'

export type GateOptions = {
  readonly places: number
  readonly queueMax: number // waiting at most
  readonly waitMs: number // for at most this long
}

export type Gate = {
  /**
   * Waits for a place.
   *
   * @returns  the function that gives the place back; calling it twice does no harm
   * @throws   Problem 503 `busy`: the queue is full, or the wait was too long
   */
  readonly enter: () => Promise<() => void>
  readonly load: () => GateLoad
}

export type GateLoad = {readonly places: number; readonly free: number; readonly waiting: number}

export function createGate({places, queueMax, waitMs}: GateOptions): Gate {
  const waiting = new Set<() => void>()
  let free = places

  function leave(): () => void {
    let isInside = true
    return () => {
      if (!isInside) return
      isInside = false
      const [next] = waiting
      if (next === undefined) free += 1
      else next()
    }
  }

  function wait(): Promise<() => void> {
    const begun = performance.now()
    const tell = (isServed: boolean) => observe({kind: 'pool-waited', ms: performance.now() - begun, isServed})
    return new Promise((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer)
        waiting.delete(admit)
        tell(true)
        resolve(leave())
      }
      const timer = setTimeout(() => {
        waiting.delete(admit)
        tell(false)
        reject(crowded())
      }, waitMs)
      waiting.add(admit)
    })
  }

  return {
    async enter() {
      if (free > 0) {
        free -= 1
        return leave()
      }
      if (waiting.size >= queueMax) {
        observe({kind: 'pool-waited', ms: 0, isServed: false})
        throw crowded()
      }
      return wait()
    },
    load: () => ({places, free, waiting: waiting.size}),
  }
}

/** A place for a statement; none for one whose client has gone meanwhile, so that it is never sent. */
export async function enterFor(gate: Gate | undefined, signal: AbortSignal | undefined): Promise<() => void> {
  const leave = gate === undefined ? () => undefined : await gate.enter()
  if (!signal?.aborted) return leave
  leave()
  throw new Problem(499, 'client-gone', 'The client went away before its statement was sent.')
}
