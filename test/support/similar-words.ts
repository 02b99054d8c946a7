/** Gathers the words of all literals for misspelt searches, as the service does in the background. */
import {setTimeout as delay} from 'node:timers/promises'
import {quoteIdentifier} from '../../src/db/connection/identifier.ts'
import type {Database} from '../../src/db/connection/pool.ts'
import {createSimilarIndex, gatherSearchWords} from '../../src/db/store/search-index.ts'

/**
 * Waits until the words of all literals that are committed are there. Transactions in other databases of the server
 * delay this.
 *
 * @returns  whether similar words can be found
 */
export async function gatherAllWords(database: Database, schema: string): Promise<boolean> {
  const canFind = await createSimilarIndex(database, schema)
  const inSchema = quoteIdentifier(schema)
  const lastWord = () =>
    database.query<{isThere: boolean}>(
      `select ended >= (select max(id & ((1::int8 << 58) - 1)) from ${inSchema}.term
                         where id between ${inSchema}.first_literal()
                                      and ${inSchema}.first_literal() + (2::int8 << 58) - 1) as "isThere"
         from ${inSchema}.search_gathering`,
    )
  for (let tries = 0; tries < 500 && (await lastWord())[0]?.isThere !== true; tries += 1) {
    await gatherSearchWords(database, schema)
    await delay(20)
  }
  return canFind
}
