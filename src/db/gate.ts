/**
 * A bounded queue before the pool: as many at once as there are connections, the rest wait in order, for some time.
 *
 * Floor 3. Without it the driver sends a statement behind another one on the same connection once all are busy, so a
 * short read would wait for whatever long query it drew, and the number of waiting requests would have no limit.
 *
 * Reads, writes and long answers each have a share of the places (`sharesOf`) that the other two cannot take.
 */
import {observe} from '../base/observation.ts'
import {Problem} from '../base/problem.ts'
import {crowded} from './problem-of.ts'

/** What a place is for: one statement that reads, a write, or a query or a document that is read in batches. */
export type Share = 'read' | 'write' | 'long'

export const shareNames: readonly Share[] = ['read', 'write', 'long']

export type GateOptions = {
  readonly places: number
  readonly queueMax: number // waiting at most, of each share
  readonly waitMs: number // for at most this long
  readonly hasShares?: boolean // false: everybody may take every place
}

export type Gate = {
  /**
   * Waits for a place.
   *
   * @returns  the function that gives the place back; calling it twice does no harm
   * @throws   Problem 503 `busy`: the queue is full, or the wait was too long
   */
  readonly enter: (share?: Share) => Promise<() => void>
  readonly load: () => GateLoad
}

export type GateLoad = {
  readonly places: number
  readonly busy: Readonly<Record<Share, number>>
  readonly waiting: Readonly<Record<Share, number>>
}

type Shares = {
  readonly kept: Readonly<Record<Share, number>> // places that the other shares leave free
  readonly longMax: number
}

const nothing = {read: 0, write: 0, long: 0}

/**
 * How the places are shared: each share keeps a fifth of them, at least one, and long answers take half at most.
 * Two places: one for long answers at most, so that reads and writes have the other. A single place is for everyone.
 */
export function sharesOf(places: number): Shares {
  const kept = places < 3 ? 0 : Math.max(1, Math.floor(places / 5))
  return {kept: {read: kept, write: kept, long: kept}, longMax: Math.ceil(places / 2)}
}

/** Long answers that one caller may be given at once: all but one, so that others find a place; at least one. */
export function longPlacesOfCaller(places: number): number {
  const {kept, longMax} = sharesOf(places)
  return Math.max(1, Math.min(longMax, places - kept.read - kept.write) - 1)
}

type Line = {
  readonly size: () => number
  /** Waits; the place is taken by `take` at once when it is given. */
  readonly wait: (take: () => () => void) => Promise<() => void>
  /** Gives a place to the first. */
  readonly serve: () => void
}

/** Those who wait for a place of one share, in order. */
function createLine(share: Share, {queueMax, waitMs}: Pick<GateOptions, 'queueMax' | 'waitMs'>): Line {
  const line = new Set<() => void>()
  const tell = (ms: number, isServed: boolean) => observe({kind: 'pool-waited', ms, isServed, share})
  return {
    size: () => line.size,
    wait(take) {
      if (line.size >= queueMax) {
        tell(0, false)
        return Promise.reject(crowded())
      }
      const begun = performance.now()
      return new Promise((resolve, reject) => {
        const end = (isServed: boolean) => {
          clearTimeout(timer)
          line.delete(enter)
          tell(performance.now() - begun, isServed)
          if (isServed) resolve(take())
          else reject(crowded())
        }
        const enter = () => end(true)
        const timer = setTimeout(() => end(false), waitMs)
        line.add(enter)
      })
    },
    serve() {
      for (const enter of line) return enter()
    },
  }
}

export function createGate({places, hasShares = false, ...limits}: GateOptions): Gate {
  const lines = {read: createLine('read', limits), write: createLine('write', limits), long: createLine('long', limits)}
  const busy = {read: 0, write: 0, long: 0}
  const {kept, longMax} = hasShares ? sharesOf(places) : {kept: nothing, longMax: places}
  let next = 0 // of shareNames: whose turn it is

  function isOpen(share: Share): boolean {
    let free = places
    for (const other of shareNames) free -= other === share ? busy[other] : Math.max(busy[other], kept[other])
    return free > 0 && (share !== 'long' || busy.long < longMax)
  }

  /** Gives free places to those who wait: to each share in turn, within a share in order. */
  function admit(): void {
    for (let passed = 0; passed < shareNames.length; ) {
      const share = shareNames[next] ?? 'read'
      next = (next + 1) % shareNames.length
      const isNext = lines[share].size() > 0 && isOpen(share)
      if (isNext) lines[share].serve()
      passed = isNext ? 0 : passed + 1
    }
  }

  function take(share: Share): () => void {
    busy[share] += 1
    let isInside = true
    return () => {
      if (!isInside) return
      isInside = false
      busy[share] -= 1
      admit()
    }
  }

  return {
    async enter(share = 'read') {
      return lines[share].size() === 0 && isOpen(share) ? take(share) : lines[share].wait(() => take(share))
    },
    load: () => ({
      places,
      busy: {...busy},
      waiting: {read: lines.read.size(), write: lines.write.size(), long: lines.long.size()},
    }),
  }
}

export type Entering = {readonly share?: Share | undefined; readonly signal?: AbortSignal | undefined}

/** A place for a statement; none for one whose client has gone meanwhile, so that it is never sent. */
export async function enterFor(gate: Gate | undefined, {share, signal}: Entering): Promise<() => void> {
  const leave = gate === undefined ? () => undefined : await gate.enter(share)
  if (!signal?.aborted) return leave
  leave()
  throw new Problem(499, 'client-gone', 'The client went away before its statement was sent.')
}
