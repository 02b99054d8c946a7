/**
 * Plans that queries share if they differ only in constants that no statistics or samples mention (sparql/lift.ts).
 *
 * A shared plan is compiled once. Each query puts the ids of its own constants into it. PostgreSQL gets them as
 * parameters of one statement, which stays prepared on its connection. An id that is not known is looked up by that
 * statement.
 */
import type {StoreFacts} from '../db/query/facts.ts'
import {idsInFrequencies, type StoredFrequencies} from '../db/query/frequencies.ts'
import {type CompileOptions, compileText, completed, type PreparedQuery} from '../sparql/compile.ts'
import {fillMarkers, type Lifting, liftConstants, markerOf, withParameters} from '../sparql/lift.ts'
import {type CachedQuery, type Plan, type PlanCache, type SharedPlan, unusedPlan} from './plan-cache.ts'

type KnownState = Pick<Plan, 'facts' | 'frequencies'>

/**
 * Finds or compiles the shared plan of a query, and puts the query's constants into it.
 *
 * @param optionsOf  the options of a compilation
 * @returns          undefined if the query shares no plan
 */
export function sharedPlan(
  cache: PlanCache,
  {prepared, liftable}: CachedQuery,
  known: KnownState,
  optionsOf: (known: KnownState) => CompileOptions,
): Plan | undefined {
  const {facts, frequencies} = known
  const keys = liftable.filter(key => !isMentioned(frequencies, facts.ids.get(key)))
  if (keys.length === 0) return undefined
  const lifting = liftConstants(prepared.query, keys)
  const place = `${lifting.rest}\n${restOfFacts(facts, prepared, lifting)}`
  const found = cache.shared.get(place)
  if (found === 'none') return undefined
  const isValid = found !== undefined && found.frequencies === frequencies && found.isOutdated !== true
  const options = optionsOf(known)
  const shared = isValid ? found : compileShared(prepared, options, lifting)
  if (shared !== found) cache.shared.set(place, shared ?? 'none')
  return shared && {...unusedPlan(), ...known, ...planOf(shared, {prepared, options, lifting})}
}

/** Facts of the plan that are not about lifted constants. */
function restOfFacts(facts: StoreFacts, {constants}: PreparedQuery, {keys}: Lifting): string {
  const {names, realms, hasDocuments, memberRelations, ids, extents, uncopied} = facts
  const absent = [...constants.keys()].filter(key => !ids.has(key) && !keys.includes(key))
  const ranges = Array.from(extents, ([id, {low, high}]) => `${id} ${low} ${high}`).sort()
  return JSON.stringify([names, realms, hasDocuments, memberRelations, absent, ranges, [...uncopied].sort()])
}

function compileShared(
  {query, constants}: PreparedQuery,
  options: CompileOptions,
  {keys}: Lifting,
): SharedPlan | undefined {
  const stored = new Map(options.stored)
  for (const [index, key] of keys.entries()) stored.set(key, markerOf(key, index))
  const compiled = compileText({query, constants}, {...options, stored})
  if (!compiled.isLasting || withParameters(compiled.text, () => '') === undefined) return undefined
  return {frequencies: options.facts.frequencies, compiled, length: undefined, gathered: undefined}
}

type Filling = {readonly prepared: PreparedQuery; readonly options: CompileOptions; readonly lifting: Lifting}

/** A lifted constant without an id keeps its marker, which no triple has. */
function planOf(shared: SharedPlan, {prepared, options, lifting}: Filling): Pick<Plan, 'compiled' | 'shared'> {
  const {keys} = lifting
  const ids = keys.map(key => options.stored.get(key))
  const stored = new Map(options.stored)
  for (const [index, key] of keys.entries()) stored.set(key, ids[index] ?? markerOf(key, index))
  const text = fillMarkers(shared.compiled.text, ids)
  return {
    compiled: completed(prepared, {...options, stored}, {...shared.compiled, text}),
    shared: {plan: shared, keys, ids},
  }
}

/** Whether the statement looks up a constant itself. Other statements need the ids of all constants. */
export function hasUnknown({shared}: Plan): boolean {
  return shared?.ids.includes(undefined) === true
}

/** Whether a query can be planned without the ids of these constants: all are lifted, whatever they are. */
export function canBeUnknown(
  {liftable}: CachedQuery,
  {mentioned}: StoredFrequencies,
  keys: readonly string[],
): boolean {
  return mentioned !== undefined && keys.every(key => liftable.includes(key) && !mentioned.ids.has(key))
}

const mentionedIds = new WeakMap<StoredFrequencies, ReadonlySet<string>>()

/** Whether the statistics have a number for this term, as object or as graph, or samples of joins do. */
function isMentioned(frequencies: StoredFrequencies, id: string | undefined): boolean {
  if (id === undefined) return false
  const known = mentionedIds.get(frequencies) ?? new Set(idsInFrequencies(frequencies))
  mentionedIds.set(frequencies, known)
  return known.has(id) || frequencies.joins?.constants.has(id) === true
}
