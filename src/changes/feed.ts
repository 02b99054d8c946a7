/**
 * The feed of a dataset: pages of changes, and a wait for the next one. One per process and dataset.
 *
 * Listeners who have read all wake together and ask for the same page, which is read once for all with equal rights.
 * Listeners who are behind read their pages when they can write them. Nobody holds a connection between two pages.
 */
import {createLru} from '../base/lru.ts'
import {
  type ChangeRange,
  type ChangesAsked,
  type ChangesPage,
  readChangeRange,
  readChanges,
} from '../db/store/changes.ts'
import type {Session} from '../db/store/session.ts'
import {createTail, type Tail} from './tail.ts'

export type Feed = Pick<Tail, 'wait' | 'waiting' | 'isOpen' | 'close'> & {
  /** Reads a page of changes as the session's caller may read them. See `readChanges`. */
  readonly read: (session: Session, asked: ChangesAsked) => Promise<ChangesPage>
  /** The positions between which the log can be read now. */
  readonly range: () => Promise<ChangeRange>
}

export type FeedOptions = {
  readonly schema: string
  readonly everyMs?: number // see createTail
}

const pagesKept = 16 // with triples, a page can have some megabytes
const freshMs = 1000 // how long a page is given to others; grants expire too

/** @param session  of the operator, on the primary */
export function createFeed({database}: Session, {schema, everyMs = 150}: FeedOptions): Feed {
  const range = () => readChangeRange(database, schema)
  const tail = createTail(range, everyMs)
  const pages = createLru<string, Promise<ChangesPage> | undefined>(pagesKept)
  return {
    ...tail,
    range,
    read(session, asked) {
      const known = tail.known()
      const key = JSON.stringify([session.caller?.grantees ?? null, known?.last, known?.grantsRevision, asked])
      const kept = pages.get(key)
      if (kept !== undefined && known !== undefined) return kept
      const page = readChanges(session, asked)
      const forget = () => pages.set(key, undefined)
      pages.set(key, page)
      page.then(() => setTimeout(forget, freshMs).unref(), forget)
      return page
    },
  }
}
