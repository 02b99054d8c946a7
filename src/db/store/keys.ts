/**
 * API keys: stored as hashes, each with the agent for which it authenticates.
 *
 * The SQL functions are in sql/functions/54_caller.sql.
 */
import type {Iri} from '../../rdf/term.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database} from '../connection/pool.ts'
import {retry} from '../connection/transaction.ts'
import type {Value} from '../connection/value.ts'
import {ask} from './call.ts'
import type {Mode} from './caller.ts'
import {recorded} from './guard.ts'
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
 * @param place  beginning of the key's IRI in the record of changes; the key's id is appended
 * @param limit  maximum of keys of the agent
 * @returns      the key's id
 * @throws       Problem 422 `expiry-ahead`, `key-scope` · 409 `keys-counted`
 */
export async function createKey(
  session: Session,
  {hash, agent, groups, name, modes, within, expires}: NewKey,
  {place = '', limit = null}: {readonly place?: Iri; readonly limit?: number | null} = {},
): Promise<string> {
  const values: readonly Value[] = [hash, agent, groups, name, modes, within, expires, limit, place]
  const change = recorded(session, values, {action: 'create-key', document: '$9 || w.id', etag: 'null'})
  const made = `${session.inSchema}add_api_key($1, $2, $3, $4, $5, $6, $7, $8)`
  const text = `select w.id from ${made} as w (id)${change.after}`
  const call = {name: 'add_api_key', text, values: change.after === '' ? values.slice(0, 8) : change.values}
  const [row] = await ask<{readonly id: string}>(session, 'write', call)
  return row?.id ?? ''
}

/**
 * @param agent  the agent that must own the key; null: any agent
 * @param place  as for createKey
 * @throws       Problem 404 `key-exists`
 */
export async function removeKey(session: Session, id: string, agent: string | null, place: Iri = ''): Promise<void> {
  const values: readonly Value[] = [id, agent, place]
  const change = recorded(session, values, {action: 'remove-key', document: '$3 || w.id', etag: 'null'})
  const text = `select w.id from ${session.inSchema}remove_api_key($1, $2) as w (id)${change.after}`
  const call = {name: 'remove_api_key', text, values: change.after === '' ? values.slice(0, 2) : change.values}
  await ask(session, 'write', call)
}
