/**
 * The feed of a dataset: pages of changes, and a wait for the next one. One per process.
 *
 * While somebody waits, it asks the database every 150 ms up to which position changes are visible: one short statement
 * for all who wait. PostgreSQL's NOTIFY is not used, because it takes a lock that all commits share. Listeners who have
 * read all wake together and ask for the same page, which is read once for all with equal rights. Listeners who are
 * behind read their pages when they can write them. Nobody holds a connection between two pages.
 */
import {createLru} from '../base/lru.ts'
import {observe} from '../base/observation.ts'
import {
  type ChangeRange,
  type ChangesAsked,
  type ChangesPage,
  readChangeRange,
  readChanges,
} from '../db/store/changes.ts'
import type {Session} from '../db/store/session.ts'

export type Feed = {
  /** Reads a page of changes as the session's caller may read them. See `readChanges`. */
  readonly read: (session: Session, asked: ChangesAsked) => Promise<ChangesPage>
  /**
   * Waits until a change after a position is visible.
   *
   * @returns  false: the time has passed, the signal was aborted, or the feed was closed
   */
  readonly wait: (after: string, options: {readonly ms: number; readonly signal?: AbortSignal}) => Promise<boolean>
  /** The positions between which the log can be read now. */
  readonly range: () => Promise<ChangeRange>
  /** The number of callers who wait. */
  readonly waiting: () => number
  /** False after `close`: listeners should end their answers. */
  readonly isOpen: () => boolean
  /** Ends all waits, and refuses further ones. */
  readonly close: () => void
}

export type FeedOptions = {
  readonly schema: string
  readonly everyMs?: number // between two questions to the database
}

type Waiter = {readonly after: bigint; readonly end: (isFound: boolean) => void}

const pagesKept = 64
const freshMs = 1000 // how long a page may be given to others; grants expire too

/** @param session  of the operator, on the primary */
export function createFeed(session: Session, {schema, everyMs = 150}: FeedOptions): Feed {
  const waiters = new Set<Waiter>()
  const pages = createLru<string, {readonly page: Promise<ChangesPage>; readonly atMs: number}>(pagesKept)
  let timer: NodeJS.Timeout | undefined
  let known: ChangeRange | undefined
  let isClosed = false

  async function look(): Promise<void> {
    try {
      known = await readChangeRange(session.database, schema)
      const last = BigInt(known.last)
      for (const waiter of waiters) if (waiter.after < last) waiter.end(true)
    } catch (error) {
      observe({kind: 'failure', error})
    }
    timer = undefined
    schedule()
  }

  function schedule(): void {
    if (waiters.size === 0 || isClosed) return
    timer ??= setTimeout(look, everyMs).unref()
  }

  return {
    read(asker, asked) {
      const key = JSON.stringify([asker.caller?.grantees ?? null, known?.last, known?.grantsRevision, asked])
      const kept = pages.get(key)
      if (kept !== undefined && known !== undefined && performance.now() - kept.atMs < freshMs) return kept.page
      const page = readChanges(asker, asked)
      pages.set(key, {page, atMs: performance.now()})
      page.catch(() => pages.set(key, {page, atMs: Number.NEGATIVE_INFINITY})) // others ask again
      return page
    },
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
    range: () => readChangeRange(session.database, schema),
    waiting: () => waiters.size,
    isOpen: () => !isClosed,
    close() {
      isClosed = true
      clearTimeout(timer)
      for (const waiter of waiters) waiter.end(false)
    },
  }
}
