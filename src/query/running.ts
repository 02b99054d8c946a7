/**
 * A query on its way through the database: what it is run with, and what whoever makes the answer gets.
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
  /** Answers the SERVICEs of a query; undefined: there is none to ask. */
  readonly federate?: Federate | undefined
  /** Whether nothing is read but rows and their terms; not given: other things are. */
  readonly isAlone?: (compiled: CompiledQuery) => boolean
  readonly requestId?: string // PostgreSQL shows it as part of application_name
  readonly server?: Database // one with the same data; the store's own when not given
  readonly after?: LogPosition | undefined // see QueryOptions
}

export type Federate = (query: Query, transaction: Transaction) => Promise<Query>

/** What a kept plan needs to be right. */
export function conditionsOf(store: QueryStore, prepared: PreparedQuery, {facts}: Plan, {requestId}: RunOptions) {
  const {schema, timeoutMs} = store
  return {schema, facts: {...askedOf(store, prepared), facts}, conditions: {timeoutMs, requestId}}
}

/** @param transaction  in which the rest is asked */
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
