/**
 * Makes and caches the plans of queries. A cached plan is valid for the facts that it was made from.
 */
import type {Realms} from '../base/realms.ts'
import {timed} from '../base/stages.ts'
import {quoteIdentifier} from '../db/connection/identifier.ts'
import type {Queryable} from '../db/connection/pool.ts'
import {type AskedFacts, readFacts, type StoreFacts} from '../db/query/facts.ts'
import {findNamedIds, type SqlStatement} from '../db/query/rows.ts'
import {hasService} from '../sparql/analyse/services.ts'
import {
  type CompiledQuery,
  type CompileOptions,
  compileQuery,
  completed,
  type PreparedQuery,
} from '../sparql/compile.ts'
import {kindExtent} from '../sparql/plan/extent.ts'
import {askedOf, type RecalledFacts, recallFacts, recallRealms, rememberFacts, rememberIds} from './facts.ts'
import {frequenciesOf, heldFrequencies} from './frequencies.ts'
import {type AnswerLength, type CachedQuery, namesAt, type Plan, unusedPlan} from './plan-cache.ts'
import {canBeUnknown, sharedPlan} from './shared-plans.ts'
import type {QueryRun} from './state.ts'

type KnownState = Pick<Plan, 'facts' | 'frequencies'>

const shortRows = 1000 // an answer that is expected to have fewer is read by one statement
const cellLimit = 8000

/** The most rows of an answer that one statement returns as a whole. Its cells are decoded at once. */
export function rowLimitOf({columns}: Pick<CompiledQuery, 'columns'>): number {
  return Math.max(shortRows, Math.floor(cellLimit / Math.max(1, columns.length)))
}

/** A query that is not cached, such as one that replaces another while it is answered. It shares no plan. */
export function uncached(prepared: PreparedQuery): CachedQuery {
  return {prepared, liftable: [], plans: []}
}

/**
 * Plans a query before its snapshot begins. Uses the query's last plan, or cached facts, or facts that it looks up.
 * Any of these may be out of date, so the code that runs the plan checks its facts in the snapshot of the rows.
 *
 * @returns  undefined if the query has a SERVICE to evaluate first
 */
export async function planAhead(run: QueryRun): Promise<Plan | undefined> {
  const frequencies = heldFrequencies(run.process)
  const cached = frequencies && cachedPlan(run, frequencies)
  if (cached !== undefined) return cached
  if (hasService(run.query.prepared.query.pattern)) return undefined
  const recalled = recallFacts(run, frequencies?.mentioned)
  if (frequencies === undefined || recalled === undefined) return planIn(run, run.request.server)
  const isComplete = canBeUnknown(run.query, frequencies, recalled.unknown)
  const facts = isComplete ? recalled.facts : await completeFacts(run, recalled)
  return facts === undefined ? planIn(run, run.request.server) : planFor(run, {facts, frequencies})
}

/** Plans a query for the state that a snapshot sees. Its stages are `look-up` (ids and facts) and `plan`. */
export async function planIn(run: QueryRun, queryable: Queryable): Promise<Plan> {
  const {process, request} = run
  const [facts, frequencies] = await Promise.all([
    findFacts(queryable, process.schema, askedOf(run)),
    frequenciesOf(process, queryable),
  ])
  request.watch.lap('look-up')
  rememberFacts(run, facts)
  return planFor(run, {facts, frequencies})
}

/** Looks up the facts that a plan depends on. */
export async function findFacts(queryable: Queryable, schema: string, asked: AskedFacts): Promise<StoreFacts> {
  const stored = await readFacts(queryable, schema, asked)
  return {...stored, extents: new Map(Array.from(stored.extents, ([id, extent]) => [id, kindExtent(extent)]))}
}

/** What a query or an update is compiled for: the schema, facts, and the time of now. */
export function optionsFor(schema: string, {facts, frequencies}: KnownState): CompileOptions {
  return {
    schema: quoteIdentifier(schema),
    stored: facts.ids,
    facts: {...facts, frequencies},
    now: new Date().toISOString(),
  }
}

