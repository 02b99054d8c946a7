/**
 * A query's way through the database: constants, plan, rows, in one snapshot that lasts until the last row was taken.
 *
 * Floor 4. Nothing here knows the form of the answer: answer.ts makes that of the rows.
 */
import {createLru, type Lru} from '../base/lru.ts'
import {Problem} from '../base/problem.ts'
import {timed} from '../base/stages.ts'
import type {Stopwatch} from '../base/stopwatch.ts'
import {readFacts, readFrequencies, type StoredFrequencies, type StoreFacts} from '../db/facts.ts'
import {quoteIdentifier} from '../db/identifier.ts'
import type {Database, Transaction} from '../db/pool.ts'
import type {LogPosition} from '../db/reader.ts'
import {type IdRow, readRows, readRowsIf, type Statement, settle} from '../db/rows.ts'
import {readOnly} from '../db/transaction.ts'
import type {Iri, Term} from '../rdf/term.ts'
import type {Query} from '../sparql/algebra.ts'
import {hasService} from '../sparql/analyse/services.ts'
import {type CompiledQuery, compileQuery, type PreparedQuery, withConstants} from '../sparql/compile.ts'
import type {QueryLimits} from '../sparql/limits.ts'
import {kindExtent} from '../sparql/plan/extent.ts'
import {createDecoder, type Decoder, defaultHeldLimits, type HeldLimits} from './decode.ts'

export type QueryStore = {
  readonly database: Database
  readonly schema: string
  readonly vocabulary: ReadonlyMap<string, Iri>
  readonly timeoutMs: number // of a query; 0: none
  readonly terms?: Lru<string, Term> // by id, kept for other queries
  readonly frequencies?: () => Promise<StoredFrequencies> // in place of those that the store counts
  readonly grantees?: readonly string[] | undefined // of who asks; undefined: everything may be read
  readonly limits?: QueryLimits | undefined // undefined: those of sparql/limits.ts
  readonly heldLimits?: HeldLimits | undefined // undefined: those of decode.ts
}

export function heldLimits({heldLimits = defaultHeldLimits}: Pick<QueryStore, 'heldLimits'>): HeldLimits {
  return heldLimits
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
  readonly server?: Database // one with the same data; the store's own when not given
  readonly after?: LogPosition | undefined // see QueryOptions
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
  {signal, watch, requestId, federate, server = store.database, after}: RunOptions,
  use: (running: RunningQuery) => Promise<Result>,
): Promise<Result> {
  const {schema, vocabulary, timeoutMs} = store
  const conditions = {timeoutMs, requestId}
  const own = signal === undefined ? {} : {signal}
  const options = {batchRows, ...own}
  const answered = async (transaction: Transaction) => {
    if (signal?.aborted) throw new Problem(499, 'client-gone', 'The client went away before its query began.')
    const running = (compiled: CompiledQuery, batches: AsyncIterable<readonly IdRow[]>): RunningQuery => {
      const held = {limits: heldLimits(store), ...(store.terms === undefined ? {} : {kept: store.terms})}
      const decoder = createDecoder({transaction, schema, vocabulary, localKeys: compiled.localKeys, ...held})
      return {compiled, transaction, decoder, batches, ...own}
    }
    const known = keptPlan(store, prepared)
    if (known !== undefined) {
      const {grantees} = store
      const facts = {facts: known.facts, keys: [...prepared.constants.keys()], valued: prepared.valued, grantees}
      const batches = await readRowsIf(transaction, {schema, facts, conditions}, statementOf(known.compiled), options)
      if (batches !== undefined) return use(running(known.compiled, batches))
    }
    const isSettled = known !== undefined // with the plan that was tried
    const settling = (isSettled ? Promise.resolve() : settle(transaction, schema, conditions)).then(() =>
      watch.lap('connect'),
    )
    const compiling = withServices(transaction, prepared, {watch, federate}).then(complete =>
      compileIn(store, transaction, complete, watch),
    )
    const [, compiled] = await Promise.all([settling, compiling])
    return use(running(compiled, readRows(transaction, schema, statementOf(compiled), options)))
  }
  return readOnly(server, answered, {after}).catch((error: unknown) => {
    throw limitTold(error, timeoutMs)
  })
}

export function statementOf({text, parameters, isWalked, columns}: CompiledQuery): Statement {
  return {text, parameters, isWalked, columnCount: Math.max(1, columns.length)}
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
  const [stored, frequencies] = await Promise.all([
    readFacts(transaction, schema, [...prepared.constants.keys()], prepared.valued, store.grantees),
    frequenciesOf(store, transaction),
  ])
  watch.lap('look-up')
  const facts = {...stored, extents: new Map(Array.from(stored.extents, ([id, extent]) => [id, kindExtent(extent)]))}
  const options = {
    schema: quoteIdentifier(schema),
    stored: facts.ids,
    facts: {...facts, frequencies},
    now: new Date().toISOString(),
  }
  const compiled = timed('plan', () => compileQuery(prepared, options))
  watch.lap('plan')
  if (compiled.isLasting) keepPlan(store, prepared, {facts, frequencies, compiled})
  return compiled
}

/**
 * The plans that a query had last, and what each was made for: it is right for no other facts. There is one for each of
 * a few parts of the store that callers may read.
 */
const plans = new WeakMap<PreparedQuery, readonly Plan[]>()
const keptParts = 8

type Plan = {
  readonly facts: StoreFacts
  readonly frequencies: StoredFrequencies
  readonly compiled: CompiledQuery
}

/** What callers could read when they last asked: a guess, which is checked where a plan is used. */
const lastRealms = new WeakMap<Database, Lru<string, string>>()
const keptCallers = 10_000

function keepPlan({database, grantees}: QueryStore, prepared: PreparedQuery, plan: Plan): void {
  const part = partOf(plan)
  const others = (plans.get(prepared) ?? []).filter(other => partOf(other) !== part)
  plans.set(prepared, [plan, ...others].slice(0, keptParts))
  if (grantees === undefined) return
  const known = lastRealms.get(database) ?? createLru<string, string>(keptCallers)
  lastRealms.set(database, known)
  known.set(grantees.join('\n'), part)
}

function partOf({facts: {realms}}: Plan): string {
  return realms === undefined ? 'all' : realms.join(' ')
}

/** A plan that is right if its facts hold; undefined when there is none, or it was made for other frequencies. */
function keptPlan({database, grantees}: QueryStore, prepared: PreparedQuery): Plan | undefined {
  const counted = frequencies.get(database)
  if (counted === undefined || counted.until < performance.now()) return undefined
  const part = grantees === undefined ? 'all' : lastRealms.get(database)?.get(grantees.join('\n'))
  return plans.get(prepared)?.find(plan => partOf(plan) === part && plan.frequencies === counted.held)
}
