/**
 * Sends changes to a client as it takes them.
 *
 * Nothing is queued for a client: what its connection does not take stays in the log. Grants apply as they are when a
 * page is read.
 */
import {setTimeout as delay} from 'node:timers/promises'
import {isPassing, Problem} from '../../base/problem.ts'
import type {Feed} from '../../changes/feed.ts'
import type {Change, ChangesPage} from '../../db/store/changes.ts'
import type {Session} from '../../db/store/session.ts'
import {type TextChannel, whenTaken} from './channel.ts'

export type SendOptions = {
  readonly feed: Feed
  readonly channel: TextChannel
  readonly session: () => Promise<Session>
  readonly slowMs: number // how long a client may take nothing
  readonly read: (session: Session, after: string) => Promise<ChangesPage>
  readonly send: (change: Change) => void
}

const waitMs = 60_000
const retryMs = 1000
const mostBytes = 262_144 // that wait for a client before it gets no more

/**
 * Sends changes until the channel or the feed is closed. While the database is not available, it waits.
 *
 * @param position  to begin after
 * @throws          Problem 408 `listener-slow` · 401: the credentials have expired · what reading the log throws
 */
export async function sendChanges(options: SendOptions, position: string): Promise<void> {
  const {feed, channel, session, slowMs, read, send} = options
  const {closed} = channel
  let after = position
  while (!closed.aborted && feed.isOpen()) {
    const page = await patiently(closed, async () => read(await session(), after))
    for (const change of page?.changes ?? []) {
      send(change)
      if (!(await whenTaken(channel, {mostBytes, limitMs: slowMs})))
        throw new Problem(408, 'listener-slow', `You have read nothing for ${slowMs} ms.`, {members: {limitMs: slowMs}})
    }
    after = page?.next ?? after
    if (page?.isEnd) await feed.wait(after, {ms: waitMs, signal: closed})
  }
}

/** The result; undefined: the channel was closed, or the database is not available. */
async function patiently<Result>(closed: AbortSignal, work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!isPassing(error) && !closed.aborted) throw error
    await delay(retryMs, undefined, {signal: closed}).catch(() => undefined)
    return undefined
  }
}
