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
  readonly client: string // User-Agent of the browser; may be empty
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

/** A session as its own agent sees it. */
export type ListedWebSession = {
  readonly id: string
  readonly client: string // User-Agent of the browser; may be empty
  readonly is_key: boolean // the person signed in with an API key
  readonly begun: Date
  readonly used: Date // to about a minute
  readonly ends: Date // however much it is used
  readonly is_own: boolean // it is the session that asks
}

type Store = Pick<Session, 'database' | 'inSchema'>

export async function beginWebSession(store: Store, session: NewWebSession): Promise<void> {
  const {hash, agent, groups, name, keyHash, idToken, lastsMs, replaced, client} = session
  const values = [hash, agent, groups, name, keyHash ?? null, idToken ?? null, lastsMs, replaced ?? null, client]
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

/** The sessions of an agent that are not over, the last used one first. */
export async function listWebSessions(
  {database, inSchema}: Store,
  {agent, hash, idleMs}: {readonly agent: string; readonly hash: Uint8Array | undefined; readonly idleMs: number},
): Promise<readonly ListedWebSession[]> {
  const text = `select * from ${inSchema}list_web_sessions($1, $2, $3)`
  return retry('read', () => database.query<ListedWebSession>(text, [agent, hash ?? null, idleMs]))
}

/**
 * Ends a session of an agent, or with `keptHash` all but that one.
 *
 * @returns  how many have ended
 */
export async function endWebSessions(
  store: Store,
  agent: string,
  {id, keptHash}: {readonly id?: string; readonly keptHash?: Uint8Array | undefined},
): Promise<number> {
  return Number(await call<string>(store, 'end_web_sessions', [agent, id ?? null, keptHash ?? null]))
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
