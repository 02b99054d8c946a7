/**
 * Caches facts of the store from earlier queries and their answers, to plan later queries without a look-up.
 *
 * Cached facts may be out of date. A plan made from them is therefore checked against the current facts in the
 * snapshot that reads its rows (db/query/short-answer.ts). So are ids: terms may have been renamed.
 */
import type {Realms} from '../base/realms.ts'
import type {AskedFacts, StoreFacts} from '../db/query/facts.ts'
import type {MentionedTerms} from '../db/query/frequencies.ts'
import type {PlanNeeds} from '../sparql/compile.ts'
import type {Extent} from '../sparql/plan/extent.ts'
import {type CachedNames, namesAt} from './plan-cache.ts'
import type {QueryRun} from './state.ts'

const keptLength = 500 // UTF-16 units of a cached key

/** The facts that a query needs. */
export function askedOf({query, request: {grantees}}: QueryRun): AskedFacts {
  return askedFor(query.prepared, grantees)
}

/** The facts that a query or an update of a caller needs. */
export function askedFor(
  {constants, valued, predicates}: PlanNeeds,
  grantees: readonly string[] | undefined,
): AskedFacts {
  const byGraph = grantees === undefined ? predicates.inGraphs : predicates.all // only some graphs are readable
  return {keys: [...constants.keys()], valued, byGraph, grantees}
}

/** Caches the facts that were looked up for a query. */
export function rememberFacts(run: QueryRun, facts: StoreFacts): void {
  const {cache} = run.process
  const {valued, byGraph, grantees} = askedOf(run)
  const {names, hasDocuments, memberRelations, ids, extents, uncopied, realms} = facts
  cache.facts.general = {hasDocuments, memberRelations}
  rememberIds(namesAt(cache, names), ids)
  for (const key of valued) {
    const id = ids.get(key)
    if (id !== undefined) cache.facts.extents.set(id, extents.get(id) ?? 'none')
  }
  for (const key of byGraph) {
    const id = ids.get(key)
    if (id !== undefined) cache.facts.copied.set(id, !uncopied.has(id))
  }
  if (grantees !== undefined) cache.facts.realms.set(callerOf(grantees), realms ?? 'all')
}

/** Caches the ids of terms, by key. */
export function rememberIds({ids}: CachedNames, found: ReadonlyMap<string, string>): void {
  for (const [key, id] of found) if (key.length <= keptLength) ids.set(key, id)
}

export type RecalledFacts = {
  readonly facts: StoreFacts
  readonly unknown: readonly string[] // keys of constants without a cached id; they may be stored or not
}

/**
 * The cached facts that a query needs; undefined if anything other than ids of constants is missing.
 *
 * @param mentioned  terms of the statistics, whose ids need no look-up either
 */
export function recallFacts(run: QueryRun, mentioned: MentionedTerms | undefined): RecalledFacts | undefined {
  const {keys, valued, byGraph} = askedOf(run)
  const {facts: cached, names} = run.process.cache
  const realms = recallRealms(run)
  if (cached.general === undefined || names === undefined || realms === undefined) return undefined
  const others = mentioned?.names === names.revision ? mentioned.ids : undefined
  const ids = new Map<string, string>()
  const unknown: string[] = []
  for (const key of keys) {
    const id = names.ids.get(key) ?? others?.get(key)
    if (id === undefined) unknown.push(key)
    else ids.set(key, id)
  }
  const extents = new Map<string, Extent>()
  for (const key of valued) {
    const id = ids.get(key) ?? ''
    const extent = cached.extents.get(id)
    if (extent === undefined) return undefined
    if (extent !== 'none') extents.set(id, extent)
  }
  const uncopied = new Set<string>()
  for (const key of byGraph) {
    const id = ids.get(key) ?? ''
    const isCopied = cached.copied.get(id)
    if (isCopied === undefined) return undefined
    if (!isCopied) uncopied.add(id)
  }
  return {
    facts: {
      ...cached.general,
      names: names.revision,
      ids,
      extents,
      uncopied,
      realms: realms === 'all' ? undefined : realms,
    },
    unknown,
  }
}

/** The realms that the caller could read at its last query; undefined if they are not cached. */
export function recallRealms({process: {cache}, request: {grantees}}: QueryRun): Realms | 'all' | undefined {
  return grantees === undefined ? 'all' : cache.facts.realms.get(callerOf(grantees))
}

function callerOf(grantees: readonly string[]): string {
  return grantees.join('\n')
}
