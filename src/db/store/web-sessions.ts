/**
 * Sessions of people who are signed in with a browser.
 *
 * The SQL functions are in sql/functions/access/web_session.sql.
 */
import {retry} from '../connection/transaction.ts'
import type {SqlValue} from '../connection/value.ts'
import type {KeyScope} from './keys.ts'
import type {Session} from './session.ts'

export type NewWebSession = {
  readonly hash: Uint8Array // of the token
  readonly agent: string
  readonly groups: readonly string[]
  readonly name: string // for display; may be empty
  readonly keyHash: Uint8Array | undefined // of the API key that the person signed in with
  readonly idToken: string | undefined // of the issuer
  readonly lastsMs: number
  readonly replaced: Uint8Array | undefined // hash of a token of the session that ends
}

export type FoundWebSession = KeyScope & {
  readonly agent: string
  readonly groups: readonly string[]
  readonly name: string
  readonly is_key: boolean // modes, within and expires are those of an API key
  readonly expires: Date | null
  readonly lasts_ms: number
  readonly is_due: boolean // its use must be recorded
  readonly is_old: boolean // it should get another token
  readonly is_copy: boolean // the token was replaced: it has been copied
}

type Store = Pick<Session, 'database' | 'inSchema'>

export async function beginWebSession(store: Store, session: NewWebSession): Promise<void> {
  const {hash, agent, groups, name, keyHash, idToken, lastsMs, replaced} = session
  const values = [hash, agent, groups, name, keyHash ?? null, idToken ?? null, lastsMs, replaced ?? null]
  await call(store, 'begin_web_session', values)
}

/** The session of a token; undefined if there is none, or it is over. */
export async function findWebSession(
  {database, inSchema}: Store,
  hash: Uint8Array,
  idleMs: number,
): Promise<FoundWebSession | undefined> {
  const text = `select * from ${inSchema}find_web_session($1, $2)`
  const [row] = await retry('read', () => database.query<FoundWebSession>(text, [hash, idleMs]))
  return row
}

/** Records that a session is used. Its next token becomes the current one if it is this one. */
export async function useWebSession(store: Store, hash: Uint8Array): Promise<void> {
  await call(store, 'use_web_session', [hash])
}

/** @returns  whether the session has got the next token */
export async function turnWebSession(store: Store, hash: Uint8Array, nextHash: Uint8Array): Promise<boolean> {
  return (await call<boolean>(store, 'turn_web_session', [hash, nextHash])) === true
}

/** @returns  the ID token of the issuer; undefined if there is none */
export async function endWebSession(store: Store, hash: Uint8Array): Promise<string | undefined> {
  return (await call<string>(store, 'end_web_session', [hash])) ?? undefined
}

async function call<Result>(
  {database, inSchema}: Store,
  name: string,
  values: readonly SqlValue[],
): Promise<Result | null | undefined> {
  const places = values.map((_, index) => `$${index + 1}`).join(', ')
  const text = `select w.result from ${inSchema}${name}(${places}) as w (result)`
  const [row] = await retry('write', () => database.query<{readonly result: Result | null}>(text, values))
  return row?.result
}
