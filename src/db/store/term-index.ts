/**
 * Indexes of the dictionary that are not part of the migrations: creates them while the service runs, and drops them.
 *
 * In a Citus cluster the dictionary is a shard, and an index has the name of the shard behind its own.
 * Source: PostgreSQL manual, CREATE INDEX (CONCURRENTLY).
 */
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database} from '../connection/pool.ts'

export type TermIndex = {
  readonly name: 'term_text' | 'term_words'
  readonly using: string // access method and columns
  readonly condition: string // of the rows that it contains
}

export const patient = {once: true, isPatient: true} as const
const pendingKilobytes = 1024 // pending entries of the GIN index, all of which each query reads

/** Creates the index without blocking reads and writes, and reads statistics of its expression. */
export async function createTermIndex(database: Database, schema: string, index: TermIndex): Promise<void> {
  const table = await readTable(database, schema)
  const [, shard = ''] = /\.term(_\d+)$/.exec(table) ?? []
  const text = `create index concurrently ${index.name}${shard} on ${table} ${index.using}
                  with (gin_pending_list_limit = ${pendingKilobytes}) where ${index.condition}`
  await database.query(text, [], patient)
  await database.query(`analyze ${table}`, [], patient)
}

/** Drops an index if it exists. */
export async function dropTermIndex(database: Database, schema: string, name: TermIndex['name']): Promise<void> {
  const text = `select ${quoteIdentifier(schema)}.store_relation($1, 'term')::text as name`
  const [row] = await database.query<{name: string | null}>(text, [name])
  if (row?.name != null) await database.query(`drop index concurrently if exists ${row.name}`, [], patient)
}

/** Whether another session creates an index of the dictionary. */
export async function isIndexBeingMade(database: Database, schema: string): Promise<boolean> {
  // Of sessions of other roles, PostgreSQL shows the database but not the table.
  const text = `select exists (select from pg_stat_progress_create_index as i
                                where i.datname = current_database()
                                  and coalesce(i.relid, 0) in (0, $1::regclass)) as "isBusy"`
  const [row] = await database.query<{isBusy: boolean}>(text, [await readTable(database, schema)])
  return row?.isBusy ?? false
}

/** The name of the table with the dictionary, quoted. */
async function readTable(database: Database, schema: string): Promise<string> {
  const own = quoteIdentifier(schema)
  const text = `select format('%I.%I', n.nspname, c.relname) as name
                  from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
                 where c.oid = ${own}.store_relation('term', 'term')`
  const [row] = await database.query<{name: string}>(text)
  return row?.name ?? `${own}.term`
}
