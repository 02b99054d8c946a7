/** The engine in the form that the runner loads; its store is a schema of its own. */
import {parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {createPool} from '../../src/db/connection/pool.ts'
import {migrate} from '../../src/db/store/migrate.ts'
import {createEngine} from './engine.ts'

// biome-ignore lint/style/noDefaultExport: the runner's contract
export default async function create() {
  const url = process.env.TEST_DATABASE_URL
  if (url === undefined) throw new Error('TEST_DATABASE_URL names no PostgreSQL server')
  const options = {connectionMax: 2, isPooled: false, prepare: true, statementTimeoutMs: 30_000}
  const database = createPool(parseDatabaseUrl(url), options)
  const schema = 'conformance'
  await migrate(database, {schema, directory: new URL('../../sql', import.meta.url).pathname})
  const engine = await createEngine({database, schema})
  return {
    ...engine,
    async close() {
      await engine.close()
      await database.end(1000)
    },
  }
}
