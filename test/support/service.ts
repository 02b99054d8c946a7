/** Starts a service for a test: HTTP on a free port, with a database of its own. */
import type {ExecutionContext} from 'ava'
import {start} from '../../src/serve.ts'
import {readConfig, type SettingName} from '../../src/settings/config.ts'
import {type Received, type Sent, send} from './client.ts'
import {createTestDatabase, type TestDatabase} from './postgres.ts'

export type TestService = {
  readonly url: string // URL at which it listens, ends with '/'
  readonly base: string // root document; the same as `url` unless BASE_URL was set
  readonly database: TestDatabase
  readonly send: (sent?: Sent) => Promise<Received>
  readonly stop: () => Promise<void>
}

export type Settings = Readonly<Partial<Record<SettingName, string>>>

/** Settings for tests of anything but limits, whose requests all come from one address. */
export const unlimited = {
  REQUEST_LIMIT: 'off',
  QUERY_LIMIT_AT_ONCE: 'off',
  CONNECTION_LIMIT_PER_ADDRESS: 'off',
} as const satisfies Settings

/** Starts a service; the caller stops it (in `after.always`). */
export async function startService(settings: Settings = {}): Promise<TestService> {
  const database = await createTestDatabase()
  try {
    const defaults = {PORT: '0', DATABASE_URL: database.url, DATABASE_POOL_MAX: '4', DRAIN_TIMEOUT_MS: '1000'}
    const {url, base, stop} = await start(readConfig({...unlimited, ...defaults, ...settings}))
    return {
      url,
      base,
      database,
      send: sent => send(url, sent),
      async stop() {
        await stop()
        await database.drop()
      },
    }
  } catch (error) {
    await database.drop()
    throw error
  }
}

/** A service for one test, stopped when the test ends. */
export async function useService(t: ExecutionContext, settings: Settings = {}): Promise<TestService> {
  const service = await startService(settings)
  t.teardown(service.stop)
  return service
}
