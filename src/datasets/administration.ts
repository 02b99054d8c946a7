/**
 * Adds, changes and removes datasets of the registry, for the command line and for operators over HTTP.
 */
import {setTimeout as delay} from 'node:timers/promises'
import {hashKey} from '../authentication/keys.ts'
import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {Refusal} from '../base/refusal.ts'
import {unlimited} from '../db/bulk/import-store.ts'
import {describeAddress, parseDatabaseUrl} from '../db/connection/address.ts'
import {quoteIdentifier} from '../db/connection/identifier.ts'
import {type DatasetEntry, isListed, type NewDataset, type Registry} from '../db/registry/registry.ts'
import {openDataset} from '../db/store/dataset.ts'
import {rebaseDataset} from '../db/store/document-moves.ts'
import type {Config} from '../settings/config.ts'
import {readAddresses} from '../settings/replicas.ts'
import {readBase, readSchema} from '../settings/setting.ts'
import type {DatasetChange, DatasetOffice, DatasetRequest, ShownDataset} from '../web/service/datasets.ts'
import {addressesOf, configOfDataset} from './dataset-config.ts'
import type {Migrations} from './migrations.ts'
import type {Servers} from './servers.ts'

export type Administration = {
  readonly config: Config
  readonly registry: Registry
  readonly servers: Servers
  readonly migrations: Migrations
}

const nameSyntax = /^[a-z0-9](?:[a-z0-9._-]{0,48}[a-z0-9])?$/

/** How long running services may take to notice a change of the registry, with room. */
const noticeMs = 3000

/** What operators may do over HTTP. */
export function createOffice(administration: Administration): DatasetOffice {
  const {registry} = administration
  const show = (entry: DatasetEntry) => showDataset(entry, administration)
  return {
    async list() {
      const entries = await registry.changedAfter('0')
      return entries
        .filter(isListed)
        .sort((one, other) => (one.name < other.name ? -1 : 1))
        .map(show)
    },
    show: async name => show(await findDataset(administration, name)),
    add: async request => show(await addDataset(administration, request)),
    change: async (name, change) => show(await changeDataset(administration, name, change)),
    async remove(name) {
      await registry.change(name, {state: 'removed'})
    },
    isOperator: key => registry.hasKey(hashKey(key)),
  }
}

/** @throws  Problem 404 `dataset-known` */
export async function findDataset({registry}: Pick<Administration, 'registry'>, name: string): Promise<DatasetEntry> {
  const entry = await registry.find(name)
  if (entry === undefined) throw new Problem(404, 'dataset-known', `There is no dataset "${excerpt(name)}".`)
  return entry
}

/** Shows an entry without secrets. */
export function showDataset(entry: DatasetEntry, {migrations}: Pick<Administration, 'migrations'>): ShownDataset {
  const {name, base, schema, databaseUrl, readUrl, settings, created, migrated, failure} = entry
  return {
    name,
    base,
    schema,
    ...(databaseUrl === null ? {} : {database: describeUrl(databaseUrl)}),
    ...(readUrl === null ? {} : {replicas: readAddresses(withoutSecrets(readUrl)).map(describeAddress)}),
    state: stateOf(entry, migrations),
    settings,
    created,
    ...(migrated === null ? {} : {migrated}),
    ...(failure === null ? {} : {failure}),
  }
}

/** paused; failed: its schema could not be brought up to date; behind: it waits for that; ready. */
function stateOf(entry: DatasetEntry, {isDone}: Migrations): 'paused' | 'failed' | 'behind' | 'ready' {
  if (entry.state === 'paused') return 'paused'
  if (isDone(entry)) return 'ready'
  return entry.failure === null ? 'behind' : 'failed'
}

/** Host and database of a connection URI. Never its password. */
function describeUrl(databaseUrl: string): string {
  return describeAddress(parseDatabaseUrl(withoutSecrets(databaseUrl)))
}

function withoutSecrets(text: string): string {
  return text.replace(/\$\{[^}]*\}/g, 'secret')
}

/**
 * Adds a dataset: registers it, brings its schema up to date and creates its root document. A schema that has a dataset
 * already is adopted, if its base is the same.
 *
 * @throws  Problem 409 `dataset-name-free`, `dataset-base-free`, `dataset-schema-free` · 422 `dataset-usable`: nothing
 *          was registered
 */
