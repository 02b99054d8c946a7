/**
 * Runs the W3C Update tests of an index file, and prints the failures.
 *
 *   TEST_DATABASE_URL=… node --import tsx test/conformance/update-main.ts INDEX.json
 */
import {pathToFileURL} from 'node:url'
import {migrate} from '../../src/db/store/migrate.ts'
import {sqlDirectory} from '../../src/sql-directory.ts'
import {createTestDatabase, testSchema} from '../support/postgres.ts'
import {storeIn} from '../support/store.ts'
import {createUpdateEngine} from './update-engine.ts'
import {updateIndex, updateTests} from './update-tests.ts'

const [path] = process.argv.slice(2)
const tests = updateTests(path === undefined ? updateIndex : pathToFileURL(path))
const made = await createTestDatabase('template0')
try {
  await migrate(made.database, {schema: testSchema, directory: sqlDirectory})
  const engine = createUpdateEngine(await storeIn(made))
  let passed = 0
  for (const test of tests) {
    const failure = await engine.failureOf(test).catch(String)
    if (failure === undefined) passed += 1
    else process.stdout.write(`${test.id}\n  ${failure}\n`)
  }
  process.stdout.write(`${passed} of ${tests.length} tests pass\n`)
  process.exitCode = passed === tests.length ? 0 : 1
} finally {
  await made.drop()
}
