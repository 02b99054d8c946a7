/** Adds raw graphs with any name to the store, for tests of queries. */
import type {Transaction} from '../../src/db/connection/pool.ts'

/**
 * Adds triples of stored terms to a graph, and registers it as a raw graph unless it is a document.
 *
 * The schema must be in the transaction's search_path.
 *
 * @param graph  its id
 */
export async function putRawGraph(
  transaction: Transaction,
  graph: string,
  subjects: readonly string[],
  predicates: readonly string[],
  objects: readonly string[],
): Promise<void> {
  await transaction.query(
    `insert into raw_graph (id) select $1::int8 where not exists (select from document as d where d.id = $1::int8)
         on conflict do nothing`,
    [graph],
  )
  await transaction.query('select put_quads($1, $2, $3, $4)', [graph, subjects, predicates, objects])
}
