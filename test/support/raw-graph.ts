/** Adds raw graphs with any name to the store, for tests of queries. */
import type {Database, Transaction} from '../../src/db/connection/pool.ts'
import {schemaIdentifier} from './postgres.ts'

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

/** Adds a raw graph of the triple `<http://e/s> <http://e/p> <http://e/o>`. */
export async function loadRawGraph(database: Database, iri: string): Promise<void> {
  await database.begin('read committed', async transaction => {
    await transaction.query(`set local search_path to ${schemaIdentifier}`)
    const terms = [iri, 'http://e/s', 'http://e/p', 'http://e/o'].map(each => `I${each}`)
    const [row] = await transaction.query<{ids: string[]}>('select intern_terms($1)::text[] as ids', [terms])
    const [graph = '', subject = '', predicate = '', object = ''] = row?.ids ?? []
    await putRawGraph(transaction, graph, [subject], [predicate], [object])
  })
}
