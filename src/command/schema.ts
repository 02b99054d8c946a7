/**
 * Checks that the schema fits this version, for commands that do not migrate it.
 */
import {Refusal} from '../base/refusal.ts'
import {quoteIdentifier} from '../db/connection/identifier.ts'
import type {Database} from '../db/connection/pool.ts'

/** @throws Refusal: the schema does not exist or is older */
export async function requireSchema(database: Database, schema: string): Promise<void> {
  const [row] = await database.query<{is_there: boolean}>('select to_regprocedure($1) is not null as is_there', [
    `${quoteIdentifier(schema)}.text_index_state()`,
  ])
  if (row?.is_there !== true) {
    throw new Refusal(`Schema ${schema} is not there or not up to date. Run "quadstead migrate" first.`)
  }
}
