/**
 * A query's way through the database: constants, plan, rows, in one snapshot that lasts until the last row was taken.
 *
 * Floor 4. Nothing here knows the form of the answer: answer.ts makes that of the rows.
 */
import {Problem} from '../base/problem.ts'
import type {Stopwatch} from '../base/stopwatch.ts'
import type {Database, Transaction} from '../db/pool.ts'
import {findIds, type IdRow, readFacts, readFrequencies, readRows, type StoredFrequencies, settle} from '../db/rows.ts'
import type {Iri} from '../rdf/term.ts'
import type {Query} from '../sparql/algebra.ts'
import {hasService} from '../sparql/analyse/services.ts'
import {type CompiledQuery, compileQuery, type PreparedQuery, withConstants} from '../sparql/compile.ts'
import type {QueryLimits} from '../sparql/limits.ts'
import {createDecoder, type Decoder} from './decode.ts'

export type QueryStore = {
  readonly database: Database
  readonly schema: string
  readonly vocabulary: ReadonlyMap<string, Iri>
  readonly timeoutMs: number // of a query; 0: none
  readonly limits?: QueryLimits | undefined // undefined: those of sparql/limits.ts
}

const frequenciesLastMs = 60_000
const frequencies = new WeakMap<Database, {readonly until: number; readonly held: Promise<StoredFrequencies>}>()

/** Frequencies, read again after a minute; they change plans, never answers. */
function frequenciesOf({database, schema}: QueryStore, transaction: Transaction): Promise<StoredFrequencies> {
  const known = frequencies.get(database)
  if (known !== undefined && known.until > performance.now()) return known.held
  const held = readFrequencies(transaction, schema)
  frequencies.set(database, {until: performance.now() + frequenciesLastMs, held})
  held.catch(() => frequencies.delete(database))
  return held
}

export type RunningQuery = {
  readonly compiled: CompiledQuery
  readonly transaction: Transaction
  readonly decoder: Decoder
  readonly batches: AsyncIterable<readonly IdRow[]>
  readonly signal?: AbortSignal
}

export type RunOptions = {
  readonly signal?: AbortSignal
  readonly watch: Stopwatch
  /** Answers the SERVICEs of a query; undefined: there is none to ask. */
  readonly federate?: ((query: Query, transaction: Transaction) => Promise<Query>) | undefined
  readonly requestId?: string // PostgreSQL shows it as part of application_name
}

const batchRows = 1000

/**
 * Runs a query.
 *
 * @param use  takes the rows; the transaction ends with it
 * @throws     Problem 403 `federation-disabled`, 503 `query-timeout`
 */
export function runQuery<Result>(
  store: QueryStore,
  prepared: PreparedQuery,
  {signal, watch, requestId, federate}: RunOptions,
  use: (running: RunningQuery) => Promise<Result>,
): Promise<Result> {
  const {database, schema, vocabulary, timeoutMs} = store
  const work = database.begin('repeatable read read only', async transaction => {
    if (signal?.aborted) throw new Problem(499, 'client-gone', 'The client went away before its query began.')
    await settle(transaction, schema, timeoutMs, requestId)
    watch.lap('connect')
    const asksOthers = federate !== undefined && hasService(prepared.query.pattern)
    const complete = asksOthers ? withConstants(await federate(prepared.query, transaction)) : prepared
    if (asksOthers) watch.lap('services')
    const compiled = await compileIn(store, transaction, complete, watch)
    const decoder = createDecoder({transaction, schema, vocabulary, localKeys: compiled.localKeys})
    const statement = {
      text: compiled.text,
      parameters: compiled.parameters,
      columnCount: Math.max(1, compiled.columns.length),
    }
    const own = signal === undefined ? {} : {signal}
    const batches = readRows(transaction, statement, {batchRows, ...own})
    return use({compiled, transaction, decoder, batches, ...own})
  })
  return work.catch((error: unknown) => {
    throw limitTold(error, timeoutMs)
  })
}

/** The pool tells its own limit; a query has another. */
export function limitTold(error: unknown, limitMs: number): unknown {
  if (!(error instanceof Problem) || error.rule !== 'query-timeout') return error
  const message = `The query was given up: it reached the limit of ${limitMs} ms.`
  return new Problem(503, 'query-timeout', message, {members: {limitMs}, cause: error})
}

/** Compiles a query for the state that a transaction sees; the stages are `look-up` (ids, facts) and `plan`. */
export async function compileIn(
  store: QueryStore,
  transaction: Transaction,
  prepared: PreparedQuery,
  watch: Stopwatch,
): Promise<CompiledQuery> {
  const {schema} = store
  const stored = await findIds(transaction, schema, [...prepared.constants.keys()])
  const facts = {
    ...(await readFacts(transaction, schema)),
    frequencies: await frequenciesOf(store, transaction),
  }
  watch.lap('look-up')
  const now = new Date().toISOString()
  const compiled = compileQuery(prepared, {schema: `"${schema.replaceAll('"', '""')}"`, stored, facts, now})
  watch.lap('plan')
  return compiled
}
