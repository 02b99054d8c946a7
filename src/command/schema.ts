/**
 * Whether the schema is what this version works with; for commands that do not change it.
 */
import {Refusal} from '../base/refusal.ts'
import {quoteIdentifier} from '../db/connection/identifier.ts'
import type {Database} from '../db/connection/pool.ts'

/** @throws Refusal: there is none, or an older one */
export async function requireSchema(database: Database, schema: string): Promise<void> {
  const [row] = await database.query<{is_there: boolean}>('select to_regprocedure($1) is not null as is_there', [
    `${quoteIdentifier(schema)}.text_index_state()`,
  ])
  if (row?.is_there !== true) {
    throw new Refusal(`Schema ${schema} is not there or not up to date. Run "quadstead migrate" first.`)
  }
}
