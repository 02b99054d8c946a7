/**
 * A bounded queue before the pool. It admits as many statements as there are connections; the others wait for a limited
 * time. Callers take turns, so that one caller with many requests does not delay the others.
 *
 * Without it the driver pipelines statements on busy connections, so that a short read would wait for a long query
 * before it, and the number of waiting requests would have no limit.
 *
 * Reads, writes and query answers each have a reserved share of the places (`sharesOf`). Long answers have a queue of
 * their own and leave one place to other queries, so that a query with a short answer does not wait for many long ones.
 */
import {createFairQueue} from '../../base/fair-queue.ts'
import {observe} from '../../base/observation.ts'
import {Problem} from '../../base/problem.ts'
import {crowded} from './problem-of.ts'

/**
 * What a place is used for. `read` is one statement that reads. `query` is a query whose answer is short or expected to
 * be short. `long` is a query whose answer was long before or is expected to be long, or a document read in batches.
 */
export type GateShare = 'read' | 'write' | 'query' | 'long'

export const shareNames: readonly GateShare[] = ['read', 'write', 'query', 'long']

export type GateOptions = {
  readonly places: number
  readonly queueMax: number // maximum of waiting requests, per share
  readonly waitMs: number // maximum wait
  readonly hasShares?: boolean // false: every share may use every place
}

export type Gate = {
  /**
   * Waits for a place.
   *
   * @param caller  the caller that takes turns with others; undefined: no particular caller
   * @returns  a function that frees the place; a second call has no effect
   * @throws   Problem 503 `busy`: the queue is full, or the wait was too long
   */
  readonly enter: (share?: GateShare, caller?: string) => Promise<() => void>
  readonly load: () => GateLoad
}

export type GateLoad = {
  readonly places: number
  readonly busy: Readonly<Record<GateShare, number>>
  readonly waiting: Readonly<Record<GateShare, number>>
}

type Shares = {
  readonly kept: number // places reserved for reads, as many for writes, and as many for answers
  readonly answersMax: number // maximum of queries and long answers together
  readonly longMax: number
}

/** Shares that use the same reserved places. */
const groups: readonly (readonly GateShare[])[] = [['read'], ['write'], ['query', 'long']]

/**
 * Computes the shares. A fifth of the places, at least one, is reserved for each of reads, writes and answers. Answers
 * use at most half. With two places, answers use at most one. With one place, every share uses it.
 */
export function sharesOf(places: number): Shares {
  const kept = places < 3 ? 0 : Math.max(1, Math.floor(places / 5))
  const answersMax = Math.min(Math.ceil(places / 2), places - 2 * kept)
  return {kept, answersMax, longMax: Math.max(1, answersMax - 1)}
}

/** The maximum of concurrent answers of one caller, at least one. It leaves places for other callers. */
export function answersOfCaller(places: number): number {
  return Math.max(1, sharesOf(places).longMax - 1)
}

type Line = {
  readonly size: () => number
  /** Waits until `serve` grants a place, and calls `take` at that moment. */
  readonly wait: (take: () => () => void, caller: string | undefined) => Promise<() => void>
  /** Grants a place to the next in the queue. */
  readonly serve: () => void
}

/** Creates the queue of one share. */
function createLine(share: GateShare, {queueMax, waitMs}: Pick<GateOptions, 'queueMax' | 'waitMs'>): Line {
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
  let next = 0 // index in shareNames of the share whose turn it is

  function isOpen(share: GateShare): boolean {
    let free = places
    for (const group of groups) {
      const taken = group.reduce((sum, one) => sum + busy[one], 0)
      free -= group.includes(share) ? taken : Math.max(taken, kept)
    }
    if (free <= 0) return false
    const isAnswer = share === 'query' || share === 'long'
    return (!isAnswer || busy.query + busy.long < answersMax) && (share !== 'long' || busy.long < longMax)
  }

  /** Grants free places to waiting requests: to the shares in turn, and within a share to the callers in turn. */
  function admit(): void {
    for (let passed = 0; passed < shareNames.length; ) {
      const share = shareNames[next] ?? 'read'
      next = (next + 1) % shareNames.length
      const isNext = lines[share].size() > 0 && isOpen(share)
      if (isNext) lines[share].serve()
      passed = isNext ? 0 : passed + 1
    }
  }

  function take(share: GateShare): () => void {
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

function byShare<Value>(make: (share: GateShare) => Value): Record<GateShare, Value> {
  return {read: make('read'), write: make('write'), query: make('query'), long: make('long')}
}

export type Entering = {
  readonly share?: GateShare | undefined
  readonly caller?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Waits for a place for a statement.
 *
 * @throws  Problem 503 `busy`, or 499 `client-gone` if the client has disconnected meanwhile: the statement is not sent
 */
export async function enterFor(gate: Gate | undefined, {share, caller, signal}: Entering): Promise<() => void> {
  const leave = gate === undefined ? () => undefined : await gate.enter(share, caller)
  if (!signal?.aborted) return leave
  leave()
  throw new Problem(499, 'client-gone', 'The client went away before its statement was sent.')
}
