/** A service with several datasets for a test. */
import type {ExecutionContext} from 'ava'
import {type Administration, addDataset} from '../../src/datasets/administration.ts'
import {createMigrations} from '../../src/datasets/migrations.ts'
import {createServers} from '../../src/datasets/servers.ts'
import {openRegistry} from '../../src/db/registry/registry.ts'
import {openSession} from '../../src/db/store/create-session.ts'
import {migrate} from '../../src/db/store/migrate.ts'
import type {Session} from '../../src/db/store/session.ts'
import {start} from '../../src/serve.ts'
import {readConfig} from '../../src/settings/config.ts'
import {registryDirectory} from '../../src/sql-directory.ts'
import {openStorage} from '../../src/storage.ts'
import type {DatasetRequest} from '../../src/web/service/datasets.ts'
import {type Received, type Sent, send} from './client.ts'
import {createTestDatabase, type TestDatabase} from './postgres.ts'
import {type Settings, unlimited} from './service.ts'

/** A database with a registry. */
export type DatasetPlace = {
  readonly database: TestDatabase
  readonly administration: Administration
  readonly settings: Settings
  readonly add: (request: Partial<DatasetRequest> & {readonly name: string}) => Promise<void>
}

export type DatasetService = {
  readonly url: string
  readonly send: (sent?: Sent) => Promise<Received>
  readonly stop: () => Promise<void>
}

/** Creates a database with an empty registry, which is dropped when the test ends. */
export async function useDatasetPlace(t: ExecutionContext, given: Settings = {}): Promise<DatasetPlace> {
  const database = await createTestDatabase()
  const settings = {
    ...unlimited,
    PORT: '0',
    DATABASE_URL: database.url,
    DATABASE_POOL_MAX: '6',
    DRAIN_TIMEOUT_MS: '1000',
    ...given,
  }
  const config = readConfig(settings)
  const storage = await openStorage(config, 'registry')
  t.teardown(async () => {
    await storage.close()
    await database.drop()
  })
  const {schema} = config.datasets
  await migrate(storage.database, {schema, directory: registryDirectory})
  const registry = openRegistry(storage.database, schema)
  const servers = createServers(config, storage, 'command')
  const administration = {config, registry, servers, migrations: await createMigrations(registry)}
  return {
    database,
    administration,
    settings,
    async add({name, base = `http://localhost/${name}/`, schema: own, databaseUrl, readUrl, settings: values = {}}) {
      await addDataset(administration, {name, base, schema: own, databaseUrl, readUrl, settings: values})
    },
  }
}

/** A session of the operator with a dataset. */
export async function sessionOf(t: ExecutionContext, {administration}: DatasetPlace, name: string): Promise<Session> {
  const entry = await administration.registry.find(name)
  if (entry === undefined) throw new Error(`there is no dataset ${name}`)
  const {storage, release} = await administration.servers.serverOf(entry)
  t.teardown(release)
  return openSession(storage.database, entry.schema)
}

/** Starts a service for the registry, which is stopped when the test ends. */
export async function useDatasets(t: ExecutionContext, {settings}: DatasetPlace): Promise<DatasetService> {
  const {url, stop} = await start(readConfig(settings))
  let stopped: Promise<void> | undefined
  const stopOnce = () => {
    stopped ??= stop()
    return stopped
  }
  t.teardown(stopOnce)
  return {url, send: sent => send(url, sent), stop: stopOnce}
}
