/**
 * Follows other stores while the service runs. All processes of a dataset take part; each follow is with one at a time.
 */
import {randomUUID} from 'node:crypto'
import {setTimeout as delay} from 'node:timers/promises'
import {observe, observeLasting} from '../base/observation.ts'
import {type TakenFollow, takeFollows} from '../db/store/follows.ts'
import type {Session} from '../db/store/session.ts'
import {followOne, holdMs} from './follow-one.ts'

export type Following = {
  /** Cuts requests to sources off, and ends. */
  readonly stop: () => Promise<void>
}

const lookMs = 1000 // how often it looks for follows that are due

/** @param session  of the operator */
export function startFollowing(session: Session): Following {
  const stopping = new AbortController()
  const {signal} = stopping
  const holder = randomUUID()
  const running = new Map<string, Promise<void>>()

  async function take(): Promise<void> {
    for (const follow of await takeFollows(session, holder, holdMs)) {
      if (running.has(follow.id)) continue
      running.set(follow.id, followAndLeave(follow))
    }
  }

  /** If another process goes on with it, this one must not report an old state for ever. */
  async function followAndLeave(follow: TakenFollow): Promise<void> {
    const waitMs = await followOne(follow, {session, holder, stopping: signal})
    running.delete(follow.id)
    const isTaken = () => running.has(follow.id)
    const leave = () => isTaken() || observe({kind: 'follow-left', source: follow.url + follow.path})
    if (signal.aborted) leave()
    else setTimeout(leave, waitMs + 5 * lookMs).unref()
  }

  async function work(): Promise<void> {
    while (!signal.aborted) {
      await take().catch(observeLasting)
      await delay(lookMs, undefined, {signal}).catch(() => undefined) // it rejects when the signal aborts
    }
  }

  const worked = work()
  return {
    async stop() {
      stopping.abort()
      await worked
      await Promise.all(running.values())
    },
  }
}
