/**
 * The database side of an export with history and of its import: the cursors and functions of
 * sql/functions/bulk/history.sql, and COPY.
 *
 * All calls of an export run in one snapshot, all calls of an import in one transaction.
 */
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Transaction} from '../connection/pool.ts'
import {callImport} from './import-store.ts'

/** What export_head returns: settings of the log, and the numbers that were given last. */
export type HistoryHead = {
  readonly base: string
  readonly platform: string
  readonly kept: string | null
  readonly lost: string
  readonly lostTime: string
  readonly lostTag: string
  readonly lastPosition: string
  readonly lastTag: string
  readonly lastNode: string
}

/** A name that a term had before a position. */
export type OldName = {
  readonly id: string
  readonly position: string
  readonly name: string
  readonly is_named: boolean // false: the term has left the dictionary
}

/** A document or raw graph with some of its quads, 24 bytes each. Ids are texts. */
export type StateRow = {
  readonly iri: string
  readonly is_raw: boolean
  readonly is_continued: boolean // the row before is of the same graph
  readonly parent: string | null
  readonly tag: string
  readonly created: string
  readonly modified: string
  readonly is_access_point: boolean
  readonly member_relation: string
  readonly member_by: string | null
  readonly quads: Buffer
}

const tripleColumns = ['added_s', 'added_p', 'added_o', 'removed_s', 'removed_p', 'removed_o'] as const
type TripleColumn = (typeof tripleColumns)[number]

/** A row of the log with some of its triples, as array_send writes them. Ids are texts. */
export type ChangeRow = {readonly [Column in TripleColumn]: Buffer | null} & {
  readonly position: string
  readonly is_continued: boolean // the row before is a part of the same row of the log
  readonly transaction: string
  readonly time: string
  readonly document: string
  readonly parent: string | null
  readonly member_by: string | null
  readonly realm: string | null
  readonly before: string | null
  readonly after: string | null
  readonly is_access_point: boolean | null
  readonly action: string | null
  readonly agent: string | null
  readonly request_id: string | null
}

/** @returns  undefined if the dataset keeps no log */
export async function readHistoryHead(transaction: Transaction, schema: string): Promise<HistoryHead | undefined> {
  const [row] = await transaction.query<{head: HistoryHead | null}>(
    `select ${quoteIdentifier(schema)}.export_head() as head`,
  )
  return row?.head ?? undefined
}

type Cursors = {
  readonly export_names: OldName
  readonly export_states: StateRow
  readonly export_changes: ChangeRow
}

/** Yields the rows of a cursor in batches. Rows have up to 5,000 triples. */
export async function* historyRows<Name extends keyof Cursors>(
  transaction: Transaction,
  schema: string,
  name: Name,
): AsyncGenerator<readonly Cursors[Name][]> {
  const atOnce = 50
  await transaction.query(`select ${quoteIdentifier(schema)}.${name}()`, [], {once: true})
  for (let isMore = true; isMore; ) {
    const rows = await transaction.query<Cursors[Name]>(`fetch ${atOnce} from export_rows`, [], {once: true})
    isMore = rows.length === atOnce
    if (rows.length > 0) yield rows
  }
  await transaction.query('close export_rows', [], {once: true})
}

/** The tables that rows are copied to, with their columns. */
export const historyTables = {
  change: [
    ...['position', 'transaction', 'time', 'document', 'parent', 'member_by', 'realm', 'before', 'after'],
    ...['is_access_point', 'action', 'agent', 'request_id'],
    ...tripleColumns,
  ],
  old_name: ['id', 'position', 'name'],
  history_document: [
    ...['id', 'parent', 'tag', 'created', 'modified', 'is_access_point', 'member_relation', 'member_by'],
  ],
  history_graph: ['id'],
  history_quad: ['g', 's', 'p', 'o'],
  history_more: ['position', 'part', ...tripleColumns],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type HistoryTable = keyof typeof historyTables

/** @throws  Problem 409 `history-fits` */
export async function beginHistory(transaction: Transaction, schema: string): Promise<void> {
  await callImport(transaction, schema, 'import_history')
}

/** Copies rows, each as a line of COPY's text format. */
export async function copyHistory(
  transaction: Transaction,
  {schema, table}: {readonly schema: string; readonly table: HistoryTable},
  lines: readonly string[],
): Promise<void> {
  if (lines.length === 0) return
  const target = table.startsWith('history_') ? `pg_temp.${table}` : await storedTable(transaction, schema, table)
  const text = `copy ${target} (${historyTables[table].join(', ')}) from stdin`
  await transaction.copyIn(text, [Buffer.from(lines.join(''))])
}

/** The name of a table of the store, which is a shard in a Citus cluster: COPY does not write to its view. */
async function storedTable(transaction: Transaction, schema: string, table: HistoryTable): Promise<string> {
  const [row] = await transaction.query<{name: string}>(
    `select format('%I.%I', n.nspname, c.relname) as name
       from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
      where c.oid = ${quoteIdentifier(schema)}.store_relation($1, $1)`,
    [table],
  )
  if (row === undefined) throw new Error(`the store has no table ${table}`)
  return row.name
}

/** Ids of terms given by key, which enter the dictionary. */
export async function internTerms(
  transaction: Transaction,
  schema: string,
  keys: readonly string[],
): Promise<readonly string[]> {
  if (keys.length === 0) return []
  const text = `select ${quoteIdentifier(schema)}.intern_terms($1)::text[] as ids`
  const [row] = await transaction.query<{ids: readonly string[]}>(text, [keys])
  return row?.ids ?? []
}

/** New ids for terms that are only in the history. */
export async function internGoneTerms(
  transaction: Transaction,
  schema: string,
  number: number,
): Promise<readonly string[]> {
  return (await callImport(transaction, schema, 'import_gone_terms', [number])) as readonly string[]
}

export async function endHistory(transaction: Transaction, schema: string, head: HistoryHead): Promise<void> {
  await callImport(transaction, schema, 'import_history_end', [JSON.stringify(head)])
}
