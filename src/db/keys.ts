/**
 * API keys as the store keeps them: hashed, with the agent that each speaks for.
 *
 * Floor 3. sql/functions/54_caller.sql is the other end.
 */
import type {Iri} from '../rdf/term.ts'
import type {Mode} from './access.ts'
import {quoteIdentifier} from './identifier.ts'
import type {Database} from './pool.ts'
import {retry} from './transaction.ts'

/** What a key may do at most. */
export type KeyScope = {
  readonly modes: readonly Mode[] | null // null: all that its agent may do
  readonly within: Iri | null // the document to which it is confined, with all below it; null: none
}

export type KeyHolder = KeyScope & {
  readonly agent: string
  readonly groups: readonly string[]
  readonly expires: Date | null
}

export type FoundKey = KeyHolder & {readonly lasts_ms: number | null} // from now on; null: it does not expire

export type NewKey = KeyHolder & {readonly hash: Uint8Array; readonly name: string}

export type ListedKey = KeyHolder & {
  readonly id: string // the beginning of its hash, in hexadecimal
  readonly name: string
  readonly created: Date
  readonly last_used: Date | null // to the minute, about
  readonly is_expired: boolean
}

/** Whom a key speaks for; undefined when there is no such key, or it has expired. */
export async function findKey(database: Database, schema: string, hash: Uint8Array): Promise<FoundKey | undefined> {
  const text = `select * from ${quoteIdentifier(schema)}.find_api_key($1)`
  const [row] = await retry('read', () => database.query<FoundKey>(text, [hash]))
  return row
}

/**
 * @returns  the key's id
 * @throws   Problem 422 `expiry-ahead`, `key-scope`
 */
export async function addKey(database: Database, schema: string, key: NewKey): Promise<string> {
  const {hash, agent, groups, name, modes, within, expires} = key
  const text = `select ${quoteIdentifier(schema)}.add_api_key($1, $2, $3, $4, $5, $6, $7) as id`
  const [row] = await database.query<{id: string}>(text, [hash, agent, groups, name, modes, within, expires])
  return row?.id ?? ''
}

/**
 * @param agent  whose key it must be; null: anybody's
 * @returns      how many keys have this id; only where there is one, it is gone
 */
export async function removeKey(database: Database, schema: string, id: string, agent: string | null): Promise<number> {
  const text = `select ${quoteIdentifier(schema)}.remove_api_key($1, $2) as found`
  const [row] = await database.query<{found: number}>(text, [id, agent])
  return row?.found ?? 0
}

/** @param agent  whose; null: everybody's */
export function listKeys(database: Database, schema: string, agent: string | null): Promise<readonly ListedKey[]> {
  return database.query<ListedKey>(`select * from ${quoteIdentifier(schema)}.list_api_keys($1)`, [agent])
}

/** When keys were used; keys that are gone are left out. */
export type KeyUse = {readonly hash: Uint8Array; readonly agoMs: number}

export async function noteKeyUses(database: Database, schema: string, uses: readonly KeyUse[]): Promise<void> {
  const text = `select ${quoteIdentifier(schema)}.note_key_uses($1, $2)`
  await database.query(text, [uses.map(({hash}) => hash), uses.map(({agoMs}) => agoMs)])
}
