/**
 * Lists and removes raw graphs. The SQL functions are in sql/functions/bulk/raw_graph.sql.
 */
import type {Iri} from '../../rdf/term.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database} from '../connection/pool.ts'
import {unlimited, vacuumStore} from './import-store.ts'

export type RawGraph = {
  readonly iri: Iri
  readonly quads: number
  readonly bytes: number | null // about, with indexes; null: not known yet
}

export async function listRawGraphs(database: Database, schema: string): Promise<readonly RawGraph[]> {
  const rows = await database.begin('read committed', async transaction => {
    await unlimited(transaction)
    const text = `select iri, quads::text, bytes::text from ${quoteIdentifier(schema)}.list_raw_graphs()`
    return transaction.query<{iri: Iri; quads: string; bytes: string | null}>(text, [], {once: true})
  })
  return rows.map(({iri, quads, bytes}) => ({iri, quads: Number(quads), bytes: bytes === null ? null : Number(bytes)}))
}

/**
 * Removes raw graphs in one transaction, and updates the statistics for queries.
 *
 * @returns  the number of removed quads
 * @throws   Problem 422 `graph-known`: one is not a raw graph, and nothing was removed
 */
export async function removeRawGraphs(database: Database, schema: string, iris: readonly Iri[]): Promise<number> {
  const removed = await database.begin('read committed', async transaction => {
    await unlimited(transaction)
    const text = `select ${quoteIdentifier(schema)}.remove_raw_graphs($1)::text as removed`
    return transaction.query<{removed: string}>(text, [iris], {once: true})
  })
  await vacuumStore(database, schema)
  return Number(removed[0]?.removed ?? 0)
}
