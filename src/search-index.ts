/**
 * Keeps the search index of a dataset while the service runs: creates it if it is missing, merges the words of new
 * literals into it, so that no writer has to, and gathers these words for misspelt searches.
 */
import {setTimeout as delay} from 'node:timers/promises'
import {observe} from './base/observation.ts'
import type {Database} from './db/connection/pool.ts'
import {
  createSearchIndex,
  createSimilarIndex,
  findsSimilarWords,
  gatherSearchWords,
  mergeSearchIndex,
  readSearchIndexState,
} from './db/store/search-index.ts'
import type {Config} from './settings/config.ts'
import {openForLongWork, type Storage} from './storage.ts'

const [shortestMs, longestMs] = [2000, 60_000] // between two merges; twice as long after each that found nothing

/**
 * Starts the work, unless the setting turns the search off. The service runs without the index too, so a failure is
 * only reported.
 *
 * @returns  a function that ends the work
 */
export function startSearchIndex(config: Config, database: Database): () => Promise<void> {
  if (!config.hasSearch) return async () => undefined
  const {schema} = config.database
  const stopping = new AbortController()
  const {signal} = stopping
  let storage: Storage | undefined
  let reported = ''

  async function withStorage<Result>(work: (unlimited: Database) => Promise<Result>): Promise<Result | undefined> {
    if (signal.aborted) return undefined
    storage = await openForLongWork(config)
    try {
      return signal.aborted ? undefined : await work(storage.database)
    } finally {
      await storage.close()
    }
  }
  async function make(): Promise<void> {
    if ((await readSearchIndexState(database, schema)).isUsable) return
    if ((await withStorage(unlimited => createSearchIndex(unlimited, schema))) === 'made')
      observe({kind: 'migrated', schema, applied: ['the search index']})
  }
  async function makeSimilar(): Promise<boolean> {
    if (await findsSimilarWords(database, schema)) return true
    return (await withStorage(unlimited => createSimilarIndex(unlimited, schema))) === true
  }
  async function run(): Promise<void> {
    let findsSimilar: boolean | undefined
    for (let restMs = shortestMs; ; ) {
      await make().catch(error => report('there is no search index', error)) // an import leaves it to be made
      await delay(restMs, undefined, {signal, ref: false})
      const pages = await mergeSearchIndex(database, schema).catch(error =>
        report('the search index could not be merged', error),
      )
      findsSimilar ??=
        (await makeSimilar().catch(error => report('there is no index of similar words', error))) ?? false
      if (findsSimilar)
        await gatherSearchWords(database, schema, signal).catch(error =>
          report('the words for misspelt searches could not be gathered', error),
        )
      restMs = pages !== undefined && pages > 0 ? shortestMs : Math.min(2 * restMs, longestMs)
    }
  }
  function report(what: string, error: unknown): undefined {
    if (signal.aborted) return
    const message = `${what}: ${error instanceof Error ? error.message : String(error)}`
    if (message !== reported) observe({kind: 'database-notice', severity: 'WARNING', message})
    reported = message // not again each minute
  }
  const ended = run().catch(() => undefined) // aborted
  return async () => {
    stopping.abort()
    await storage?.close()
    await ended
  }
}
