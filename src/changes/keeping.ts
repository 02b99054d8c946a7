/**
 * Applies the setting CHANGES to the dataset. While the service runs, deletes expired changes, and keeps states of
 * documents that change often.
 *
 * Every process does this. Locks in the database let one of them work at a time.
 */
import {setTimeout as delay} from 'node:timers/promises'
import {observe, observeLasting} from '../base/observation.ts'
import {isPassing} from '../base/problem.ts'
import type {Database} from '../db/connection/pool.ts'
import {type ChangesKept, expireChanges, keepChanges, keepStates} from '../db/store/changes.ts'

export type KeepingOptions = {
  readonly schema: string
  readonly kept: ChangesKept
  readonly everyMs?: number // between two rounds
}

const [expiredRows, seenRows] = [1000, 10_000] // of the log, in one transaction at most
const [restMs, againMs] = [50, 5000] // between two portions; before the setting is tried again

/**
 * Applies the setting, and starts the work in the background. To turn the log on or off, all writers must end. If one
 * does not, such as an import, the setting is applied later.
 *
 * @returns  a function that ends the work
 */
export async function startKeeping(
  database: Database,
  {schema, kept, everyMs = 60_000}: KeepingOptions,
): Promise<() => Promise<void>> {
  const stopping = new AbortController()
  const {signal} = stopping
  const rest = (ms: number) => delay(ms, undefined, {signal, ref: false})
  const isKept = () =>
    keepChanges(database, schema, kept).then(
      () => true,
      error => {
        if (!isPassing(error)) throw error
        return false
      },
    )
  async function run(): Promise<void> {
    let isSet = isFirstSet
    while (!isSet) {
      await rest(againMs)
      isSet = await isKept()
    }
    for (;;) {
      await rest(everyMs)
      while ((await tried(expireChanges, expiredRows)) === expiredRows) await rest(restMs)
      while ((await tried(keepStates, seenRows)) === seenRows) await rest(restMs)
    }
  }
  async function tried(work: typeof expireChanges, rows: number): Promise<number> {
    try {
      return await work(database, schema, rows)
    } catch (error) {
      if (!signal.aborted) observeLasting(error)
      return 0
    }
  }
  const isFirstSet = await isKept()
  const ended = run().catch((error: unknown) => {
    if (!signal.aborted) observe({kind: 'failure', error})
  })
  return async () => {
    stopping.abort()
    await ended
  }
}
