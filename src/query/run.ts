/**
 * A query's way through the database: constants, plan, rows, in one snapshot that lasts until the last row was taken.
 *
 * Floor 4. Nothing here knows the form of the answer: answer.ts makes that of the rows.
 */
import {isDeepStrictEqual} from 'node:util'
import type {Lru} from '../base/lru.ts'
import {Problem} from '../base/problem.ts'
import {timed} from '../base/stages.ts'
import type {Stopwatch} from '../base/stopwatch.ts'
import type {Database, Transaction} from '../db/pool.ts'
import {
  type IdRow,
  readFacts,
  readFrequencies,
  readRows,
  type StoredFrequencies,
  type StoreFacts,
  settle,
} from '../db/rows.ts'
import type {Iri, Term} from '../rdf/term.ts'
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
  readonly terms?: Lru<string, Term> // by id, kept for other queries
  readonly frequencies?: () => Promise<StoredFrequencies> // in place of those that the store counts
  readonly grantees?: readonly string[] | undefined // of who asks; undefined: everything may be read
  readonly limits?: QueryLimits | undefined // undefined: those of sparql/limits.ts
}

const frequenciesLastMs = 300_000
const frequencies = new WeakMap<Database, {readonly until: number; readonly held: StoredFrequencies}>()

/**
 * Frequencies, counted again after some minutes, while queries go on with the old ones; they change plans, never
 * answers.
 */
async function frequenciesOf(store: QueryStore, transaction: Transaction): Promise<StoredFrequencies> {
  if (store.frequencies !== undefined) return store.frequencies()
  const {database, schema} = store
  const keep = (held: StoredFrequencies) => {
    frequencies.set(database, {until: performance.now() + frequenciesLastMs, held})
    return held
  }
  const known = frequencies.get(database)
  // The first time within the transaction: to wait for another connection, while holding one, may be for ever.
  if (known === undefined) return keep(await readFrequencies(transaction, schema))
  if (known.until < performance.now()) {
    keep(known.held)
    readFrequencies(database, schema).then(keep, () => undefined) // next time
  }
  return known.held
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
  readonly federate?: Federate | undefined
  readonly requestId?: string // PostgreSQL shows it as part of application_name
}

export type Federate = (query: Query, transaction: Transaction) => Promise<Query>

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
    const settling = settle(transaction, schema, timeoutMs, requestId).then(() => watch.lap('connect'))
    const compiling = withServices(transaction, prepared, {watch, federate}).then(complete =>
      compileIn(store, transaction, complete, watch),
    )
    const [, compiled] = await Promise.all([settling, compiling])
    const kept = store.terms === undefined ? {} : {kept: store.terms}
    const decoder = createDecoder({transaction, schema, vocabulary, localKeys: compiled.localKeys, ...kept})
    const statement = {
      text: compiled.text,
      parameters: compiled.parameters,
      isWalked: compiled.isWalked,
      columnCount: Math.max(1, compiled.columns.length),
    }
    const own = signal === undefined ? {} : {signal}
    const batches = readRows(transaction, schema, statement, {batchRows, ...own})
    return use({compiled, transaction, decoder, batches, ...own})
  })
  return work.catch((error: unknown) => {
    throw limitTold(error, timeoutMs)
  })
}

/** A query with answers in the places of its SERVICEs (the stage `services`); the same when it has none. */
export async function withServices(
  transaction: Transaction,
  prepared: PreparedQuery,
  {watch, federate}: Omit<RunOptions, 'signal'>,
): Promise<PreparedQuery> {
  if (federate === undefined || !hasService(prepared.query.pattern)) return prepared
  const complete = withConstants(await federate(prepared.query, transaction))
  watch.lap('services')
  return complete
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
  const [facts, frequencies] = await Promise.all([
    readFacts(transaction, schema, [...prepared.constants.keys()], prepared.valued, store.grantees),
    frequenciesOf(store, transaction),
  ])
  watch.lap('look-up')
  const kept = plans.get(prepared) ?? []
  const known = kept.find(plan => plan.frequencies === frequencies && isDeepStrictEqual(plan.facts, facts))
  if (known !== undefined) {
    watch.lap('plan')
    return known.compiled
  }
  const options = {
    schema: `"${schema.replaceAll('"', '""')}"`,
    stored: facts.ids,
    facts: {...facts, frequencies},
    now: new Date().toISOString(),
  }
  const compiled = timed('plan', () => compileQuery(prepared, options))
  watch.lap('plan')
  if (compiled.isLasting) plans.set(prepared, [{facts, frequencies, compiled}, ...kept].slice(0, keptPlans))
  return compiled
}

/**
 * The plans that a query had last, and what they were made for: each is right for no other facts. Callers who may read
 * different parts have different ones.
 */
const plans = new WeakMap<PreparedQuery, readonly Plan[]>()
const keptPlans = 4

type Plan = {
  readonly facts: StoreFacts
  readonly frequencies: StoredFrequencies
  readonly compiled: CompiledQuery
}
