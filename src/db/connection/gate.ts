/**
 * A bounded queue before the pool. It admits as many statements as there are connections; the others wait for a limited
 * time. Callers take turns, so that one caller with many requests does not delay the others.
 *
 * Without it the driver pipelines statements on busy connections, so that a short read would wait for a long query
 * before it, and the number of waiting requests would have no limit.
 *
 * Reads, writes and query answers each have a reserved share of the places (`sharesOf`). Long answers have a queue of
 * their own and leave one place to other queries, so that a query with a short answer does not wait for many long ones.
 *
 * The datasets of one server take turns too. A dataset has at most half of the places that a share can have, and half
 * of its queue, so that the slow statements of one dataset leave places to the others.
 */
import {type Admits, createFairQueue} from '../../base/fair-queue.ts'
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
   * @param caller   the caller that takes turns with others; undefined: no particular caller
   * @param dataset  the dataset that takes turns with others; undefined: the only one
   * @returns  a function that frees the place; a second call has no effect
   * @throws   Problem 503 `busy`: the queue is full, or the wait was too long
   */
  readonly enter: (share?: GateShare, caller?: string, dataset?: string) => Promise<() => void>
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

type Claimant = {readonly caller: string | undefined; readonly dataset: string | undefined}

type Line = {
  /** Whether a request waits that `admits` would let in. */
  readonly has: (admits: Admits) => boolean
  readonly size: () => number
  /** Waits until `serve` grants a place, and calls `take` at that moment. */
  readonly wait: (take: () => () => void, claimant: Claimant) => Promise<() => void>
  /** Grants a place to the next in the queue. Returns whether there was one. */
  readonly serve: (admits: Admits) => boolean
}

/** Creates the queue of one share. */
function createLine(share: GateShare, {queueMax, waitMs}: Pick<GateOptions, 'queueMax' | 'waitMs'>): Line {
  const line = createFairQueue<() => void>()
  const observeWait = (ms: number, isServed: boolean, dataset: string | undefined) =>
    observe({kind: 'pool-waited', ms, isServed, share, dataset})
  const isFull = (dataset: string | undefined) =>
    line.size() >= queueMax || (dataset !== undefined && line.sizeOf(dataset) >= half(queueMax))
  return {
    has: line.has,
    size: line.size,
    wait(take, {caller, dataset}) {
      if (isFull(dataset)) {
        observeWait(0, false, dataset)
        return Promise.reject(crowded())
      }
      const begun = performance.now()
      return new Promise((resolve, reject) => {
        const end = (isServed: boolean) => {
          clearTimeout(timer)
          observeWait(performance.now() - begun, isServed, dataset)
          if (isServed) resolve(take())
          else reject(crowded())
        }
        const enter = () => end(true)
        const giveUp = () => line.remove(caller, enter, dataset) && end(false)
        const timer = setTimeout(giveUp, waitMs)
        line.add(caller, enter, dataset)
      })
    },
    serve(admits) {
      const enter = line.next(admits)
      enter?.()
      return enter !== undefined
    },
  }
}

/** The part of a dataset: half, rounded up. */
function half(most: number): number {
  return Math.ceil(most / 2)
}

/** Counts the places that each dataset has, by share. */
function createTally() {
  const tally = new Map<string, Record<GateShare, number>>() // only datasets that have places
  return {
    of: (dataset: string, shares: readonly GateShare[]) =>
      shares.reduce((sum, share) => sum + (tally.get(dataset)?.[share] ?? 0), 0),
    count(dataset: string | undefined, share: GateShare, change: 1 | -1): void {
      if (dataset === undefined) return
      const own = tally.get(dataset) ?? byShare(() => 0)
      own[share] += change
      if (shareNames.every(name => own[name] === 0)) tally.delete(dataset)
      else tally.set(dataset, own)
    },
  }
}

/** The places of a gate: who has them, and whether another may be taken. */
function createPlaces(places: number, hasShares: boolean) {
  const busy = byShare(() => 0)
  const tally = createTally()
  const {kept, answersMax, longMax} = hasShares ? sharesOf(places) : {kept: 0, answersMax: places, longMax: places}

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

  function isWithinHalf(share: GateShare, dataset: string): boolean {
    if (share === 'read' || share === 'write') return tally.of(dataset, [share]) < half(places - 2 * kept)
    const isBelow = tally.of(dataset, ['query', 'long']) < half(answersMax)
    return isBelow && (share !== 'long' || tally.of(dataset, ['long']) < half(longMax))
  }

  return {
    busy: (): Readonly<Record<GateShare, number>> => ({...busy}),
    isOpenTo: (share: GateShare, dataset: string | undefined) =>
      isOpen(share) && (dataset === undefined || !hasShares || isWithinHalf(share, dataset)),
    count(share: GateShare, dataset: string | undefined, change: 1 | -1): void {
      busy[share] += change
      tally.count(dataset, share, change)
    },
  }
}

export function createGate({places, hasShares = false, ...limits}: GateOptions): Gate {
  const lines = byShare(share => createLine(share, limits))
  const {busy, isOpenTo, count} = createPlaces(places, hasShares)
  let next = 0 // index in shareNames of the share whose turn it is

  /**
   * Grants free places to waiting requests: to the shares in turn, within a share to the datasets in turn, and within a
   * dataset to the callers in turn.
   */
  function admit(): void {
    for (let passed = 0; passed < shareNames.length; ) {
      const share = shareNames[next] ?? 'read'
      next = (next + 1) % shareNames.length
      const isServed = lines[share].size() > 0 && lines[share].serve(dataset => isOpenTo(share, dataset))
      passed = isServed ? 0 : passed + 1
    }
  }

  function take(share: GateShare, dataset: string | undefined): () => void {
    count(share, dataset, 1)
    let isInside = true
    return () => {
      if (!isInside) return
      isInside = false
      count(share, dataset, -1)
      admit()
    }
  }

  return {
    async enter(share = 'read', caller, dataset) {
      const line = lines[share]
      const isFree = isOpenTo(share, dataset) && (line.size() === 0 || !line.has(other => isOpenTo(share, other)))
      return isFree ? take(share, dataset) : line.wait(() => take(share, dataset), {caller, dataset})
    },
    load: () => ({places, busy: busy(), waiting: byShare(share => lines[share].size())}),
  }
}

/** The gate as one dataset sees it: everything that enters is of this dataset. */
export function gateOf(gate: Gate, dataset: string): Gate {
  return {...gate, enter: (share, caller) => gate.enter(share, caller, dataset)}
}

function byShare<Value>(make: (share: GateShare) => Value): Record<GateShare, Value> {
  return {read: make('read'), write: make('write'), query: make('query'), long: make('long')}
}

export type Entering = {
  readonly share?: GateShare | undefined
  readonly turn?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Waits for a place for a statement.
 *
 * @throws  Problem 503 `busy`, or 499 `client-gone` if the client has disconnected meanwhile: the statement is not sent
 */
export async function enterFor(gate: Gate | undefined, {share, turn, signal}: Entering): Promise<() => void> {
  const leave = gate === undefined ? () => undefined : await gate.enter(share, turn)
  if (!signal?.aborted) return leave
  leave()
  throw new Problem(499, 'client-gone', 'The client went away before its statement was sent.')
}
