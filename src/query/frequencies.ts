/**
 * Caches the frequencies that the planner uses for some minutes. They are counted earlier if the store's size changes
 * much.
 *
 * They affect plans, never answers, so queries use the old ones while new ones are counted.
 */

import type {Queryable} from '../db/connection/pool.ts'
import {readFrequencies, readQuadBytes, type StoredFrequencies} from '../db/query/frequencies.ts'
import type {CountedFrequencies} from './plan-cache.ts'
import type {ProcessState} from './state.ts'

export type FrequencySource = Pick<
  ProcessState,
  'database' | 'schema' | 'cache' | 'frequencies' | 'avoidsTextIndex' | 'hasSearch'
>

const lastMs = 300_000
const sizeLastsMs = 1000
const slackBytes = 2 ** 20 // growth of a small store that is ignored

/**
 * Counts in the caller's transaction the first time: waiting for a second connection could cause a deadlock. Queries
 * that come meanwhile wait for that count, because it has its connection. If it fails, they count themselves.
 */
export async function frequenciesOf(source: FrequencySource, queryable: Queryable): Promise<StoredFrequencies> {
  if (source.frequencies !== undefined) return source.frequencies()
  const {cache} = source
  const known = heldFrequencies(source) ?? cache.frequencies?.held
  if (known !== undefined) return known
  const counted = cache.counting && (await cache.counting.catch(() => undefined))
  if (counted !== undefined) return counted
  cache.counting = countFirst(source, queryable)
  return cache.counting
}

async function countFirst(source: FrequencySource, queryable: Queryable): Promise<StoredFrequencies> {
  const [bytes, held] = await Promise.all([
    readQuadBytes(queryable, source.schema),
    readFrequencies(queryable, source.schema, source),
  ])
  keep(source, held, bytes)
  return held
}

/** The cached frequencies if they have not expired. Compares sizes in the background, for the next query. */
export function heldFrequencies(source: FrequencySource): StoredFrequencies | undefined {
  const known = source.cache.frequencies
  const now = performance.now()
  if (known === undefined) return undefined
  if (now >= known.sizedAt + sizeLastsMs) {
    known.sizedAt = now
    void countAgain(source, known).catch(() => undefined) // next time
  }
  return now < known.until ? known.held : undefined
}

async function countAgain(source: FrequencySource, {bytes: before, until}: CountedFrequencies): Promise<void> {
  const {database, schema} = source
  const bytes = await readQuadBytes(database, schema)
  const hasChanged = Math.abs(bytes - before) > Math.max(before / 4, slackBytes)
  if (hasChanged || performance.now() >= until) keep(source, await readFrequencies(database, schema, source), bytes)
}

function keep({cache}: FrequencySource, held: StoredFrequencies, bytes: number): void {
  const now = performance.now()
  cache.frequencies = {held, bytes, until: now + lastMs, sizedAt: now}
  cache.counting = undefined
}
