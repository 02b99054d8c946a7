/**
 * What a query costs inside PostgreSQL: compiled as the service does it, run by EXPLAIN ANALYZE without timing.
 *
 * The time is the processor time of the backend, so that other work on the machine hardly changes it. Where the kernel
 * does not report that, it is the execution time.
 */
import type {Database} from '../../src/db/connection/pool.ts'
import {readFacts} from '../../src/db/query/facts.ts'
import {readFrequencies} from '../../src/db/query/frequencies.ts'
import {plannedText, settle} from '../../src/db/query/rows.ts'
import {askedFor} from '../../src/query/facts.ts'
import {type CompiledQuery, compileQuery, prepareQuery} from '../../src/sparql/compile.ts'
import {kindExtent} from '../../src/sparql/plan/extent.ts'
import {processorMs} from './processor.ts'

const schema = 'quadstead'

/** Milliseconds: the least of the rounds, after one that does not count. */
export type Inside = {
  readonly timeOf: (sparql: string) => Promise<number>
  readonly timeOfSql: (sql: string, parameters?: readonly string[]) => Promise<number>
}

type Timed = Pick<CompiledQuery, 'text' | 'parameters' | 'isWalked' | 'isMemoized'>

export async function measureInside(
  database: Database,
  {base, rounds}: {base: string; rounds: number},
): Promise<Inside> {
  const frequencies = await readFrequencies(database, schema)
  const timed = ({text: sql, parameters, isWalked, isMemoized}: Timed): Promise<number> =>
    database.begin('repeatable read read only', async transaction => {
      await settle(transaction, schema, {timeoutMs: 120_000, requestId: undefined})
      await transaction.query(`select ${plannedText('$1', '$2')}`, [isWalked, isMemoized])
      const [backend] = await transaction.query<{pid: number}>('select pg_backend_pid() as pid')
      const times: number[] = []
      for (let round = -1; round < rounds; round += 1) {
        const before = processorMs(backend?.pid ?? 0)
        const [row] = await transaction.query<{'QUERY PLAN': readonly {'Execution Time': number}[]}>(
          `explain (analyze, timing off, format json) ${sql}`,
          parameters.length === 0 ? [] : [parameters],
        )
        const after = processorMs(backend?.pid ?? 0)
        const wall = row?.['QUERY PLAN'][0]?.['Execution Time'] ?? Number.NaN
        if (round >= 0) times.push(before === undefined || after === undefined ? wall : after - before)
        if (round >= 0 && (times[0] ?? 0) > 2000) break
      }
      return Math.min(...times)
    })
  return {
    timeOfSql: (text, parameters = []) => timed({text, parameters, isWalked: false, isMemoized: true}),
    async timeOf(sparql) {
      const prepared = prepareQuery(sparql, `${base}sparql`)
      const facts = await readFacts(database, schema, askedFor(prepared, undefined))
      const extents = new Map(Array.from(facts.extents, ([id, extent]) => [id, kindExtent(extent)]))
      const compiled = compileQuery(prepared, {
        schema: `"${schema}"`,
        stored: facts.ids,
        facts: {...facts, extents, frequencies},
        now: new Date(0).toISOString(),
      })
      return timed(compiled)
    },
  }
}
