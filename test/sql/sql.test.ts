/**
 * Runs the SQL tests of this folder, each in a transaction that is rolled back.
 *
 * psql can run them too; see support.sql.
 */
import {readdirSync, readFileSync} from 'node:fs'
import test from 'ava'
import {createTestDatabase, schemaIdentifier, type TestDatabase} from '../support/postgres.ts'

const folder = new URL('./', import.meta.url)
const readText = (name: string): string => readFileSync(new URL(name, folder), 'utf8')
const names = readdirSync(folder).filter(name => name.endsWith('.sql') && name !== 'support.sql')
const searchPath = `set local search_path = ${schemaIdentifier}, pg_temp;`

let made: TestDatabase

test.before(async () => {
  made = await createTestDatabase()
  await made.database.begin('read committed', async transaction => {
    await transaction.script(`${searchPath}\n${readText('support.sql')}`)
  })
})

test.after.always(() => made.drop())

/** The text between `begin;` and `rollback;`, with the same line numbers as in the file. */
function bodyOf(name: string): string {
  const [, head = '', body] = /^((?:--[^\n]*\n|\n)*)begin;\n([\s\S]*)\nrollback;\n$/.exec(readText(name)) ?? []
  if (body === undefined) throw new Error(`${name} is not one transaction that rolls back`)
  return `${head}${searchPath}\n${body}`
}

class RolledBack extends Error {}

for (const name of names) {
  test.serial(`${name}: ${/^-- (.*)$/m.exec(readText(name))?.[1]}`, async t => {
    const work = made.database.begin('read committed', async transaction => {
      await transaction.script(bodyOf(name))
      throw new RolledBack()
    })

    await t.throwsAsync(work, {instanceOf: RolledBack})
  })
}
