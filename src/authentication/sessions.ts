/**
 * Sessions of people with a browser: who sends a request, by the token in its cookie.
 *
 * Sessions are rows in PostgreSQL, and no process caches them. Every process knows every session, and one that has
 * ended is over everywhere at once. A token is 256 random bits, and only its SHA-256 is stored.
 */
import {createHash, randomBytes} from 'node:crypto'
import {observe} from '../base/observation.ts'
import type {Principal} from '../base/principal.ts'
import type {Session} from '../db/store/session.ts'
import {
  beginWebSession,
  endWebSession,
  endWebSessions,
  type FoundWebSession,
  findWebSession,
  type ListedWebSession,
  listWebSessions,
  turnWebSession,
  useWebSession,
} from '../db/store/web-sessions.ts'

export type SessionTimes = {
  readonly idleMs: number // without requests
  readonly lastsMs: number // in all
}

/** A token for the browser, and how long it may keep it. */
export type FreshToken = {readonly token: string; readonly seconds: number}

export type WebSession = {
  readonly caller: Principal
  /** Makes the next token if it is time for one, for a response that the browser will read. */
  readonly turn: () => Promise<FreshToken | undefined>
}

export type Sessions = {
  /** @param replaced  a token of the session that the browser has had so far */
  readonly begin: (person: NewPerson, replaced: string | undefined) => Promise<FreshToken>
  readonly find: (token: string) => Promise<WebSession | undefined>
  /** @returns  the ID token of the issuer, if there is one */
  readonly end: (token: string) => Promise<string | undefined>
  /** The sessions of an agent. @param token  of the session that asks; undefined: the caller has none */
  readonly list: (agent: string, token: string | undefined) => Promise<readonly ListedWebSession[]>
  /** Ends one session of an agent. @returns  false if the agent has no such session */
  readonly endOne: (agent: string, id: string) => Promise<boolean>
  /** Ends all sessions of an agent but the one with the token. */
  readonly endOthers: (agent: string, token: string | undefined) => Promise<void>
}

export type NewPerson = {
  readonly principal: Pick<Principal, 'agent' | 'groups'>
  readonly name: string
  readonly keyHash?: Uint8Array // of the API key that the person has given
  readonly idToken?: string | undefined
  readonly client?: string // User-Agent of the browser
}

const tokenSyntax = /^[A-Za-z0-9_-]{43}$/
const idSyntax = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const clientLength = 300 // characters kept

export function createSessions(store: Pick<Session, 'database' | 'inSchema'>, times: SessionTimes): Sessions {
  const {idleMs, lastsMs} = times
  return {
    async begin({principal: {agent = '', groups}, name, keyHash, idToken, client = ''}, replaced) {
      const token = makeToken()
      const hashOfReplaced = hashOf(replaced)
      const person = {agent, groups, name, keyHash, idToken, client: client.slice(0, clientLength)}
      await beginWebSession(store, {...person, hash: hashToken(token), lastsMs, replaced: hashOfReplaced})
      return {token, seconds: lastsMs / 1000}
    },
    async find(token) {
      if (!tokenSyntax.test(token)) return undefined
      const hash = hashToken(token)
      const found = await findWebSession(store, hash, idleMs)
      if (found === undefined) return undefined
      if (found.is_copy) {
        await endWebSession(store, hash)
        return undefined
      }
      if (found.is_due) await useWebSession(store, hash).catch(unrecorded)
      return {caller: principalOf(found), turn: () => (found.is_old ? turn(store, hash, found) : nothing)}
    },
    end: token => endWebSession(store, hashToken(token)),
    list: (agent, token) => listWebSessions(store, {agent, hash: hashOf(token), idleMs}),
    endOne: async (agent, id) => idSyntax.test(id) && (await endWebSessions(store, agent, {id})) > 0,
    async endOthers(agent, token) {
      await endWebSessions(store, agent, {keptHash: hashOf(token)})
    },
  }
}

const nothing = Promise.resolve(undefined)

async function turn(
  store: Pick<Session, 'database' | 'inSchema'>,
  hash: Uint8Array,
  {lasts_ms: lastsMs}: FoundWebSession,
): Promise<FreshToken | undefined> {
  const token = makeToken()
  const isTurned = await turnWebSession(store, hash, hashToken(token)).catch(unrecorded)
  return isTurned === true ? {token, seconds: lastsMs / 1000} : undefined
}

/** A session can be read while the database accepts no writes. */
function unrecorded(error: unknown): void {
  observe({kind: 'failure', error})
}

function principalOf({agent, groups, name, is_key: isKey, modes, within, expires}: FoundWebSession): Principal {
  const person = {agent, groups, name, means: 'session' as const}
  return isKey ? {...person, scope: {modes, within}, expires: expires ?? undefined} : person
}

function makeToken(): string {
  return randomBytes(32).toString('base64url')
}

function hashOf(token: string | undefined): Buffer | undefined {
  return token === undefined ? undefined : hashToken(token)
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
