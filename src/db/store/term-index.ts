/**
 * Indexes of the dictionary that are not part of the migrations: creates them while the service runs, and drops them.
 *
 * In a Citus cluster the dictionary is a shard, and an index has the name of the shard behind its own. A move of the
 * shard leaves the index behind. A row of `node_mark` says that the dataset has it, on whichever node it is.
 * Source: PostgreSQL manual, CREATE INDEX (CONCURRENTLY).
 */
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database, Queryable} from '../connection/pool.ts'

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
  const shard = shardOf(table)
  if (shard !== '') {
    const wish = `insert into ${quoteIdentifier(schema)}.node_mark (name, value) values ($1, 1)
                      on conflict (name) do nothing`
    await database.query(wish, [index.name])
  }
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
  if (shardOf(await readTable(database, schema)) !== '')
    await database.query(`delete from ${quoteIdentifier(schema)}.node_mark where name = $1`, [name])
}

/** Whether a dataset in a Citus cluster has an index, which may be missing on this node. */
export async function isTermIndexWanted(node: Queryable, schema: string, name: TermIndex['name']): Promise<boolean> {
  const marks = await node.query(`select from ${quoteIdentifier(schema)}.node_mark where name = $1`, [name])
  return marks.length > 0
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

/** The end of the name of a shard; '' for a table. */
function shardOf(table: string): string {
  return /\.term(_\d+)$/.exec(table)?.[1] ?? ''
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
