/**
 * Bulk load as the store takes it: COPY and the functions of sql/functions/85_import.sql, in their order.
 *
 * Floor 3. One connection; each of the two ways is told there.
 */
import {asCopyStream} from './copy-rows.ts'
import {quoteIdentifier} from './identifier.ts'
import type {Database, Transaction} from './pool.ts'

export type ImportState = {
  readonly isEmpty: boolean
  readonly isInUse: boolean
  readonly nextTerm: number
  readonly nextBlankNode: number
  readonly hasBlankNodes: boolean
}

export type KnownTerm = readonly [id: string, key: string]

/** Rows by table, each as a binary COPY takes it, without head and tail. */
export type RowBatch = {
  readonly terms: Uint8Array
  readonly quads: Uint8Array
  readonly documents: Uint8Array
  readonly links: Uint8Array
  readonly graphs: Uint8Array
}

/** Where the rows of each kind go. */
export type Targets = {readonly [Kind in keyof RowBatch]: string}

const columns = {
  terms: '(id, hash, lex, datatype, lang)',
  quads: '(g, s, p, o)',
  documents: '(id, parent, file, line, mask, created, modified, resource, relation, content)',
  links: '(g, s, p, o)',
  graphs: '(id)',
} as const

export async function readImportState(database: Database, schema: string): Promise<ImportState> {
  const [row] = await database.query<{
    is_empty: boolean
    is_in_use: boolean
    next_term: string
    next_blank_node: string
    has_blank_nodes: boolean
  }>(`select * from ${quoteIdentifier(schema)}.import_state()`)
  return {
    isEmpty: row?.is_empty ?? false,
    isInUse: row?.is_in_use ?? true,
    nextTerm: Number(row?.next_term),
    nextBlankNode: Number(row?.next_blank_node),
    hasBlankNodes: row?.has_blank_nodes ?? true,
  }
}

/** Terms that keep their ids: the vocabulary, and of an empty dataset all there are. */
export async function readKnownTerms(database: Database, schema: string, all: boolean): Promise<readonly KnownTerm[]> {
  const rows = await database.query<{id: string; key: string}>(
    `select t.id, case when t.id < 1152921504606846976 then 'I' || t.lex
                       else concat('L', coalesce(t.datatype, case when t.lang is null
                         then 'http://www.w3.org/2001/XMLSchema#string'
                         else 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString' end), ' ', t.lang, ' ', t.lex)
                  end as key
       from ${quoteIdentifier(schema)}.term as t
      where t.id < 1000 or $1`,
    [all],
  )
  return rows.map(({id, key}) => [id, key] as const)
}

export function emptyTargets(schema: string): Targets {
  const own = quoteIdentifier(schema)
  return {
    terms: `${own}.term`,
    quads: `${own}.quad`,
    documents: 'pg_temp.import_document',
    links: 'pg_temp.import_link',
    graphs: 'pg_temp.import_graph',
  }
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
  {isFrozen}: {readonly isFrozen: boolean}, // quads are seen by all at once: only where nobody can look
): Promise<void> {
  for (const kind of Object.keys(columns) as (keyof RowBatch)[]) {
    if (batch[kind].length === 0) continue
    const freeze = isFrozen && kind === 'quads' ? ', freeze' : ''
    const text = `copy ${targets[kind]} ${columns[kind]} from stdin (format binary${freeze})`
    await transaction.copyIn(text, asCopyStream(batch[kind]))
  }
}

/** Runs one of the functions of the import. @returns what it returns */
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

/** A load takes as long as it takes. */
export async function unlimited(transaction: Transaction): Promise<void> {
  await transaction.script('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
}

/**
 * Statistics and the visibility map, so that the first query is planned and read as the hundredth: COPY FREEZE marks
 * only the pages it fills itself, and rows that a transaction analyzes before its commit count as changed after it.
 */
export async function vacuumStore(database: Database, schema: string): Promise<void> {
  const own = quoteIdentifier(schema)
  const patient = {once: true, isPatient: true}
  await database.query('set statement_timeout = 0', [], patient)
  try {
    await database.query(`vacuum (analyze) ${own}.quad, ${own}.term, ${own}.document, ${own}.raw_graph`, [], patient)
  } finally {
    await database.query('reset statement_timeout', [], patient)
  }
}
