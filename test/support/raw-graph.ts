/** Graphs of any name for tests of queries, put into the store as they are. */
import type {Transaction} from '../../src/db/connection/pool.ts'

/**
 * Puts triples of stored terms into a graph, and notes it among those that are no documents, unless it is one.
 *
 * The transaction's search_path leads to the schema.
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
