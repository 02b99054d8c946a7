/**
 * `quadstead check`: whether the stored data are whole.
 *
 * Floor 6.
 */
import {Refusal} from '../base/refusal.ts'
import type {Config} from '../config.ts'
import {quoteIdentifier} from '../db/identifier.ts'
import {databaseCodeOf} from '../db/problem-of.ts'
import {openStorage} from '../storage.ts'
import {type Command, noParameters, print} from './command.ts'

export const checkCommand: Command = {
  ...noParameters,
  name: 'check',
  summary: 'look whether the stored data are whole; exit code 1 when they are not',
  help: `Prints a line for each broken invariant of the store.

Example:
  DATABASE_URL=postgres://reader:secret@db/ldp quadstead check

Exit codes: 0 nothing is wrong; 1 something is, or it cannot be looked at.`,
  run: check,
}

async function check(config: Config): Promise<number> {
  const {schema} = config.database
  const storage = await openStorage(config, 'command')
  try {
    const rows = await storage.database.query<{rule: string; detail: string}>(
      `select rule, detail from ${quoteIdentifier(schema)}.check_store()`,
    )
    for (const {rule, detail} of rows) print(`${rule}: ${detail}`)
    print(rows.length === 0 ? `Schema ${schema}: nothing is wrong.` : `Schema ${schema}: ${rows.length} found.`)
    return rows.length === 0 ? 0 : 1
  } catch (error) {
    const code = databaseCodeOf(error)
    if (code !== '42883' && code !== '3F000') throw error // no such function, no such schema
    throw new Refusal(`Schema ${schema} is not there or not up to date. Run "quadstead migrate" first.`, {cause: error})
  } finally {
    await storage.close()
  }
}
