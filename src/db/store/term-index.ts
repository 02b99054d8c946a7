/**
 * Indexes of the dictionary and of its words that are not part of the migrations: creates them while the service runs,
 * and drops them.
 *
 * In a Citus cluster each of these tables is a shard, and an index has the name of the shard behind its own. A move of
 * the shard leaves the index behind. A row of `node_mark` says that the dataset has it, on whichever node it is.
 * Source: PostgreSQL manual, CREATE INDEX (CONCURRENTLY).
 */
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database, Queryable} from '../connection/pool.ts'

export type TermIndex = {
  readonly name: 'term_text' | 'term_words' | 'search_word_similar'
  readonly using: string // access method and columns
  readonly condition?: string // of the rows that it contains; undefined: all
}

const tables = {term_text: 'term', term_words: 'term', search_word_similar: 'search_word'} as const

export const patient = {once: true, isPatient: true} as const
const pendingKilobytes = 1024 // pending entries of the GIN index, all of which each query reads

/** Creates the index without blocking reads and writes, and reads statistics of its expression. */
export async function createTermIndex(database: Database, schema: string, index: TermIndex): Promise<void> {
  const table = await indexTable(database, schema, index, 'concurrently')
  await database.query(`analyze ${table}`, [], patient)
}

/** Creates the index of a small table in a transaction. */
export async function createTermIndexInside(transaction: Queryable, schema: string, index: TermIndex): Promise<void> {
  await indexTable(transaction, schema, index, '')
}

/** @returns the name of the table */
async function indexTable(queryable: Queryable, schema: string, index: TermIndex, how: 'concurrently' | '') {
  const table = await readTable(queryable, schema, index.name)
  const shard = shardOf(table)
  if (shard !== '') {
    const wish = `insert into ${quoteIdentifier(schema)}.node_mark (name, value) values ($1, 1)
                      on conflict (name) do nothing`
    await queryable.query(wish, [index.name])
  }
  const condition = index.condition === undefined ? '' : ` where ${index.condition}`
  const text = `create index ${how} ${index.name}${shard} on ${table} ${index.using}
                  with (gin_pending_list_limit = ${pendingKilobytes})${condition}`
  await queryable.query(text, [], patient)
  return table
}

/** Drops an index if it exists. */
export async function dropTermIndex(database: Database, schema: string, name: TermIndex['name']): Promise<void> {
  const text = `select ${quoteIdentifier(schema)}.store_relation($1, $2)::text as name`
  const [row] = await database.query<{name: string | null}>(text, [name, tables[name]])
  if (row?.name != null) await database.query(`drop index concurrently if exists ${row.name}`, [], patient)
  if (shardOf(await readTable(database, schema, name)) !== '')
    await database.query(`delete from ${quoteIdentifier(schema)}.node_mark where name = $1`, [name])
}

/** Whether a dataset in a Citus cluster has an index, which may be missing on this node. */
export async function isTermIndexWanted(node: Queryable, schema: string, name: TermIndex['name']): Promise<boolean> {
  const marks = await node.query(`select from ${quoteIdentifier(schema)}.node_mark where name = $1`, [name])
  return marks.length > 0
}

/** Whether another session creates an index of the same table. */
export async function isIndexBeingMade(database: Database, schema: string, name: TermIndex['name']): Promise<boolean> {
  // Of sessions of other roles, PostgreSQL shows the database but not the table.
  const text = `select exists (select from pg_stat_progress_create_index as i
                                where i.datname = current_database()
                                  and coalesce(i.relid, 0) in (0, $1::regclass)) as "isBusy"`
  const [row] = await database.query<{isBusy: boolean}>(text, [await readTable(database, schema, name)])
  return row?.isBusy ?? false
}

/** The end of the name of a shard; '' for a table. */
function shardOf(table: string): string {
  return /\.(?:term|search_word)(_\d+)$/.exec(table)?.[1] ?? ''
}

/** The name of the table of an index, quoted. */
async function readTable(database: Queryable, schema: string, index: TermIndex['name']): Promise<string> {
  const own = quoteIdentifier(schema)
  const table = tables[index]
  const text = `select format('%I.%I', n.nspname, c.relname) as name
                  from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
                 where c.oid = ${own}.store_relation($1, $1)`
  const [row] = await database.query<{name: string}>(text, [table])
  return row?.name ?? `${own}.${table}`
}
