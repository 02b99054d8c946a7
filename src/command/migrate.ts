/**
 * `quadstead migrate`: brings the database schema up to date.
 */

import {createMigrations} from '../datasets/migrations.ts'
import {createServers} from '../datasets/servers.ts'
import {hasRegistry, isListed, openRegistry} from '../db/registry/registry.ts'
import {migrate} from '../db/store/migrate.ts'
import type {Config} from '../settings/config.ts'
import {registryDirectory, sqlDirectory} from '../sql-directory.ts'
import {openStorage, type Storage} from '../storage.ts'
import {type Arguments, type Command, complain, noParameters, print} from './command.ts'

export const migrateCommand: Command = {
  ...noParameters,
  name: 'migrate',
  summary: 'bring the database schema up to date, and no more',
  help: `What "quadstead serve" does first, on its own: for a role that may change the schema, when the service's may
not. With a registry of datasets: the registry and all its datasets, or the one that --dataset names.

Example:
  DATABASE_URL=postgres://owner:secret@db/ldp quadstead migrate`,
  run: migrateSchema,
}

async function migrateSchema(config: Config, parameters: Arguments): Promise<number> {
  const {schema} = config.database
  const storage = await openStorage(config, 'registry')
  const isOfAll =
    parameters.values.dataset === undefined && (await hasRegistry(storage.database, config.datasets.schema))
  let inCluster: Storage | undefined
  try {
    if (isOfAll) return await migrateDatasets(config, storage)
    inCluster = await storage.inCluster?.(schema)
    const applied = await migrate((inCluster ?? storage).database, {schema, directory: sqlDirectory})
    print(applied.length === 0 ? `Schema ${schema} is up to date.` : `Schema ${schema} took ${applied.join(', ')}.`)
    return 0
  } finally {
    await inCluster?.close()
    await storage.close()
  }
}

/** Brings the registry and all its datasets up to date. Returns 1 if a dataset fails. */
async function migrateDatasets(config: Config, storage: Storage): Promise<number> {
  const {schema} = config.datasets
  await migrate(storage.database, {schema, directory: registryDirectory})
  const registry = openRegistry(storage.database, schema)
  const migrations = await createMigrations(registry)
  const entries = (await registry.changedAfter('0')).filter(isListed)
  migrations.begin(() => entries, createServers(config, storage, 'command'))
  await migrations.close('finish')
  const behind = entries.filter(entry => !migrations.isDone(entry))
  print(`${entries.length - behind.length} of ${entries.length} datasets are up to date.`)
  for (const {name} of behind) complain(`Dataset ${name} is not up to date.`)
  return behind.length === 0 ? 0 : 1
}
