/**
 * The database side of a bulk load: COPY, and the SQL functions of sql/functions/bulk/import.sql in their order.
 *
 * A load uses one connection. The SQL files describe its two ways: into new tables, or merged into existing ones.
 */

import {firstAfterVocabulary} from '../../rdf/id-layout.ts'
import {storedPart} from '../../sparql/print/term.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database, Transaction} from '../connection/pool.ts'
import {asCopyStream} from './copy-rows.ts'

/** A load into new tables. */
export type NewTables = {
  readonly nextTerm: number
  readonly nextBlankNode: number
  readonly hasBlankNodes: boolean // whether the dataset has blank nodes besides those that are loaded
}

export type KnownTerm = readonly [id: string, key: string]

/** Rows by table, as a binary COPY without header and trailer. */
export type RowBatch = {
  readonly terms: Uint8Array
  readonly quads: Uint8Array
  readonly documents: Uint8Array
  readonly links: Uint8Array
  readonly graphs: Uint8Array
}

/** The table for each kind of row. */
export type Targets = {readonly [Kind in keyof RowBatch]: string}

const columns = {
  terms: '(id, hash, lex, datatype, lang)',
  quads: '(g, s, p, o)',
  documents: '(id, parent, file, line, mask, created, modified, resource, relation, content)',
  links: '(g, s, p, o)',
  graphs: '(id)',
} as const

/**
 * Creates new tables that replace those of an empty dataset, and copies the existing rows into them.
 *
 * @returns  undefined if the load must be merged instead (sql/functions/bulk/import_tables.sql says why)
 */
export async function beginTables(transaction: Transaction, schema: string): Promise<NewTables | undefined> {
  const own = quoteIdentifier(schema)
  const [row] = await transaction.query<{
    next_term: string | null
    next_blank_node: string | null
    has_blank_nodes: boolean | null
  }>(`select * from ${own}.import_tables()`, [], {once: true})
  const {next_term: nextTerm = null, next_blank_node: nextBlankNode = null, has_blank_nodes: hasBlankNodes} = row ?? {}
  if (nextTerm === null || nextBlankNode === null) return undefined
  for (const table of ['quad', 'term']) {
    // COPY FREEZE makes the rows visible to every snapshot, like the rows that they replace.
    const rows = await transaction.copyOut(`copy pg_temp.import_old_${table} to stdout (format binary)`)
    await transaction.copyIn(`copy ${own}.import_${table} from stdin (format binary, freeze)`, [rows])
  }
  await callImport(transaction, schema, 'import_old_rows')
  return {nextTerm: Number(nextTerm), nextBlankNode: Number(nextBlankNode), hasBlankNodes: hasBlankNodes ?? true}
}

/** Terms that keep their ids: the vocabulary, or all terms of an empty dataset. */
export async function readKnownTerms(
  transaction: Transaction,
  schema: string,
  {isEmpty}: {readonly isEmpty: boolean},
): Promise<readonly KnownTerm[]> {
  const from = isEmpty
    ? 'pg_temp.import_old_term as t'
    : `${quoteIdentifier(schema)}.term as t where t.id < ${firstAfterVocabulary}`
  const rows = await transaction.query<{id: string; key: string}>(
    `select t.id, ${storedPart('key', 't').shown} as key from ${from}`,
    [],
    {once: true},
  )
  return rows.map(({id, key}) => [id, key] as const)
}

/** The tables that import_tables creates to replace quad and term. */
export function newTargets(schema: string): Targets {
  const own = quoteIdentifier(schema)
  return {...stagingTargets, terms: `${own}.import_term`, quads: `${own}.import_quad`}
}

export const stagingTargets: Targets = {
  terms: 'pg_temp.import_term',
  quads: 'pg_temp.import_quad',
  documents: 'pg_temp.import_document',
  links: 'pg_temp.import_link',
  graphs: 'pg_temp.import_graph',
}

/** Copies one batch, table by table. */
export async function copyBatch(
  transaction: Transaction,
  targets: Targets,
  batch: RowBatch,
  {frozen}: {readonly frozen: readonly (keyof RowBatch)[]}, // with COPY FREEZE: for new tables only
): Promise<void> {
  for (const kind of Object.keys(columns) as (keyof RowBatch)[]) {
    if (batch[kind].length === 0) continue
    const freeze = frozen.includes(kind) ? ', freeze' : ''
    const text = `copy ${targets[kind]} ${columns[kind]} from stdin (format binary${freeze})`
    await transaction.copyIn(text, asCopyStream(batch[kind]))
  }
}

/** Runs one SQL function of the import. @returns its result */
export async function callImport(
  transaction: Transaction,
  schema: string,
  name: string,
  values: readonly (string | number | null)[] = [],
): Promise<unknown> {
  const parameters = values.map((_, index) => `$${index + 1}`).join(', ')
  const text = `select ${quoteIdentifier(schema)}.${name}(${parameters}) as result`
  const [row] = await transaction.query<{result: unknown}>(text, values, {once: true})
  return row?.result
}

/** Whether more than 1 MB of the log is not flushed yet, so that a commit would take long. */
export async function isLogBehind(transaction: Transaction): Promise<boolean> {
  const text = 'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), pg_current_wal_flush_lsn()) > 1000000 as behind'
  const [row] = await transaction.query<{behind: boolean}>(text)
  return row?.behind ?? false
}

/** Removes time limits, which do not suit a load, and switches JIT off, because most statements touch each row once. */
export async function unlimited(transaction: Transaction): Promise<void> {
  await transaction.script(`
    set local statement_timeout = 0;
    set local idle_in_transaction_session_timeout = 0;
    set local jit = off`)
}

/**
 * Updates statistics and the visibility map, so that the first query is planned and read like later ones. COPY FREEZE
 * marks only pages that it fills itself, and rows that a transaction analyzes before its commit count as changed after
 * it.
 */
export async function vacuumStore(database: Database, schema: string): Promise<void> {
  const own = quoteIdentifier(schema)
  const patient = {once: true, isPatient: true}
  await database.query('set statement_timeout = 0', [], patient)
  try {
    const [row] = await database.query<{tables: string}>(
      `select string_agg(${own}.store_relation(t.name, t.name)::text, ', ') as tables
         from unnest(array['quad', 'term', 'document', 'raw_graph']) as t (name)`,
    )
    await database.query(`vacuum (analyze) ${row?.tables ?? ''}`, [], patient)
  } finally {
    await database.query('reset statement_timeout', [], patient)
  }
}
