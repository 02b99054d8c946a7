/**
 * `quadstead migrate`: brings the database schema up to date.
 */

import {migrate} from '../db/store/migrate.ts'
import type {Config} from '../settings/config.ts'
import {sqlDirectory} from '../sql-directory.ts'
import {openStorage} from '../storage.ts'
import {type Command, noParameters, print} from './command.ts'

export const migrateCommand: Command = {
  ...noParameters,
  name: 'migrate',
  summary: 'bring the database schema up to date, and no more',
  help: `What "quadstead serve" does first, on its own: for a role that may change the schema, when the service's may
not.

Example:
  DATABASE_URL=postgres://owner:secret@db/ldp quadstead migrate`,
  run: migrateSchema,
}

async function migrateSchema(config: Config): Promise<number> {
  const {schema} = config.database
  const storage = await openStorage(config, 'command')
  try {
    const applied = await migrate(storage.database, {schema, directory: sqlDirectory})
    print(applied.length === 0 ? `Schema ${schema} is up to date.` : `Schema ${schema} took ${applied.join(', ')}.`)
    return 0
  } finally {
    await storage.close()
  }
}
