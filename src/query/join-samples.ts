/**
 * Samples the joins of slow queries, so that their next plans rest on what the store has instead of on averages.
 *
 * No query waits for samples: they are taken after a slow run, once for each plan, one query at a time, and in a fifth
 * of the time at most. Numbers stay known as long as the frequencies that they belong to. They affect plans, never
 * answers.
 */
import type {Database} from '../db/connection/pool.ts'
import type {StoredFrequencies} from '../db/query/frequencies.ts'
import {type AskedJoin, readJoinSamples} from '../db/query/join-samples.ts'
import {type CompiledQuery, type CompileOptions, compileText, type PreparedQuery} from '../sparql/compile.ts'
import type {JoinSamples, SampledMean} from '../sparql/plan/frequencies.ts'
import {anyValue, sideOf} from '../sparql/plan/join/sampled.ts'
import {askedOf, rememberFacts} from './facts.ts'
import {countJoins} from './join-counts.ts'
import type {Plan, TriedPlans} from './plan-cache.ts'
import {findFacts, optionsFor} from './plans.ts'
import type {QueryRun} from './state.ts'

const usualMs = 10
const joinsMax = 48 // sampled for one query; each takes about 0.4 ms
const keptSides = 5000
const pauseFactor = 4 // of the time that samples took, until others are taken

/**
 * Samples the joins of a query in the background if it was slow, and has it planned again.
 *
 * @param ms  until the first rows, or until it was given up
 */
export function sampleIfSlow(run: QueryRun, compiled: CompiledQuery, ms: number): void {
  const {process, query} = run
  const {cache, sampledFromMs = usualMs} = process
  const plan = query.plans.find(one => one.compiled === compiled)
  const begin = performance.now()
  if (ms < sampledFromMs || plan === undefined || compiled.isLong || begin < cache.samplesFrom) return
  if (isLearnt(run, plan, ms)) return
  cache.samplesFrom = Number.POSITIVE_INFINITY
  void learnOf(run, plan, ms)
    .catch(() => undefined) // another slow run tries again
    .finally(() => {
      const now = performance.now()
      cache.samplesFrom = now + pauseFactor * (now - begin)
    })
}

const mostCounted = 4 // runs of a query: a plan that counts lead to has joins that were not counted
const mostCountedMs = 5000 // of a run that is counted
const leastTimeoutMs = 1000
const leastLearntMs = 50 // in which more of one plan is learnt
const learntFactor = 3 // of the time of a run, in which more is learnt

/** Whether nothing more can be learnt of a plan. */
function isLearnt({query}: QueryRun, plan: Plan, ms: number): boolean {
  const {shared, isCounted} = plan
  if ((shared?.plan ?? plan).isSampled !== true) return false
  return !isCountable(plan) || isCounted === true || ms > mostCountedMs || timesCounted(query, plan) >= mostCounted
}

/** Whether rows may be counted: a shared plan serves other constants, and a caller may not read all graphs. */
function isCountable({shared, facts}: Plan): boolean {
  return shared === undefined && facts.realms === undefined
}

function timesCounted({tried}: QueryRun['query'], {frequencies}: Plan): number {
  return tried?.of === frequencies ? tried.counted : 0
}

/** The plans of a query that were run, of which this one took some time. */
function triedWith({tried}: QueryRun['query'], plan: Plan, ms: number): TriedPlans {
  const {frequencies} = plan
  if (tried?.of !== frequencies) return {of: frequencies, counted: 0, fastest: {plan, ms}}
  return ms < tried.fastest.ms ? {...tried, fastest: {plan, ms}} : tried
}

/**
 * Samples the joins of a plan. If samples tell nothing new, runs the query again and counts the rows of its joins. What
 * is learnt leads to another plan, so this is repeated until nothing is new, for a few times as long as the query took.
 *
 * An order whose rows are known may lose against one whose rows are only expected to be few. So of all plans that were
 * run, the fastest one stays.
 */
