/**
 * Plans of queries, kept as long as what they were made for.
 *
 * Floor 4.
 */
import {createLru, type Lru} from '../base/lru.ts'
import {timed} from '../base/stages.ts'
import type {Stopwatch} from '../base/stopwatch.ts'
import {readFacts, type StoredFrequencies, type StoreFacts} from '../db/facts.ts'
import {quoteIdentifier} from '../db/identifier.ts'
import type {Database, Queryable, Transaction} from '../db/pool.ts'
import type {Iri, Term} from '../rdf/term.ts'
import {hasService} from '../sparql/analyse/services.ts'
import {type CompiledQuery, compileQuery, completed, type PreparedQuery} from '../sparql/compile.ts'
import type {QueryLimits} from '../sparql/limits.ts'
import {kindExtent} from '../sparql/plan/extent.ts'
import type {HeldLimits} from './decode.ts'
import {frequenciesOf, heldFrequencies} from './frequencies.ts'
import type {QueryThreads} from './threads.ts'

export type QueryStore = {
  readonly database: Database
  readonly schema: string
  readonly vocabulary: ReadonlyMap<string, Iri>
  readonly timeoutMs: number // of a query; 0: none
  readonly terms?: Lru<string, Term> // by id, kept for other queries
  readonly frequencies?: () => Promise<StoredFrequencies> // in place of those that the store counts
  readonly avoidsTextIndex?: boolean // undefined: it is used where it is
  readonly grantees?: readonly string[] | undefined // of who asks; undefined: everything may be read
  readonly limits?: QueryLimits | undefined // undefined: those of sparql/limits.ts
  readonly threads?: QueryThreads | undefined // for long queries; undefined: they block the calling thread
  readonly heldLimits?: HeldLimits | undefined // undefined: those of decode.ts
}

/** Compiles a query for the state that a transaction sees; the stages are `look-up` (ids, facts) and `plan`. */
export async function compileIn(
  store: QueryStore,
  transaction: Transaction,
  prepared: PreparedQuery,
  watch: Stopwatch,
): Promise<CompiledQuery> {
  return (await planIn(store, transaction, prepared, watch)).compiled
}

/**
 * The plan of a long query, made before its transaction begins, so that no connection waits for a thread. It is
 * compared with the facts in the transaction, like a kept one.
 *
 * @returns  undefined: the query is short, or asks other endpoints first
 */
export async function planAhead(
  store: QueryStore,
  database: Database,
  prepared: PreparedQuery,
  watch: Stopwatch,
): Promise<Plan | undefined> {
  const isAhead = prepared.isLong && store.threads !== undefined && !hasService(prepared.query.pattern)
  return isAhead ? planIn(store, database, prepared, watch) : undefined
}

async function planIn(
  store: QueryStore,
  queryable: Queryable,
  prepared: PreparedQuery,
  watch: Stopwatch,
): Promise<Plan> {
  const {schema, threads} = store
  const [stored, frequencies] = await Promise.all([
    readFacts(queryable, schema, [...prepared.constants.keys()], prepared.valued, store.grantees),
    frequenciesOf(store, queryable),
  ])
  watch.lap('look-up')
  const facts = {...stored, extents: new Map(Array.from(stored.extents, ([id, extent]) => [id, kindExtent(extent)]))}
  const options = {
    schema: quoteIdentifier(schema),
    stored: facts.ids,
    facts: {...facts, frequencies},
    now: new Date().toISOString(),
  }
  const compiled = await timed('plan', async () =>
    prepared.isLong && threads !== undefined
      ? completed(prepared, options, await threads.compile(prepared, options))
      : compileQuery(prepared, options),
  )
  watch.lap('plan')
  const plan = {facts, frequencies, compiled}
  if (compiled.isLasting) keepPlan(store, prepared, plan)
  return plan
}

/**
 * The plans that a query had last, and what each was made for: it is right for no other facts. There is one for each of
 * a few parts of the store that callers may read.
 */
const plans = new WeakMap<PreparedQuery, readonly Plan[]>()
const keptParts = 8

export type Plan = {
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
export function keptPlan(store: QueryStore, prepared: PreparedQuery): Plan | undefined {
  const {database, grantees} = store
  const held = heldFrequencies(store)
  if (held === undefined) return undefined
  const part = grantees === undefined ? 'all' : lastRealms.get(database)?.get(grantees.join('\n'))
  return plans.get(prepared)?.find(plan => partOf(plan) === part && plan.frequencies === held)
}

/** How long an answer was when it was asked for last: a guess, as data changes. */
export type AnswerLength = 'long' | 'short' | 'kept' // short, and all of its terms were known without the dictionary

const lengths = new WeakMap<CompiledQuery, AnswerLength>()

export function lengthOf(compiled: CompiledQuery): AnswerLength {
  return lengths.get(compiled) ?? 'long'
}

export function noteLength(compiled: CompiledQuery, length: AnswerLength): void {
  lengths.set(compiled, length)
}
