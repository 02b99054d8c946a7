/**
 * The settings of a dataset that the command line names by --dataset.
 */
import {Refusal} from '../base/refusal.ts'
import {type DatasetEntry, hasRegistry, openRegistry} from '../db/registry/registry.ts'
import type {Config} from '../settings/config.ts'
import {openStorage} from '../storage.ts'
import {addressesOf, configOfDataset} from './dataset-config.ts'

/** @throws  Refusal: there is no registry, or no such dataset */
export async function configOfNamed(config: Config, name: string): Promise<Config> {
  const entry = await findEntry(config, name)
  const own = configOfDataset(config, entry)
  return {...own, database: {...own.database, ...addressesOf(entry, process.env)}}
}

async function findEntry(config: Config, name: string): Promise<DatasetEntry> {
  const storage = await openStorage(config, 'registry')
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
