/**
 * `quadstead datasets`: adds, lists, changes and removes the datasets of a service.
 */
import {randomBytes} from 'node:crypto'
import {hashKey} from '../authentication/keys.ts'
import {Problem} from '../base/problem.ts'
import {Refusal} from '../base/refusal.ts'
import {
  type Administration,
  addDataset,
  changeDataset,
  createOffice,
  dropDataset,
  findDataset,
  rebaseEntry,
} from '../datasets/administration.ts'
import {createMigrations} from '../datasets/migrations.ts'
import {configOfNamed} from '../datasets/named.ts'
import {createServers} from '../datasets/servers.ts'
import {databaseCodeOf} from '../db/connection/problem-of.ts'
import {hasRegistry, openRegistry} from '../db/registry/registry.ts'
import {storedBase} from '../db/store/dataset.ts'
import {migrate} from '../db/store/migrate.ts'
import type {Config} from '../settings/config.ts'
import {readBase} from '../settings/setting.ts'
import {registryDirectory} from '../sql-directory.ts'
import {openStorage, type Storage} from '../storage.ts'
import type {ShownDataset} from '../web/service/datasets.ts'
import {isClusterAction, runClusterAction} from './cluster-actions.ts'
import {type Arguments, type Command, complain, count, isOptionGiven, print, textOption} from './command.ts'
import {exportCommand} from './export.ts'

const actions = ['add', 'list', 'set', 'pause', 'resume', 'rename', 'remove', 'key'] as const

export const datasetsCommand: Command = {
  name: 'datasets',
  summary: 'the datasets of a service with several of them: add, list, change, remove',
  usage:
    'add NAME --base-url URL [--schema SCHEMA] [--database-url URL [--read-url URLS]] [KEY=VALUE]… | list [--json] | ' +
    'set NAME KEY=VALUE… | pause NAME | resume NAME | rename NAME NEW [--base-url URL] | ' +
    'remove NAME --confirm NAME [--drop] | export NAME [--output FILE] | key add [TEXT] | key list | key remove ID | ' +
    'nodes [NAME] | move NAME --to HOST:PORT [--block-writes] | rebalance',
  options: {
    ...exportCommand.options,
    'base-url': {type: 'string'},
    schema: {type: 'string'},
    'database-url': {type: 'string'},
    'read-url': {type: 'string'},
    confirm: {type: 'string'},
    drop: {type: 'boolean'},
    json: {type: 'boolean'},
    to: {type: 'string'},
    'block-writes': {type: 'boolean'},
  },
  operands: {least: 1, most: 100},
  help: `The first "add" creates the registry of datasets. From then on, the service serves the datasets that it lists,
each at its base URL. If the settings name a dataset that exists, "add" also lists that one, as "main". Restart the
service after the first "add". It notices later changes by itself, within a second.

  add NAME            create a dataset, in a schema of its own; an existing one if SCHEMA has one with this base
  --base-url URL      the root document: https://host/NAME/, or a host name of its own
  --schema SCHEMA     by default dataset_NAME
  --database-url URL  if it is in another database; \${QUADSTEAD_SECRET_…} stands for a variable of the service
  --read-url URLS     replicas of that database, separated by commas, as in DATABASE_READ_URL
  KEY=VALUE           a setting that differs from that of the service; KEY= removes one
  pause, resume       answer 503 to requests; answer them again
  rename NAME NEW     give it another name, and with --base-url another base: it is paused for some seconds
  remove NAME         stop to serve it; with --drop delete its data, too, after some seconds
  --confirm NAME      the same name again
  export NAME         write it into a file; takes the options of "quadstead export"
  key                 keys of operators, who manage datasets over HTTP; a new one is shown once

In a Citus cluster a dataset is on one node; NAME may be its schema. Services follow it when it moves.

  nodes [NAME]        the nodes of the cluster; * marks the one that has the dataset
  move NAME           move it while it is read and written; writes are refused with 503 for the last moment
  --to HOST:PORT      the node, as "nodes" shows it
  --block-writes      refuse writes during the whole move, which then needs no replication
  rebalance           move datasets until the nodes hold about the same number of bytes

All other commands take --dataset NAME: quadstead export --dataset NAME --output NAME.nq

Examples:
  quadstead datasets add alpha --base-url https://data.example.org/alpha/ REQUEST_LIMIT=500
  quadstead datasets set alpha ACCESS=grants REQUEST_LIMIT=
  quadstead datasets rename alpha beta --base-url https://data.example.org/beta/
  quadstead datasets remove beta --confirm beta --drop
  quadstead datasets move alpha --to worker2:5432`,
  isOfDataset: false,
  run: datasets,
}

