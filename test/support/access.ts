/** Starts a service with access control, with callers and grants for a test. */
import {hashKey, makeKey} from '../../src/authentication/keys.ts'
import type {Mode} from '../../src/db/store/caller.ts'
import {openSession} from '../../src/db/store/create-session.ts'
import {putGrants} from '../../src/db/store/grants.ts'
import {createKey} from '../../src/db/store/keys.ts'
import type {Session} from '../../src/db/store/session.ts'
import type {Received, Sent} from './client.ts'
import {testSchema} from './postgres.ts'
import {type Settings, startService, type TestService} from './service.ts'

export type GuardedService = TestService & {
  readonly session: Session // without a caller: everything is allowed
  /** Gives an agent modes on a document, named by its path below the root. Replaces all of its grants there. */
  readonly grant: (path: string, grants: Readonly<Record<string, readonly Mode[]>>) => Promise<void>
  /** Sends a request as an agent; undefined: anonymously. */
  readonly sendAs: (name: string | undefined, sent: Sent) => Promise<Received>
  /** The Authorization header of an agent with this name. The first call creates a key. */
  readonly authorizationOf: (name: string, groups?: readonly string[]) => Promise<string>
}

export const agentOf = (name: string) => `http://agents.example/${name}#me`

/** Starts a service in which the agent `root` has control of the root and may do everything. */
export async function startGuarded(settings: Settings = {}): Promise<GuardedService> {
  const service = await startService({ACCESS: 'grants', ...settings})
  const {database} = service.database
  const session = await openSession(database, testSchema)
  const keys = new Map<string, Promise<string>>()
  function authorizationOf(name: string, groups?: readonly string[]): Promise<string> {
    const known = keys.get(name) ?? makeAuthorization(name, groups)
    keys.set(name, known)
    return known
  }
  async function makeAuthorization(name: string, groups: readonly string[] = []): Promise<string> {
    const key = makeKey()
    await createKey(session, {
      hash: hashKey(key),
      agent: agentOf(name),
      groups,
      name,
      modes: null,
      within: null,
      expires: null,
    })
    return `Bearer ${key}`
  }
  const guarded: GuardedService = {
    ...service,
    session,
    authorizationOf,
    async grant(path, grants) {
      const given = Object.entries(grants).map(([grantee, modes]) => ({grantee, modes}))
      await putGrants(session, service.base + path.slice(1), {grants: given, ifMatch: undefined, keepsControl: false})
    },
    async sendAs(name, sent) {
      const own = name === undefined ? {} : {Authorization: await authorizationOf(name)}
      return service.send({...sent, headers: {...own, ...sent.headers}})
    },
  }
  await guarded.grant('/', {[`agent ${agentOf('root')}`]: ['write', 'control']})
  return guarded
}
