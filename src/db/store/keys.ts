/**
 * API keys: stored as hashes, each with the agent for which it authenticates.
 *
 * The SQL functions are in sql/functions/access/caller.sql.
 */
import type {Iri} from '../../rdf/term.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database} from '../connection/pool.ts'
import {retry} from '../connection/transaction.ts'
import {ask, callAsCaller} from './call.ts'
import type {Mode} from './caller.ts'
import type {Session} from './session.ts'

/** Limits of a key. */
export type KeyScope = {
  readonly modes: readonly Mode[] | null // null: all that its agent may do
  readonly within: Iri | null // the key works for this document and those below it only; null: no such limit
}

export type KeyHolder = KeyScope & {
  readonly agent: string
  readonly groups: readonly string[]
  readonly expires: Date | null
}

export type FoundKey = KeyHolder & {readonly lasts_ms: number | null} // from now; null: it does not expire

export type NewKey = KeyHolder & {readonly hash: Uint8Array; readonly name: string}

export type ListedKey = KeyHolder & {
  readonly id: string // the first digits of its hash, in hexadecimal
  readonly name: string
  readonly created: Date
  readonly last_used: Date | null // rounded to about a minute
  readonly is_expired: boolean
}

/** The agent and limits of a key; undefined if there is no such key or it has expired. */
export async function findKey(database: Database, schema: string, hash: Uint8Array): Promise<FoundKey | undefined> {
  const text = `select * from ${quoteIdentifier(schema)}.find_api_key($1)`
  const [row] = await retry('read', () => database.query<FoundKey>(text, [hash]))
  return row
}

/** A use of a key. Keys that no longer exist are ignored. */
export type KeyUse = {readonly hash: Uint8Array; readonly agoMs: number}

export async function noteKeyUses(database: Database, schema: string, uses: readonly KeyUse[]): Promise<void> {
  const text = `select ${quoteIdentifier(schema)}.note_key_uses($1, $2)`
  await database.query(text, [uses.map(({hash}) => hash), uses.map(({agoMs}) => agoMs)])
}

/**
 * @param agent  the owner of the keys; null: all agents
 * @param id     if given, only the key with this id is read
 */
export function listKeys(session: Session, agent: string | null, id?: string): Promise<readonly ListedKey[]> {
  const text = `select k.* from ${session.inSchema}list_api_keys($1, $2) as k`
  return ask<ListedKey>(session, 'read', {name: 'list_api_keys', text, values: [agent, id ?? null]})
}

/**
 * @param limit  maximum of keys of the agent; null: no maximum
 * @returns      the key's id
 * @throws       Problem 422 `expiry-ahead`, `key-scope` · 409 `keys-counted`
 */
export async function createKey(
  session: Session,
  {hash, agent, groups, name, modes, within, expires}: NewKey,
  limit: number | null = null,
): Promise<string> {
  const call = callAsCaller(session, 'add_api_key', [hash, agent, groups, name, modes, within, expires, limit])
  const text = `select w.id from ${call.from} as w (id)`
  const [row] = await ask<{readonly id: string}>(session, 'write', {text, ...call})
  return row?.id ?? ''
}

/**
 * @param agent  the agent that must own the key; null: any agent
 * @throws       Problem 404 `key-exists`: no key, or more than one, has an id with this prefix
 */
export async function removeKey(session: Session, id: string, agent: string | null): Promise<void> {
  const call = callAsCaller(session, 'remove_api_key', [id, agent])
  await ask(session, 'write', {text: `select w.id from ${call.from} as w (id)`, ...call})
}
