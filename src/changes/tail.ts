/**
 * Knows up to which position changes are visible, while somebody waits for that.
 *
 * It asks the database every 150 ms: one short statement for all who wait. PostgreSQL's NOTIFY is not used, because it
 * takes a lock that all commits share. Without waiters it asks nothing.
 */
import {observeLasting} from '../base/observation.ts'
import type {ChangeRange} from '../db/store/changes.ts'

export type Tail = {
  /** What the last answer said; undefined before the first one. */
  readonly known: () => ChangeRange | undefined
  /**
   * Waits until a change after a position is visible.
   *
   * @returns  false: the time has passed, the signal was aborted, or the tail was closed
   */
  readonly wait: (after: string, options: {readonly ms: number; readonly signal?: AbortSignal}) => Promise<boolean>
  readonly waiting: () => number
  readonly isOpen: () => boolean
  /** Ends all waits, and refuses further ones. */
  readonly close: () => void
}

type Waiter = {readonly after: bigint; readonly end: (isFound: boolean) => void}

/** @param everyMs  between two questions to the database */
export function createTail(read: () => Promise<ChangeRange>, everyMs: number): Tail {
  const waiters = new Set<Waiter>()
  let timer: NodeJS.Timeout | undefined
  let known: ChangeRange | undefined
  let isClosed = false

  async function look(): Promise<void> {
    try {
      known = await read()
      const last = BigInt(known.last)
      for (const waiter of waiters) if (waiter.after < last) waiter.end(true)
    } catch (error) {
      observeLasting(error) // it asks again
    }
    timer = undefined
    schedule()
  }

  function schedule(): void {
    if (waiters.size > 0 && !isClosed) timer ??= setTimeout(look, everyMs).unref()
  }

  return {
    known: () => known,
    wait(after, {ms, signal}) {
      if (isClosed || signal?.aborted) return Promise.resolve(false)
      return new Promise(resolve => {
        const end = (isFound: boolean) => {
          clearTimeout(timeout)
          signal?.removeEventListener('abort', abort)
          waiters.delete(waiter)
          resolve(isFound)
        }
        const abort = () => end(false)
        const timeout = setTimeout(abort, ms)
        const waiter = {after: BigInt(after), end}
        signal?.addEventListener('abort', abort, {once: true})
        waiters.add(waiter)
        schedule()
      })
    },
    waiting: () => waiters.size,
    isOpen: () => !isClosed,
    close() {
      isClosed = true
      clearTimeout(timer)
      for (const waiter of waiters) waiter.end(false)
    },
  }
}
