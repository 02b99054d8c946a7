/**
 * Caches facts of the store from earlier queries and their answers, to plan later queries without a look-up.
 *
 * Cached facts may be out of date. A plan made from them is therefore checked against the current facts in the
 * snapshot that reads its rows (db/query/short-answer.ts). Only ids are certain: the term of an id never changes.
 */
import {createLru, type Lru} from '../base/lru.ts'
import type {Realms} from '../base/realms.ts'
import type {Database} from '../db/connection/pool.ts'
import type {AskedFacts, StoreFacts} from '../db/query/facts.ts'
import type {PreparedQuery} from '../sparql/compile.ts'
import type {Extent} from '../sparql/plan/extent.ts'

type Asking = {
  readonly database: Database
  readonly grantees?: readonly string[] | undefined // names of the caller in grants; undefined: may read everything
}

type Memory = {
  general: Pick<StoreFacts, 'hasDocuments' | 'memberRelations'> | undefined
  readonly ids: Lru<string, string> // by key
  readonly extents: Lru<string, Extent | 'none'> // by predicate id
  readonly realms: Lru<string, Realms | 'all'> // by grantees
}

const keptIds = 20_000 // some 5 MB
const keptLength = 500 // UTF-16 units of a cached key
const keptExtents = 2000
const keptCallers = 10_000

const memories = new WeakMap<Database, Memory>()

function memoryOf({database}: Asking): Memory {
  const known = memories.get(database)
  if (known !== undefined) return known
  const memory: Memory = {
    general: undefined,
    ids: createLru(keptIds),
    extents: createLru(keptExtents),
    realms: createLru(keptCallers),
  }
  memories.set(database, memory)
  return memory
}

/** The facts that a query needs. */
export function askedOf({grantees}: Asking, {constants, valued}: PreparedQuery): AskedFacts {
  return {keys: [...constants.keys()], valued, grantees}
}

/** Caches the facts that were looked up for a query. */
export function rememberFacts(asking: Asking, {valued}: PreparedQuery, facts: StoreFacts): void {
  const memory = memoryOf(asking)
  const {hasDocuments, memberRelations, ids, extents, realms} = facts
  memory.general = {hasDocuments, memberRelations}
  rememberIds(asking, ids)
  for (const key of valued) {
    const id = ids.get(key)
    if (id !== undefined) memory.extents.set(id, extents.get(id) ?? 'none')
  }
  if (asking.grantees !== undefined) memory.realms.set(callerOf(asking.grantees), realms ?? 'all')
}

/** Caches the ids of terms, by key. */
export function rememberIds(asking: Asking, found: ReadonlyMap<string, string>): void {
  const {ids} = memoryOf(asking)
  for (const [key, id] of found) if (key.length <= keptLength) ids.set(key, id)
}

export type RecalledFacts = {
  readonly facts: StoreFacts
  readonly unknown: readonly string[] // keys of constants without a cached id; they may be stored or not
}

/** The cached facts that a query needs; undefined if anything other than ids of constants is missing. */
export function recallFacts(asking: Asking, {constants, valued}: PreparedQuery): RecalledFacts | undefined {
  const memory = memoryOf(asking)
  const realms = recallRealms(asking)
  if (memory.general === undefined || realms === undefined) return undefined
  const ids = new Map<string, string>()
  const unknown: string[] = []
  for (const key of constants.keys()) {
    const id = memory.ids.get(key)
    if (id === undefined) unknown.push(key)
    else ids.set(key, id)
  }
  const extents = new Map<string, Extent>()
  for (const key of valued) {
    const id = ids.get(key) ?? ''
    const extent = memory.extents.get(id)
    if (extent === undefined) return undefined
    if (extent !== 'none') extents.set(id, extent)
  }
  return {facts: {...memory.general, ids, extents, realms: realms === 'all' ? undefined : realms}, unknown}
}

/** The realms that the caller could read at its last query; undefined if they are not cached. */
export function recallRealms(asking: Asking): Realms | 'all' | undefined {
  if (asking.grantees === undefined) return 'all'
  return memoryOf(asking).realms.get(callerOf(asking.grantees))
}

function callerOf(grantees: readonly string[]): string {
  return grantees.join('\n')
}
