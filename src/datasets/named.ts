/**
 * The settings of a dataset that the command line names by --dataset.
 */
import {Refusal} from '../base/refusal.ts'
import {parseDatabaseUrl} from '../db/connection/address.ts'
import {type DatasetEntry, hasRegistry, openRegistry} from '../db/registry/registry.ts'
import type {Config} from '../settings/config.ts'
import {openStorage} from '../storage.ts'
import {configOfDataset, withSecrets} from './dataset-config.ts'

/** @throws  Refusal: there is no registry, or no such dataset */
export async function configOfNamed(config: Config, name: string): Promise<Config> {
  const entry = await findEntry(config, name)
  const own = configOfDataset(config, entry)
  const {databaseUrl} = entry
  if (databaseUrl === null) return own
  const address = parseDatabaseUrl(withSecrets(databaseUrl, process.env))
  return {...own, database: {...own.database, address, replicas: []}}
}

async function findEntry(config: Config, name: string): Promise<DatasetEntry> {
  const storage = await openStorage(config, 'command')
  try {
    const {schema} = config.datasets
    if (!(await hasRegistry(storage.database, schema)))
      throw new Refusal(`There is no registry of datasets (schema ${schema}). "quadstead datasets add" creates it.`)
    const entry = await openRegistry(storage.database, schema).find(name)
    if (entry !== undefined) return entry
    throw new Refusal(`There is no dataset "${name}". "quadstead datasets list" shows those that there are.`)
  } finally {
    await storage.close()
  }
}
