/**
 * Serves the statistics of the dataset, at most one minute old.
 */
import type {Database} from '../db/connection/pool.ts'
import {type Frequent, readFrequent, readNumbers, type StoreNumbers} from '../db/store/statistics.ts'

export type Statistics = {readonly numbers: StoreNumbers; readonly predicates: readonly Frequent[]}
export type ReadStatistics = () => Promise<Statistics>

const predicateLimit = 50
const keptMs = 60_000

/** @returns  a function that reads the statistics, and again when they are a minute old */
export function createStatistics(database: Database, schema: string): ReadStatistics {
  let held: {readonly until: number; readonly statistics: Promise<Statistics>} | undefined
  async function read(): Promise<Statistics> {
    const predicates = readFrequent(database, schema, 'predicates', predicateLimit)
    return {numbers: await readNumbers(database, schema), predicates: await predicates}
  }
  return () => {
    if (held === undefined || held.until < performance.now()) {
      const statistics = read()
      held = {until: performance.now() + keptMs, statistics}
      statistics.catch(() => {
        held = undefined
      })
    }
    return held.statistics
  }
}
