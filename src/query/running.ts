/**
 * A running query: the options it runs with, and what the code that makes the answer reads from it.
 */
import type {Stopwatch} from '../base/stopwatch.ts'
import type {Database, Transaction} from '../db/connection/pool.ts'
import type {IdRow} from '../db/query/rows.ts'
import type {LogPosition} from '../db/replicas/reader.ts'
import type {Query} from '../sparql/algebra.ts'
import type {CompiledQuery, PreparedQuery} from '../sparql/compile.ts'
import {createDecoder, type Decoder, defaultHeldLimits, type HeldLimits} from './decode.ts'
import {askedOf} from './fact-memory.ts'
import type {Plan, QueryStore} from './plans.ts'

export function heldLimits({heldLimits = defaultHeldLimits}: Pick<QueryStore, 'heldLimits'>): HeldLimits {
  return heldLimits
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
  /** Evaluates the SERVICE patterns of a query; undefined if it has none. */
  readonly federate?: Federate | undefined
  /** Whether the answer reads only rows and their terms from the snapshot; undefined: it reads more. */
  readonly isAlone?: (compiled: CompiledQuery) => boolean
  readonly requestId?: string // PostgreSQL shows it as part of application_name
  readonly server?: Database // a replica; undefined: the store's primary
  readonly after?: LogPosition | undefined // see QueryOptions
}

export type Federate = (query: Query, transaction: Transaction) => Promise<Query>

/** The conditions under which a cached plan is valid. */
export function conditionsOf(store: QueryStore, prepared: PreparedQuery, {facts}: Plan, {requestId}: RunOptions) {
  const {schema, timeoutMs} = store
  return {schema, facts: {...askedOf(store, prepared), facts}, conditions: {timeoutMs, requestId}}
}

/** @param transaction  for further reads in the same snapshot */
export function runningOf(
  store: QueryStore,
  compiled: CompiledQuery,
  transaction: Transaction,
  signal: AbortSignal | undefined,
): Omit<RunningQuery, 'batches'> {
  const {schema, vocabulary, terms} = store
  const kept = terms === undefined ? {} : {kept: terms}
  const {localKeys} = compiled
  const decoder = createDecoder({transaction, schema, vocabulary, localKeys, limits: heldLimits(store), ...kept})
  return {compiled, transaction, decoder, ...(signal === undefined ? {} : {signal})}
}
