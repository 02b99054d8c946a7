/**
 * Counts the rows of the joins of slow queries, so that their next plans rest on them (sparql/plan/join/counted.ts).
 *
 * A query is run once more for it, in the background, while PostgreSQL counts. The numbers affect plans, never answers.
 */
import type {Database} from '../db/connection/pool.ts'
import type {StoredFrequencies} from '../db/query/frequencies.ts'
import {explainRows, settle} from '../db/query/rows.ts'
import type {Expression} from '../sparql/algebra.ts'
import {type CompiledQuery, type CompileOptions, compileText, completed, type PreparedQuery} from '../sparql/compile.ts'
import type {Counted} from '../sparql/plan/frequencies.ts'
import {keepCount} from '../sparql/plan/join/counted.ts'
import {countedRows, executionMs} from './counted-rows.ts'

const keptCounts = 5000
const changedFrom = 1.3 // times as many rows, or as few, as were counted before

type Conjunction = {readonly patterns: readonly Counted[]; readonly tests: readonly Expression[]}

/** A plan that was run, how long it took in PostgreSQL, and whether its joins tell anything new. */
export type CountedRun = {readonly compiled: CompiledQuery; readonly ms: number; readonly isNew: boolean}

/**
 * Runs a query, and keeps the number of rows of its joins with the frequencies.
 *
 * @param timeoutMs  for the run
 * @returns          undefined if the query has no joins that can be counted
 */
export async function countJoins(
  database: Database,
  schema: string,
  {joins}: StoredFrequencies,
  {prepared, options, timeoutMs}: {prepared: PreparedQuery; options: CompileOptions; timeoutMs: number},
): Promise<CountedRun | undefined> {
  if (joins === undefined || joins.counts.size > keptCounts) return undefined
  const [patterns, conjunctions] = [new Map<string, Counted>(), [] as Conjunction[]]
  const onCount = {
    onScan: (alias: string, pattern: Counted) => patterns.set(alias, pattern),
    onConjunction: (joined: readonly Counted[], tests: readonly Expression[]) =>
      conjunctions.push({patterns: joined, tests}),
  }
  const compiled = completed(prepared, options, compileText(prepared, {...options, onCount}))
  if (conjunctions.length === 0) return undefined
  const snapshot = await database.openSnapshot()
  try {
    await settle(snapshot, schema, {timeoutMs, requestId: undefined})
    const measured = {form: 'json', isMeasured: true, isTimed: false} as const
    const plan = await explainRows(snapshot, compiled, measured)
    let isNew = false
    for (const {aliases, ...count} of countedRows(plan)) {
      const joined = aliases.flatMap(alias => patterns.get(alias) ?? [])
      const of = conjunctions.find(one => joined.every(pattern => one.patterns.includes(pattern)))
      if (of === undefined || joined.length < aliases.length || isOpenPath(joined)) continue
      const before = keepCount(joins, joined, of.tests, count)
      const ratio = (count.rows + 1) / ((before?.rows ?? 0) + 1)
      if (before === undefined || Math.max(ratio, 1 / ratio) > changedFrom) isNew = true
    }
    return {compiled, ms: executionMs(plan), isNew}
  } finally {
    snapshot.close()
  }
}

/** Whether a closure alone has the solutions of another pattern as its starts. */
function isOpenPath([pattern, ...others]: readonly Counted[]): boolean {
  if (pattern === undefined || others.length > 0 || !('path' in pattern)) return false
  return [pattern.subject, pattern.object].every(({termType}) => termType === 'Variable')
}
