/**
 * A bounded queue before the pool: as many at once as there are connections, the rest wait, for some time. Callers take
 * turns, so that nobody waits behind a crowd of somebody else's requests.
 *
 * Without it the driver sends a statement behind another one on the same connection once all are busy, so a
 * short read would wait for whatever long query it drew, and the number of waiting requests would have no limit.
 *
 * Reads, writes and the answers of queries each have a share of the places (`sharesOf`) that the others cannot take.
 * Long answers wait in a line of their own and leave one place to other queries, so a query with a short answer does
 * not wait for a crowd of long ones.
 */
import {createFairQueue} from '../../base/fair-queue.ts'
import {observe} from '../../base/observation.ts'
import {Problem} from '../../base/problem.ts'
import {crowded} from './problem-of.ts'

/**
 * What a place is for: one statement that reads, a write, a query whose answer is short or expected to be, or a long
 * answer: a query that had one before or is expected to have one, or a document that is read in batches.
 */
export type Share = 'read' | 'write' | 'query' | 'long'

export const shareNames: readonly Share[] = ['read', 'write', 'query', 'long']

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
   * @param caller  who takes turns with others; undefined: nobody in particular
   * @returns  the function that gives the place back; calling it twice does no harm
   * @throws   Problem 503 `busy`: the queue is full, or the wait was too long
   */
  readonly enter: (share?: Share, caller?: string) => Promise<() => void>
  readonly load: () => GateLoad
}

export type GateLoad = {
  readonly places: number
  readonly busy: Readonly<Record<Share, number>>
  readonly waiting: Readonly<Record<Share, number>>
}

type Shares = {
  readonly kept: number // places that are left free for reads, as many for writes, as many for answers
  readonly answersMax: number // of queries and long answers together
  readonly longMax: number
}

/** Shares that are kept together. */
const groups: readonly (readonly Share[])[] = [['read'], ['write'], ['query', 'long']]

/**
 * How the places are shared: reads, writes and answers keep a fifth of them each, at least one, and answers take half
 * at most. Two places: one for answers at most, so that reads and writes have the other. A single place is for all.
 */
export function sharesOf(places: number): Shares {
  const kept = places < 3 ? 0 : Math.max(1, Math.floor(places / 5))
  const answersMax = Math.min(Math.ceil(places / 2), places - 2 * kept)
  return {kept, answersMax, longMax: Math.max(1, answersMax - 1)}
}

/** Answers that one caller may be given at once: others find a place, too; at least one. */
export function answersOfCaller(places: number): number {
  return Math.max(1, sharesOf(places).longMax - 1)
}

type Line = {
  readonly size: () => number
  /** Waits; the place is taken by `take` at once when it is given. */
  readonly wait: (take: () => () => void, caller: string | undefined) => Promise<() => void>
  /** Gives a place to whoever is next. */
  readonly serve: () => void
}

/** Those who wait for a place of one share. */
function createLine(share: Share, {queueMax, waitMs}: Pick<GateOptions, 'queueMax' | 'waitMs'>): Line {
  const line = createFairQueue<() => void>()
  const tell = (ms: number, isServed: boolean) => observe({kind: 'pool-waited', ms, isServed, share})
  return {
    size: line.size,
    wait(take, caller) {
      if (line.size() >= queueMax) {
        tell(0, false)
        return Promise.reject(crowded())
      }
      const begun = performance.now()
      return new Promise((resolve, reject) => {
        const end = (isServed: boolean) => {
          clearTimeout(timer)
          tell(performance.now() - begun, isServed)
          if (isServed) resolve(take())
          else reject(crowded())
        }
        const enter = () => end(true)
        const giveUp = () => line.remove(caller, enter) && end(false)
        const timer = setTimeout(giveUp, waitMs)
        line.add(caller, enter)
      })
    },
    serve: () => line.next()?.(),
  }
}

export function createGate({places, hasShares = false, ...limits}: GateOptions): Gate {
  const lines = byShare(share => createLine(share, limits))
  const busy = byShare(() => 0)
  const {kept, answersMax, longMax} = hasShares ? sharesOf(places) : {kept: 0, answersMax: places, longMax: places}
  let next = 0 // of shareNames: whose turn it is

  function isOpen(share: Share): boolean {
    let free = places
    for (const group of groups) {
      const taken = group.reduce((sum, one) => sum + busy[one], 0)
      free -= group.includes(share) ? taken : Math.max(taken, kept)
    }
    if (free <= 0) return false
    const isAnswer = share === 'query' || share === 'long'
    return (!isAnswer || busy.query + busy.long < answersMax) && (share !== 'long' || busy.long < longMax)
  }

  /** Gives free places to those who wait: to each share in turn, within a share to each caller in turn. */
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
    async enter(share = 'read', caller) {
      return lines[share].size() === 0 && isOpen(share) ? take(share) : lines[share].wait(() => take(share), caller)
    },
    load: () => ({places, busy: {...busy}, waiting: byShare(share => lines[share].size())}),
  }
}

function byShare<Value>(make: (share: Share) => Value): Record<Share, Value> {
  return {read: make('read'), write: make('write'), query: make('query'), long: make('long')}
}

export type Entering = {
  readonly share?: Share | undefined
  readonly caller?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** A place for a statement; none for one whose client has gone meanwhile, so that it is never sent. */
export async function enterFor(gate: Gate | undefined, {share, caller, signal}: Entering): Promise<() => void> {
  const leave = gate === undefined ? () => undefined : await gate.enter(share, caller)
  if (!signal?.aborted) return leave
  leave()
  throw new Problem(499, 'client-gone', 'The client went away before its statement was sent.')
}
