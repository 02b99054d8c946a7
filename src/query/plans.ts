/**
 * Makes and caches the plans of queries. A cached plan is valid for the facts that it was made from.
 */
import type {Lru} from '../base/lru.ts'
import type {Realms} from '../base/realms.ts'
import {timed} from '../base/stages.ts'
import type {Stopwatch} from '../base/stopwatch.ts'
import {quoteIdentifier} from '../db/connection/identifier.ts'
import type {Database, Queryable, Transaction} from '../db/connection/pool.ts'
import {readFacts, type StoredFrequencies, type StoreFacts} from '../db/query/facts.ts'
import {findIds} from '../db/query/rows.ts'
import type {Iri, Term} from '../rdf/term.ts'
import {hasService} from '../sparql/analyse/services.ts'
import {type CompiledQuery, compileQuery, completed, type PreparedQuery} from '../sparql/compile.ts'
import type {QueryLimits} from '../sparql/parse/limits.ts'
import {kindExtent} from '../sparql/plan/extent.ts'
import type {HeldLimits} from './decode.ts'
import {askedOf, type RecalledFacts, recallFacts, recallRealms, rememberFacts, rememberIds} from './fact-memory.ts'
import {frequenciesOf, heldFrequencies} from './frequencies.ts'
import type {QueryThreads} from './threads.ts'

/** The most rows of an answer that one statement returns as a whole. */
export const rowLimit = 1000

export type QueryStore = {
  readonly database: Database
  readonly schema: string
  readonly vocabulary: ReadonlyMap<string, Iri>
  readonly timeoutMs: number // of one query; 0: no limit
  readonly terms?: Lru<string, Term> // by id, cached for all queries
  readonly frequencies?: () => Promise<StoredFrequencies> // replaces the counts of the store
  readonly avoidsTextIndex?: boolean // undefined: it is used if it exists
  readonly grantees?: readonly string[] | undefined // names of the caller in grants; undefined: may read everything
  readonly limits?: QueryLimits | undefined // undefined: those of sparql/parse/limits.ts
  readonly threads?: QueryThreads | undefined // for long queries; undefined: they block the calling thread
  readonly heldLimits?: HeldLimits | undefined // undefined: those of decode.ts
}

/** Compiles a query for the state that a transaction sees. Its stages are `look-up` (ids and facts) and `plan`. */
export async function compileIn(
  store: QueryStore,
  transaction: Transaction,
  prepared: PreparedQuery,
  watch: Stopwatch,
): Promise<CompiledQuery> {
  return (await planIn(store, transaction, prepared, watch)).compiled
}

/**
 * Plans a query before its transaction begins. Uses the query's last plan, or cached facts, or facts that it looks up.
 * Any of these may be out of date, so the code that runs the plan checks its facts in the snapshot of the rows.
 *
 * @returns  undefined if the query has a SERVICE to evaluate first
 */
export async function planAhead(
  store: QueryStore,
  database: Database,
  prepared: PreparedQuery,
  watch: Stopwatch,
): Promise<Plan | undefined> {
  const frequencies = heldFrequencies(store)
  const kept = frequencies && keptPlan(store, prepared, frequencies)
  if (kept !== undefined) return kept
  if (hasService(prepared.query.pattern)) return undefined
  const recalled = recallFacts(store, prepared)
  if (frequencies === undefined || recalled === undefined) return planIn(store, database, prepared, watch)
  const facts = await completeFacts(store, database, recalled, watch)
  return planFor(store, prepared, {facts, frequencies}, watch)
}

/** The cached facts, completed with the ids of constants that it looks up. */
async function completeFacts(
  store: QueryStore,
  database: Database,
  {facts, unknown}: RecalledFacts,
  watch: Stopwatch,
): Promise<StoreFacts> {
  if (unknown.length === 0) return facts
  const found = await findIds(database, store.schema, unknown)
  rememberIds(store, found)
  watch.lap('look-up')
  return {...facts, ids: new Map([...facts.ids, ...found])}
}

async function planIn(
  store: QueryStore,
  queryable: Queryable,
  prepared: PreparedQuery,
  watch: Stopwatch,
): Promise<Plan> {
  const [stored, frequencies] = await Promise.all([
    readFacts(queryable, store.schema, askedOf(store, prepared)),
    frequenciesOf(store, queryable),
  ])
  watch.lap('look-up')
  const facts = {...stored, extents: new Map(Array.from(stored.extents, ([id, extent]) => [id, kindExtent(extent)]))}
  rememberFacts(store, prepared, facts)
  return planFor(store, prepared, {facts, frequencies}, watch)
}

async function planFor(
  store: QueryStore,
  prepared: PreparedQuery,
  {facts, frequencies}: Omit<Plan, 'compiled'>,
  watch: Stopwatch,
): Promise<Plan> {
  const {schema, threads} = store
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
  if (compiled.isLasting) keepPlan(prepared, plan)
  return plan
}

/**
 * The last plans of a query, each with the facts that it is valid for. A query has a plan for each of the last
 * `keptParts` sets of realms that its callers could read.
 */
const plans = new WeakMap<PreparedQuery, readonly Plan[]>()
const keptParts = 8

export type Plan = {
  readonly facts: StoreFacts
  readonly frequencies: StoredFrequencies
  readonly compiled: CompiledQuery
}

function keepPlan(prepared: PreparedQuery, plan: Plan): void {
  const part = partOf(plan.facts.realms)
  const others = (plans.get(prepared) ?? []).filter(({facts}) => partOf(facts.realms) !== part)
  plans.set(prepared, [plan, ...others].slice(0, keptParts))
}

function partOf(realms: Realms | undefined): string {
  return realms === undefined ? 'all' : realms.join(' ')
}

/** The cached plan, valid if its facts still hold; undefined if there is none or the frequencies have changed. */
function keptPlan(store: QueryStore, prepared: PreparedQuery, held: StoredFrequencies): Plan | undefined {
  const kept = plans.get(prepared)
  if (kept === undefined) return undefined
  const realms = recallRealms(store)
  if (realms === undefined) return undefined
  const part = partOf(realms === 'all' ? undefined : realms)
  return kept.find(({facts, frequencies}) => frequencies === held && partOf(facts.realms) === part)
}

/** The length of a query's last answer. The data may have changed since, so it is an estimate. */
export type AnswerLength = 'long' | 'short'

const lengths = new WeakMap<CompiledQuery, AnswerLength>()

/** The length of the last answer, or the planner's estimate. Without statistics the planner assumes 1000 rows. */
export function lengthOf(compiled: CompiledQuery): AnswerLength {
  return lengths.get(compiled) ?? (compiled.rows < rowLimit ? 'short' : 'long')
}

export function noteLength(compiled: CompiledQuery, length: AnswerLength): void {
  lengths.set(compiled, length)
}
