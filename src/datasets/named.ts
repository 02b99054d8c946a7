/**
 * The dataset that the command line names by --dataset: its settings, and its entry in the registry.
 */
import {Refusal} from '../base/refusal.ts'
import {type DatasetEntry, hasRegistry, isListed, openRegistry, type Registry} from '../db/registry/registry.ts'
import {migrate} from '../db/store/migrate.ts'
import {type Config, readConfig} from '../settings/config.ts'
import {registryDirectory} from '../sql-directory.ts'
import {openStorage} from '../storage.ts'
import {addressesOf, configOfDataset} from './dataset-config.ts'

/** @throws  Refusal: there is no registry, or no such dataset */
export async function configOfNamed(config: Config, name: string): Promise<Config> {
  const entry = await findEntry(config, name)
  const own = configOfDataset(config, entry)
  return {...own, database: {...own.database, ...addressesOf(entry, process.env)}}
}

async function findEntry(config: Config, name: string): Promise<DatasetEntry> {
  const entry = await inRegistry(config, registry => registry.find(name))
  if (entry !== undefined) return entry
  throw new Refusal(`There is no dataset "${name}". "quadstead datasets list" shows those that there are.`)
}

/**
 * Records in the registry, if there is one, that a dataset has webhooks, so that services look for due ones.
 *
 * @param config  of the command, with the schema of the dataset
 * @param name    given by --dataset; undefined: the dataset in this schema of the registry's database
 */
export async function recordWebhooks(config: Config, name: string | undefined): Promise<void> {
  const {schema} = config.database
  const isMeant = (entry: DatasetEntry) =>
    name === undefined ? entry.databaseUrl === null && entry.schema === schema : entry.name === name
  await inRegistry({...config, database: readConfig(config.environment).database}, async registry => {
    const entry = (await registry.changedAfter('0')).find(one => isListed(one) && isMeant(one))
    if (entry !== undefined) await registry.noteWebhooks(entry.id, true)
  }).catch(error => {
    if (!(error instanceof Refusal && name === undefined)) throw error // there is no registry
  })
}

/** @throws  Refusal: there is no registry */
async function inRegistry<Result>(config: Config, work: (registry: Registry) => Promise<Result>): Promise<Result> {
  const storage = await openStorage(config, 'registry')
  try {
    const {schema} = config.datasets
    if (!(await hasRegistry(storage.database, schema)))
      throw new Refusal(`There is no registry of datasets (schema ${schema}). "quadstead datasets add" creates it.`)
    await migrate(storage.database, {schema, directory: registryDirectory})
    return await work(openRegistry(storage.database, schema))
  } finally {
    await storage.close()
  }
}
