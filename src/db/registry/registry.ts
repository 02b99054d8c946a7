/**
 * The registry of datasets: typed calls of its SQL functions (sql/registry).
 *
 * The schema of the registry is brought up to date like that of a dataset, by `migrate` with the folder sql/registry.
 */
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Queryable} from '../connection/pool.ts'

/** A dataset of the service, as the registry has it. */
export type DatasetEntry = {
  readonly id: string
  readonly name: string
  readonly schema: string
  readonly base: string // IRI of the root document
  readonly databaseUrl: string | null // null: the database of the registry. Never print it
  readonly readUrl: string | null // replicas of its own database. Never print it
  readonly settings: Readonly<Record<string, string>> // that differ from those of the service
  readonly state: 'served' | 'paused' | 'removed' | 'dropped' // dropped: its schema is deleted
  readonly revision: string // of the registry, at the last change of this entry
  readonly created: Date
  readonly sqlVersion: string | null // null: its schema was not brought up to date yet
  readonly migrated: Date | null
  readonly failure: string | null // why its schema could not be brought up to date
  readonly hasWebhooks: boolean // as far as somebody noticed
}

export type NewDataset = Pick<DatasetEntry, 'name' | 'schema' | 'base' | 'databaseUrl' | 'readUrl' | 'settings'>

export type OperatorKey = {readonly id: string; readonly name: string; readonly created: Date}

export type Registry = {
  /** The entries that changed after a revision, in the order of their changes; '0' for all. */
  readonly changedAfter: (revision: string) => Promise<readonly DatasetEntry[]>
  readonly find: (name: string) => Promise<DatasetEntry | undefined>
  /** Whether a dataset is in a schema, or was in it and was deleted. */
  readonly isSchemaUsed: (schema: string) => Promise<boolean>
  /** @throws  Problem 409 `dataset-name-free`, `dataset-base-free`, `dataset-schema-free` */
  readonly add: (dataset: NewDataset) => Promise<DatasetEntry>
  /** @throws  Problem 404 `dataset-known` · 409 `dataset-name-free`, `dataset-base-free` */
  readonly change: (name: string, change: EntryChange) => Promise<DatasetEntry>
  /** Records that a schema is up to date (with the version of the SQL files), or why it is not. */
  readonly noteMigration: (id: string, outcome: MigrationOutcome) => Promise<void>
  /** Records whether a dataset has active webhooks. With `seen`, only if its entry still has that revision. */
  readonly noteWebhooks: (id: string, hasWebhooks: boolean, seen?: string) => Promise<void>
  readonly addKey: (key: {readonly id: string; readonly hash: Uint8Array; readonly name: string}) => Promise<void>
  readonly listKeys: () => Promise<readonly OperatorKey[]>
  /** Returns whether there was such a key. */
  readonly removeKey: (id: string) => Promise<boolean>
  readonly hasKey: (hash: Uint8Array) => Promise<boolean>
}

/** Values that stay as they are are left out. */
export type EntryChange = {
  readonly name?: string
  readonly base?: string
  readonly settings?: Readonly<Record<string, string>>
  readonly state?: DatasetEntry['state']
}

export type MigrationOutcome = {readonly sqlVersion: string} | {readonly failure: string}

const columns = `id::text, name, schema, base, database_url as "databaseUrl", read_url as "readUrl", settings, state,
  revision::text, created, sql_version as "sqlVersion", migrated, failure, has_webhooks as "hasWebhooks"`

/** Whether the database has a registry. */
export async function hasRegistry(database: Queryable, schema: string): Promise<boolean> {
  const [row] = await database.query<{exists: boolean}>('select to_regclass($1) is not null as "exists"', [
    `${quoteIdentifier(schema)}.registry`,
  ])
  return row?.exists === true
}

export function openRegistry(database: Queryable, schema: string): Registry {
  const inSchema = quoteIdentifier(schema)
  async function one(text: string, values: Parameters<Queryable['query']>[1]): Promise<DatasetEntry> {
    const [entry] = await database.query<DatasetEntry>(`select ${columns} from ${inSchema}.${text}`, values)
    if (entry === undefined) throw new Error('a function of the registry returned no row')
    return entry
  }
  return {
    changedAfter: revision =>
      database.query<DatasetEntry>(`select ${columns} from ${inSchema}.dataset where revision > $1 order by revision`, [
        revision,
      ]),
    async find(name) {
      const text = `select ${columns} from ${inSchema}.dataset where name = $1 and state in ('served', 'paused')`
      const [entry] = await database.query<DatasetEntry>(text, [name])
      return entry
    },
    async isSchemaUsed(own) {
      const text = `select from ${inSchema}.dataset where schema = $1 and state <> 'removed'`
      return (await database.query(text, [own])).length > 0
    },
    add: ({name, schema: own, base, databaseUrl, readUrl, settings}) =>
      one('add_dataset($1, $2, $3, $4, $5, $6::jsonb)', [
        name,
        own,
        base,
        databaseUrl,
        readUrl,
        JSON.stringify(settings),
      ]),
    change: (name, {name: newName, base, settings, state}) =>
      one('change_dataset($1, $2, $3, $4::jsonb, $5)', [
        name,
        newName ?? null,
        base ?? null,
        settings === undefined ? null : JSON.stringify(settings),
        state ?? null,
      ]),
    async noteMigration(id, outcome) {
      const [sqlVersion, failure] = 'failure' in outcome ? [null, outcome.failure] : [outcome.sqlVersion, null]
      await database.query(`select ${inSchema}.note_migration($1, $2, $3)`, [id, sqlVersion, failure])
    },
    async noteWebhooks(id, hasWebhooks, seen) {
      await database.query(`select ${inSchema}.note_webhooks($1, $2, $3)`, [id, hasWebhooks, seen ?? null])
    },
    ...keysOf(database, inSchema),
  }
}

/** The keys of operators. */
function keysOf(database: Queryable, inSchema: string): Pick<Registry, 'addKey' | 'listKeys' | 'removeKey' | 'hasKey'> {
  return {
    async addKey({id, hash, name}) {
      await database.query(`insert into ${inSchema}.operator_key (id, hash, name) values ($1, $2, $3)`, [
        id,
        hash,
        name,
      ])
    },
    listKeys: () =>
      database.query<OperatorKey>(`select id, name, created from ${inSchema}.operator_key order by created, id`),
    async removeKey(id) {
      const text = `delete from ${inSchema}.operator_key where id = $1 returning id`
      return (await database.query(text, [id])).length > 0
    },
    async hasKey(hash) {
      return (await database.query(`select from ${inSchema}.operator_key where hash = $1`, [hash])).length > 0
    },
  }
}

/** Whether a dataset is still one of the service. */
export function isListed({state}: Pick<DatasetEntry, 'state'>): boolean {
  return state === 'served' || state === 'paused'
}
