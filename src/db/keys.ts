/**
 * API keys as the store keeps them: hashed, with the agent that each speaks for.
 *
 * Floor 3. sql/functions/54_caller.sql is the other end.
 */
import {quoteIdentifier} from './identifier.ts'
import type {Database} from './pool.ts'
import {retry} from './transaction.ts'

export type KeyHolder = {readonly agent: string; readonly groups: readonly string[]}

export type NewKey = KeyHolder & {readonly hash: Uint8Array; readonly note: string; readonly expires: Date | undefined}

export type ListedKey = KeyHolder & {
  readonly id: string // the beginning of its hash, in hexadecimal
  readonly note: string
  readonly created: Date
  readonly expires: Date | null
}

/** Whom a key speaks for; undefined when there is no such key, or it has expired. */
export async function findKey(database: Database, schema: string, hash: Uint8Array): Promise<KeyHolder | undefined> {
  const text = `select * from ${quoteIdentifier(schema)}.find_api_key($1)`
  const [row] = await retry('read', () => database.query<KeyHolder>(text, [hash]))
  return row
}

export async function addKey(database: Database, schema: string, key: NewKey): Promise<void> {
  const {hash, agent, groups, note, expires} = key
  const text = `select ${quoteIdentifier(schema)}.add_api_key($1, $2, $3, $4, $5)`
  await database.query(text, [hash, agent, groups, note, expires ?? null])
}

/** @returns  how many keys have this id; only where there is one, it is gone */
export async function removeKey(database: Database, schema: string, id: string): Promise<number> {
  const text = `select ${quoteIdentifier(schema)}.remove_api_key($1) as found`
  const [row] = await database.query<{found: number}>(text, [id])
  return row?.found ?? 0
}

export function listKeys(database: Database, schema: string): Promise<readonly ListedKey[]> {
  return database.query<ListedKey>(
    `select left(encode(hash, 'hex'), 12) as id, agent, groups, note, created, expires
       from ${quoteIdentifier(schema)}.api_key order by created`,
  )
}