async function datasets(config: Config, parameters: Arguments): Promise<number> {
  const [action = ''] = parameters.operands
  if (isClusterAction(action)) return runClusterAction(config, parameters)
  if (action === 'export') return exportNamed(config, parameters)
  const known = actions.find(one => one === action)
  if (known === undefined) throw new Refusal(`Expected one of ${actions.join(', ')}, got "${action}".`, {exitCode: 2})
  const storage = await openStorage(config, 'registry')
  try {
    const administration = await openAdministration(config, storage, {
      parameters,
      mayCreate: known === 'add' || known === 'key',
    })
    await work[known](administration, parameters)
    return 0
  } catch (error) {
    throw error instanceof Problem && error.status < 500 ? new Refusal(error.message, {cause: error}) : error
  } finally {
    await storage.close()
  }
}

/** The same as `quadstead export --dataset NAME`. */
async function exportNamed(config: Config, parameters: Arguments): Promise<number> {
  const [, name, ...others] = parameters.operands
  if (name === undefined || others.length > 0) throw new Refusal('Expected "export NAME".', {exitCode: 2})
  return exportCommand.run(await configOfNamed(config, name), {...parameters, operands: []})
}

type Work = (administration: Administration, parameters: Arguments) => Promise<void>

const work: Readonly<Record<(typeof actions)[number], Work>> = {
  async add(administration, parameters) {
    const [, name = '', ...words] = parameters.operands
    const entry = await addDataset(administration, {
      name,
      base: textOption(parameters, 'base-url') ?? '',
      schema: textOption(parameters, 'schema'),
      databaseUrl: textOption(parameters, 'database-url'),
      readUrl: textOption(parameters, 'read-url'),
      settings: Object.fromEntries(words.map(readSetting).filter(([, value]) => value !== '')),
    })
    print(`Dataset ${entry.name} is at ${entry.base} (schema ${entry.schema}).`)
  },
  async list(administration, parameters) {
    const all = await createOffice(administration).list()
    if (isOptionGiven(parameters, 'json')) print(JSON.stringify(all))
    else for (const one of all) print(lineOf(one))
  },
  async set(administration, {operands: [, name = '', ...words]}) {
    const {settings} = await changeDataset(administration, name, {settings: Object.fromEntries(words.map(readSetting))})
    print(`Dataset ${name}: ${settingsText(settings)}.`)
  },
  async pause(administration, {operands: [, name = '']}) {
    await changeDataset(administration, name, {state: 'paused'})
    print(`Dataset ${name} is paused.`)
  },
  async resume(administration, {operands: [, name = '']}) {
    await changeDataset(administration, name, {state: 'served'})
    print(`Dataset ${name} is served.`)
  },
  async rename(administration, parameters) {
    const [, name = '', newName = name] = parameters.operands
    const url = textOption(parameters, 'base-url')
    if (newName !== name) await changeDataset(administration, name, {name: newName})
    print(`Dataset ${name} is called ${newName} now.`)
    if (url === undefined) return
    const base = readBase(url)
    if (base === undefined) throw new Refusal(`"${url}" is not a base URL.`)
    const renamed = await rebaseEntry(administration, newName, base)
    print(`Dataset ${newName} is at ${base} now; ${count(renamed, 'IRI')} renamed.`)
  },
  async remove(administration, parameters) {
    const [, name = ''] = parameters.operands
    const {schema} = await findDataset(administration, name)
    if (textOption(parameters, 'confirm') !== name)
      throw new Refusal(`To remove the dataset "${name}", say its name again: --confirm ${name}.`, {exitCode: 2})
    if (isOptionGiven(parameters, 'drop')) {
      await dropDataset(administration, name)
      print(`Dataset ${name} is removed, and its schema ${schema} deleted.`)
      return
    }
    await createOffice(administration).remove(name)
    print(`Dataset ${name} is not served any more. Its data are still in schema ${schema}.`)
  },
  async key({registry}, {operands: [, action, word = '']}) {
    if (action === 'add') {
      const key = `qso_${randomBytes(32).toString('base64url')}`
      const hash = hashKey(key)
      await registry.addKey({id: hash.toString('hex').slice(0, 16), hash, name: word})
      complain('This is the only time that the key is shown:')
      print(key)
    } else if (action === 'list') {
      for (const {id, name, created} of await registry.listKeys())
        print([id, `from ${created.toISOString()}`, ...(name === '' ? [] : [name])].join('  '))
    } else if (action === 'remove') {
      if (!(await registry.removeKey(word))) throw new Refusal(`There is no key of an operator with the id "${word}".`)
    } else throw new Refusal('Expected "key add", "key list" or "key remove ID".', {exitCode: 2})
  },
}