export async function addDataset(administration: Administration, request: DatasetRequest): Promise<DatasetEntry> {
  const {registry, servers, migrations, config} = administration
  const schema = request.schema ?? (await freeSchema(registry, request.name))
  const dataset = usable(() => readNew(config, {...request, schema}))
  const entry = await registry.add(dataset)
  try {
    const {storage, release} = await servers.serverOf(entry)
    try {
      await migrations.ensure(entry, storage)
      const {base} = entry
      const {platformNamespace} = configOfDataset(config, entry)
      await openDataset(storage.database, {schema, base, defaultBase: base, platformNamespace})
    } finally {
      await release()
    }
    return await findDataset(administration, entry.name)
  } catch (error) {
    await registry.change(entry.name, {state: 'removed'})
    throw error instanceof Refusal ? unusable(error) : error
  }
}

/** `dataset_NAME`, with a number after it if that schema is in use or was deleted. */
async function freeSchema(registry: Registry, name: string): Promise<string> {
  const usual = `dataset_${name}`
  let schema = usual
  for (let number = 2; await registry.isSchemaUsed(schema); number += 1) schema = `${usual}_${number}`
  return schema
}

type CompleteRequest = DatasetRequest & {readonly schema: string}

/** @throws  Refusal: something cannot be used */
function readNew(
  config: Config,
  {name, base: given, schema, databaseUrl, readUrl, settings}: CompleteRequest,
): NewDataset {
  refuseName(name)
  const base = readBase(given)
  if (base === undefined)
    throw new Refusal(`"${given}" is not a base URL: an absolute http or https URL without user, query and fragment`)
  if (readSchema(schema) === undefined || schema === config.datasets.schema)
    throw new Refusal(`"${schema}" cannot be the schema of a dataset`)
  const dataset = {name, base, schema, databaseUrl: databaseUrl ?? null, readUrl: readUrl ?? null, settings}
  addressesOf(dataset, process.env)
  configOfDataset(config, dataset)
  return dataset
}

function refuseName(name: string): void {
  if (!nameSyntax.test(name))
    throw new Refusal(
      `"${excerpt(name)}" is no name of a dataset: 1 to 50 of a-z, 0-9, and between them also . _ and -`,
    )
}

/** @throws  Problem 404 `dataset-known` · 409 `dataset-name-free` · 422 `dataset-usable` */
export async function changeDataset(
  administration: Administration,
  name: string,
  {name: newName, state, settings}: DatasetChange,
): Promise<DatasetEntry> {
  const {registry, config} = administration
  if (newName !== undefined) usable(() => refuseName(newName))
  const entry = await findDataset(administration, name)
  const changed = settings === undefined ? undefined : merged(entry.settings, settings)
  if (changed !== undefined) usable(() => configOfDataset(config, {...entry, settings: changed}))
  return registry.change(name, {
    ...(newName === undefined ? {} : {name: newName}),
    ...(state === undefined ? {} : {state}),
    ...(changed === undefined ? {} : {settings: changed}),
  })
}

/** Merges settings; null removes one. */
function merged(
  settings: DatasetEntry['settings'],
  changes: Readonly<Record<string, string | null>>,
): DatasetEntry['settings'] {
  const all: Record<string, string> = {...settings}
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') delete all[name]
    else all[name] = value
  }
  return all
}

/**
 * Gives a dataset another base. It is paused meanwhile, so that running services close it.
 *
 * @returns  the number of renamed IRIs
 */
export async function rebaseEntry(administration: Administration, name: string, base: string): Promise<number> {
  const {registry, servers} = administration
  const entry = await findDataset(administration, name)
  await registry.change(name, {state: 'paused'})
  await delay(noticeMs)
  const {storage, release} = await servers.serverOf(entry)
  try {
    const renamed = await storage.database.begin('read committed', async transaction => {
      await unlimited(transaction)
      return rebaseDataset(transaction, entry.schema, base)
    })
    await registry.change(name, {base, state: entry.state})
    return renamed
  } catch (error) {
    await registry.change(name, {state: entry.state})
    throw error
  } finally {
    await release()
  }
}

/** Removes a dataset from the registry, waits until running services have closed it, and drops its schema. */
export async function dropDataset(administration: Administration, name: string): Promise<void> {
  const {registry, servers} = administration
  const entry = await findDataset(administration, name)
  await registry.change(name, {state: 'dropped'})
  await delay(noticeMs)
  const {storage, release} = await servers.serverOf(entry)
  try {
    if (storage.distributed !== undefined) return await storage.distributed.drop()
    await storage.database.begin('read committed', async transaction => {
      await unlimited(transaction)
      await transaction.script(`drop schema if exists ${quoteIdentifier(entry.schema)} cascade`)
    })
  } finally {
    await release()
  }
}

/** @throws  Problem 422 `dataset-usable` in place of a Refusal */
function usable<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw error instanceof Refusal ? unusable(error) : error
  }
}

function unusable(refusal: Refusal): Problem {
  const reason = refusal.message.replace(/\.$/, '')
  return new Problem(422, 'dataset-usable', `The dataset cannot be served like this: ${reason}.`, {cause: refusal})
}
