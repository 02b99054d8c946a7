/**
 * `npm run db:dump`: rewrites sql/schema.sql from a fresh install on the embedded PostgreSQL.
 */
import {writeFile} from 'node:fs/promises'
import {createTestDatabase, testSchema} from './postgres.ts'
import {dumpSchema} from './schema-dump.ts'
import {startTestServer} from './servers.ts'

const server = await startTestServer()
try {
  process.env.TEST_DATABASE_URL = server.url
  const made = await createTestDatabase()
  await writeFile(new URL('../../sql/schema.sql', import.meta.url), await dumpSchema(made.database, testSchema))
  await made.drop()
} finally {
  await server.stop()
}