async function learnOf(run: QueryRun, plan: Plan, ms: number): Promise<void> {
  const {query} = run
  const {schema} = run.process
  const {server} = run.request
  const {frequencies, shared} = plan
  const end = performance.now() + Math.max(leastLearntMs, learntFactor * ms)
  const facts = await findFacts(server, schema, askedOf(run)) // a shared plan may have been made without ids
  rememberFacts(run, facts)
  const options = optionsFor(schema, {facts, frequencies})
  const {prepared} = query
  const timeoutMs = leastTimeoutMs + 2 * ms
  if (isCountable(plan)) query.tried = triedWith(query, plan, ms)
  let [isOutdated, isTried] = [false, false] // more is known than the plan uses; a plan that uses it was run
  const countMore = async (): Promise<boolean> => {
    query.tried = {...triedWith(query, plan, ms), counted: timesCounted(query, plan) + 1}
    plan.isCounted = true
    isTried = true // also if the run is given up
    const counted = await countJoins(server, schema, frequencies, {prepared, options, timeoutMs})
    isTried = counted !== undefined
    if (counted === undefined) return false
    const other = {facts, compiled: counted.compiled, gathered: undefined, held: {states: []}}
    query.tried = triedWith(query, {...plan, ...other}, counted.ms)
    plan.isCounted = !counted.isNew
    return counted.isNew
  }
  const learnMore = async (): Promise<boolean> => {
    if (await sampleJoins(server, schema, frequencies, {prepared, options})) return true
    ;(shared?.plan ?? plan).isSampled = true
    return !isLearnt(run, plan, ms) && (await countMore())
  }
  try {
    while (performance.now() < end && (await learnMore())) isOutdated = true
  } finally {
    const {tried} = query
    const isDone = isLearnt(run, plan, ms) && (isTried || !isOutdated)
    if (isDone && isCountable(plan) && tried?.of === frequencies) keepFastest(query, plan, tried.fastest.plan)
    else if (isOutdated) forgetPlan(run, plan) // also if the last step failed
  }
}

/** Replaces a plan by the fastest one that was run. If its facts change, another plan is made and learnt of. */
function keepFastest(query: QueryRun['query'], plan: Plan, fastest: Plan): void {
  const kept = {...fastest, isSampled: true, isCounted: true}
  query.plans = query.plans.map(one => (one === plan ? kept : one))
  query.tried = undefined
}

function forgetPlan({query}: QueryRun, plan: Plan): void {
  if (plan.shared === undefined) query.plans = query.plans.filter(one => one !== plan)
  else plan.shared.plan.isOutdated = true
}

/**
 * Samples the joins of a query that are not known yet, and keeps what they tell with the frequencies.
 *
 * @returns  whether anything new is known
 */
export async function sampleJoins(
  database: Database,
  schema: string,
  frequencies: StoredFrequencies,
  {prepared, options}: {readonly prepared: PreparedQuery; readonly options: CompileOptions},
): Promise<boolean> {
  const known = frequencies.joins
  const joins = known === undefined ? [] : unknownJoins(known, prepared, options)
  if (known === undefined || joins.length === 0) return false
  const means = await readJoinSamples(database, schema, joins, frequencies)
  for (const [index, join] of joins.entries()) keep(known, join, means[index])
  return true
}

function keep({means, constants}: JoinSamples, {side, from}: AskedJoin, mean: SampledMean | undefined): void {
  if (mean === undefined) return
  means.set(side, (means.get(side) ?? new Map<string, SampledMean>()).set(from, mean))
  const {other} = sideOf(side)
  if (other !== undefined) constants.add(other)
}

function unknownJoins({means}: JoinSamples, prepared: PreparedQuery, options: CompileOptions): readonly AskedJoin[] {
  const asked = new Map<string, AskedJoin>()
  const ask = (side: string, from: string) => {
    const isKnown = means.get(side)?.has(from) === true
    const hasValues = from === anyValue || sideOf(from).predicate !== undefined
    if (!isKnown && hasValues && asked.size < joinsMax) asked.set(`${side}>${from}`, {side, from})
  }
  const onJoin = (side: string, from: string) => {
    ask(side, from)
    if (from !== anyValue) ask(from, side)
  }
  compileText(prepared, {...options, onJoin})
  return means.size < keptSides ? [...asked.values()] : []
}