type Opening = {readonly parameters: Arguments; readonly mayCreate: boolean}

/** Opens the registry, and creates it for commands that need one. */
async function openAdministration(
  config: Config,
  storage: Storage,
  {parameters, mayCreate}: Opening,
): Promise<Administration> {
  const {database} = storage
  const {schema} = config.datasets
  const isNew = !(await hasRegistry(database, schema))
  if (isNew && !mayCreate)
    throw new Refusal(`There is no registry of datasets (schema ${schema}). "quadstead datasets add" creates it.`)
  await migrate(database, {schema, directory: registryDirectory})
  const registry = openRegistry(database, schema)
  const migrations = await createMigrations(registry)
  const administration = {config, registry, servers: createServers(config, storage, 'command'), migrations}
  if (isNew) await adoptMain(administration, storage, textOption(parameters, 'schema'))
  return administration
}

/** Lists the dataset that the settings name, if it exists, so that the service goes on serving it. */
async function adoptMain(administration: Administration, storage: Storage, added: string | undefined): Promise<void> {
  const {schema} = administration.config.database
  if (schema === added) return
  const inCluster = await storage.inCluster?.(schema)
  const {database} = inCluster ?? storage
  const stored = storedBase(database, schema).finally(() => inCluster?.close())
  const base = await stored.catch((error: unknown) => {
    const code = databaseCodeOf(error)
    if (code === '3F000' || code === '42P01') return undefined // no schema, no dataset
    throw error
  })
  if (base === undefined) return
  await addDataset(administration, {
    name: 'main',
    base,
    schema,
    databaseUrl: undefined,
    readUrl: undefined,
    settings: {},
  })
  print(`Dataset main is at ${base} (schema ${schema}).`)
}

function readSetting(word: string): readonly [name: string, value: string] {
  const at = word.indexOf('=')
  if (at < 1) throw new Refusal(`Expected KEY=VALUE, got "${word}".`, {exitCode: 2})
  return [word.slice(0, at), word.slice(at + 1)]
}

function lineOf({name, base, schema, state, database, settings, failure}: ShownDataset): string {
  return [
    name,
    base,
    state,
    `schema ${schema}`,
    ...(database === undefined ? [] : [`in ${database}`]),
    ...(typeof settings === 'object' && settings !== null ? [settingsText(settings)] : []),
    ...(failure === undefined ? [] : [`because: ${failure}`]),
  ].join('  ')
}

function settingsText(settings: object): string {
  const all = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  return all.length === 0 ? 'settings of the service' : all.join(' ')
}
