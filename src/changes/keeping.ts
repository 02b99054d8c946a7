/**
 * Applies the setting CHANGES to the dataset, and deletes expired changes while the service runs.
 *
 * Every process does this. A lock in the database lets one of them delete at a time.
 */
import {setTimeout as delay} from 'node:timers/promises'
import {observe, observeLasting} from '../base/observation.ts'
import {isPassing} from '../base/problem.ts'
import type {Database} from '../db/connection/pool.ts'
import {type ChangesKept, expireChanges, keepChanges} from '../db/store/changes.ts'

export type KeepingOptions = {
  readonly schema: string
  readonly kept: ChangesKept
  readonly everyMs?: number // between two searches for expired changes
}

const portion = 1000 // rows that one transaction deletes at most
const [restMs, againMs] = [50, 5000] // between two portions; before the setting is tried again

/**
 * Applies the setting, and starts to delete expired changes. To turn the log on or off, all writers must end. If one
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
      while ((await expireSome()) > 0) await rest(restMs)
    }
  }
  async function expireSome(): Promise<number> {
    try {
      return await expireChanges(database, schema, portion)
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
