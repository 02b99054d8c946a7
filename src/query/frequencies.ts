/**
 * The frequencies that plans depend on: kept for minutes, counted again sooner when the store has changed much in size.
 *
 * They change plans, never answers, so queries go on with the old ones while new ones are counted.
 */

import type {Database, Queryable} from '../db/connection/pool.ts'
import {readFrequencies, readQuadBytes, type StoredFrequencies} from '../db/query/facts.ts'

export type FrequencySource = {
  readonly database: Database
  readonly schema: string
  readonly frequencies?: () => Promise<StoredFrequencies> // in place of those that the store counts
  readonly avoidsTextIndex?: boolean
}

type Counted = {
  readonly held: StoredFrequencies
  readonly bytes: number // of the quads when they were counted
  readonly until: number // then they are counted again, whatever the size
  sizedAt: number // when the size was last compared
}

const lastMs = 300_000
const sizeLastsMs = 1000
const slackBytes = 2 ** 20 // a small store may grow so much before it counts as much

const counted = new WeakMap<Database, Counted>()

/** The first time within the transaction: waiting for another connection while holding one may never end. */
export async function frequenciesOf(source: FrequencySource, queryable: Queryable): Promise<StoredFrequencies> {
  if (source.frequencies !== undefined) return source.frequencies()
  const known = counted.get(source.database)
  if (known !== undefined) return heldFrequencies(source) ?? known.held
  const [bytes, held] = await Promise.all([
    readQuadBytes(queryable, source.schema),
    readFrequencies(queryable, source.schema, source),
  ])
  keep(source, held, bytes)
  return held
}

/** What is held, if it is not too old; whether it still fits the store is looked up meanwhile, for the next query. */
export function heldFrequencies(source: FrequencySource): StoredFrequencies | undefined {
  const known = counted.get(source.database)
  const now = performance.now()
  if (known === undefined) return undefined
  if (now >= known.sizedAt + sizeLastsMs) {
    known.sizedAt = now
    void countAgain(source, known).catch(() => undefined) // next time
  }
  return now < known.until ? known.held : undefined
}

async function countAgain(source: FrequencySource, {bytes: before, until}: Counted): Promise<void> {
  const {database, schema} = source
  const bytes = await readQuadBytes(database, schema)
  const hasChanged = Math.abs(bytes - before) > Math.max(before / 4, slackBytes)
  if (hasChanged || performance.now() >= until) keep(source, await readFrequencies(database, schema, source), bytes)
}

function keep({database}: FrequencySource, held: StoredFrequencies, bytes: number): void {
  const now = performance.now()
  counted.set(database, {held, bytes, until: now + lastMs, sizedAt: now})
}
