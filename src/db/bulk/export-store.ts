/**
 * Reads graphs in bulk: their names in the order of their IRIs, and their content as ids.
 *
 * All calls run in one transaction with one snapshot.
 */
import type {Iri} from '../../rdf/term.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Transaction} from '../connection/pool.ts'
import {type FoundTerms, findTerms} from '../query/rows.ts'

export type GraphName = {readonly id: string; readonly iri: Iri; readonly etag: string}

/** Ids as int8, eight bytes each: three per triple, two per derived membership. */
export type GraphRows = {readonly id: string; readonly quads: Buffer; readonly members: Buffer}

export type GraphKind = 'documents' | 'raw'

const namesAtOnce = 1000

/**
 * Yields the names of graphs in batches.
 *
 * @param subtree  only this document and those below it
 */
export async function* graphNames(
  transaction: Transaction,
  schema: string,
  {kind, subtree}: {readonly kind: GraphKind; readonly subtree: Iri | undefined},
): AsyncGenerator<readonly GraphName[]> {
  const own = quoteIdentifier(schema)
  const source =
    kind === 'documents'
      ? `select d.id, t.lex as iri, d.revision as etag from ${own}.document as d join ${own}.term as t on t.id = d.id`
      : `select r.id, t.lex as iri, 0 as etag from ${own}.raw_graph as r join ${own}.term as t on t.id = r.id`
  await transaction.query(
    `declare graph_names no scroll cursor for ${source}
      where $1::text is null or starts_with(t.lex, $1) order by t.lex`,
    [subtree ?? null],
    {once: true},
  )
  for (let isMore = true; isMore; ) {
    const names = await transaction.query<GraphName>(`fetch ${namesAtOnce} from graph_names`, [], {once: true})
    isMore = names.length === namesAtOnce
    if (names.length > 0) yield names
  }
  await transaction.query('close graph_names', [], {once: true})
}

/**
 * The content of graphs, in the order of the ids. A graph with more rows than the limit is cut off one row after it.
 */
export async function readExportedGraphs(
  transaction: Transaction,
  schema: string,
  ids: readonly string[],
  rowLimit: number,
): Promise<readonly GraphRows[]> {
  const text = `select id, quads, members from ${quoteIdentifier(schema)}.export_graphs($1, $2)`
  return transaction.query<GraphRows>(text, [ids, rowLimit])
}

/** Yields the rows of a graph of any size in batches, in an order that depends on its content only. */
export async function* readLargeGraph(
  transaction: Transaction,
  schema: string,
  id: string,
): AsyncGenerator<readonly {readonly s: string; readonly p: string; readonly o: string}[]> {
  await transaction.query(`select ${quoteIdentifier(schema)}.export_large_graph($1)`, [id], {once: true})
  for (let isMore = true; isMore; ) {
    const rows = await transaction.query<{s: string; p: string; o: string}>('fetch 10000 from export_rows', [], {
      once: true,
    })
    isMore = rows.length === 10_000
    if (rows.length > 0) yield rows
  }
  await transaction.query('close export_rows', [], {once: true})
}

/** The terms of ids. Those of the vocabulary are left out. */
export function readTerms(transaction: Transaction, schema: string, ids: readonly string[]): Promise<FoundTerms> {
  return findTerms(transaction, schema, ids, Number.MAX_SAFE_INTEGER)
}
