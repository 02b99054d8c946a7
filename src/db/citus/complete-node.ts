/**
 * Restores on a node what a move leaves behind: the statistics of the tables, and the indexes for text and search.
 *
 * Both are made on the shards. Citus does not know them, so it does not move them.
 */
import {vacuumStore} from '../bulk/import-store.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database} from '../connection/pool.ts'
import {createSearchIndex, createSimilarIndex} from '../store/search-index.ts'
import {isTermIndexWanted} from '../store/term-index.ts'
import {createTextIndex} from '../store/text-index.ts'

/**
 * Analyzes the tables if that was never done on this node, and creates the indexes that the dataset had elsewhere.
 *
 * @param node  without a time limit for statements
 */
export async function completeNode(node: Database, schema: string): Promise<void> {
  if (await isFilledUnanalyzed(node, schema)) await vacuumStore(node, schema)
  if (await isTermIndexWanted(node, schema, 'term_text')) await createTextIndex(node, schema)
  if (await isTermIndexWanted(node, schema, 'term_words')) await createSearchIndex(node, schema)
  if (await isTermIndexWanted(node, schema, 'search_word_similar')) await createSimilarIndex(node, schema)
}

/** Whether the quads have no statistics. Those of an empty table would mislead the planner when it is filled. */
async function isFilledUnanalyzed(node: Database, schema: string): Promise<boolean> {
  const [row] = await node.query<{isUnanalyzed: boolean}>(
    `select c.reltuples < 0 and pg_relation_size(c.oid) > 0 as "isUnanalyzed"
       from pg_class as c where c.oid = ${quoteIdentifier(schema)}.store_relation('quad', 'quad')`,
  )
  return row?.isUnanalyzed === true
}