/**
 * The cached facts, completed with the ids of constants that it looks up.
 *
 * @returns  undefined if terms have been renamed since the others were cached
 */
async function completeFacts(
  {process, request}: QueryRun,
  {facts, unknown}: RecalledFacts,
): Promise<StoreFacts | undefined> {
  if (unknown.length === 0) return facts
  const {ids, names} = await findNamedIds(request.server, process.schema, unknown)
  rememberIds(namesAt(process.cache, names), ids)
  request.watch.lap('look-up')
  return names === facts.names ? {...facts, ids: new Map([...facts.ids, ...ids])} : undefined
}

async function planFor({process, request: {watch}, query}: QueryRun, known: KnownState): Promise<Plan> {
  const {cache, schema} = process
  const plan = await timed(
    'plan',
    async () =>
      sharedPlan(cache, query, known, state => optionsFor(schema, state)) ?? planAlone(process, query.prepared, known),
  )
  watch.lap('plan')
  if (plan.compiled.isLasting) keepPlan(query, plan)
  return plan
}

async function planAlone(
  {schema, threads}: QueryRun['process'],
  prepared: PreparedQuery,
  known: KnownState,
): Promise<Plan> {
  const options = optionsFor(schema, known)
  const compiled =
    prepared.isLong && threads !== undefined
      ? completed(prepared, options, await threads.compile(prepared, options))
      : compileQuery(prepared, options)
  return {compiled, ...unusedPlan(), ...known}
}

const keptPlans = 8 // of one query, for callers that may read different realms

function keepPlan(query: CachedQuery, plan: Plan): void {
  const part = partOf(plan.facts.realms)
  const others = query.plans.filter(({facts}) => partOf(facts.realms) !== part)
  query.plans = [plan, ...others].slice(0, keptPlans)
}

/** The next run of the query makes another plan. */
export function forgetPlan(query: CachedQuery, plan: Plan): void {
  query.plans = query.plans.filter(kept => kept !== plan)
}

function partOf(realms: Realms | undefined): string {
  return realms === undefined ? 'all' : realms.join(' ')
}

/** The cached plan, valid if its facts still hold; undefined if there is none or the frequencies have changed. */
function cachedPlan(run: QueryRun, held: Plan['frequencies']): Plan | undefined {
  const {plans} = run.query
  if (plans.length === 0) return undefined
  const realms = recallRealms(run)
  if (realms === undefined) return undefined
  const part = partOf(realms === 'all' ? undefined : realms)
  return plans.find(
    ({facts, frequencies, shared}) =>
      frequencies === held && partOf(facts.realms) === part && shared?.plan.isOutdated !== true,
  )
}

/**
 * The length of the last answer to the query, or to one that shares its plan, or the planner's estimate. Without
 * statistics the planner assumes 1000 rows.
 */
export function lengthOfAnswer({length, shared, compiled}: Plan): AnswerLength {
  return length ?? shared?.plan.length ?? (compiled.rows < shortRows ? 'short' : 'long')
}

export function rememberLength(plan: Plan, length: AnswerLength): void {
  plan.length = length
  if (plan.shared !== undefined) plan.shared.plan.length = length
}

/** The conditions under which a plan that was made before its snapshot is valid. Lifted constants are none of them. */
export function conditionsOf(run: QueryRun, {facts, shared, held}: Plan) {
  const {schema, timeoutMs} = run.process
  const asked = askedOf(run)
  const keys = shared === undefined ? asked.keys : asked.keys.filter(key => !shared.keys.includes(key))
  return {schema, facts: {facts, ...asked, keys, held}, conditions: {timeoutMs, requestId: run.request.requestId}}
}

export function statementOf({text, parameters, isWalked, isMemoized, columns}: CompiledQuery): SqlStatement {
  const hasKeys = columns.some(({rep}) => rep === 'key')
  return {text, parameters, isWalked, isMemoized, columnCount: Math.max(1, columns.length), hasKeys}
}
