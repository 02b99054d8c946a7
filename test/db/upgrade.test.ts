/** The store of an earlier version: its grants and keys after the upgrade. */
import {cp, mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import test from 'ava'
import {hashKey, makeKey} from '../../src/authentication/keys.ts'
import {openSession} from '../../src/db/store/create-session.ts'
import {openDataset} from '../../src/db/store/dataset.ts'
import {hasDocument} from '../../src/db/store/document-reads.ts'
import {mayDo, readGrants} from '../../src/db/store/grants.ts'
import {findKey, listKeys} from '../../src/db/store/keys.ts'
import {migrate} from '../../src/db/store/migrate.ts'
import {createTestDatabase} from '../support/postgres.ts'
import {asCaller} from '../support/store.ts'

const schema = 'upgraded'
const base = 'http://test/'

test('grants and keys are the same after the upgrade, and do not expire', async t => {
  const {database, drop} = await createTestDatabase('template0')
  t.teardown(drop)
  const directory = await mkdtemp(join(tmpdir(), 'quadstead-upgrade-'))
  t.teardown(() => rm(directory, {recursive: true, force: true}))
  await cp('sql', directory, {recursive: true})
  await rm(join(directory, 'migrations/000007_access_choices.sql'))
  await rm(join(directory, 'views'), {recursive: true}) // PostgreSQL checks views when they are created
  await migrate(database, {schema, directory})
  await openDataset(database, {schema, base, defaultBase: base, platformNamespace: `${base}platform#`})
  const key = makeKey()
  const hash = `'\\x${hashKey(key).toString('hex')}'`
  for (const statement of [
    `select create_document('${base}a/', '${base}', '{}', '{}', '{}', '{}')`,
    `select create_document('${base}a/b/', '${base}a/', '{}', '{}', '{}', '{}')`,
    `insert into access_grant (document, grantee, modes)
       select t.id, 'group staff', '{append,read}' from term as t where t.lex = '${base}a/'`,
    `select open_realm(d) from document as d join term as t on t.id = d.id where t.lex = '${base}a/'`,
    `insert into api_key (hash, agent, note) values (${hash}, 'http://agent/', 'nightly')`,
  ])
    await database.begin('read committed', async transaction => {
      await transaction.query(`set local search_path to ${schema}`)
      await transaction.query(statement)
    })

  const applied = await migrate(database, {schema, directory: 'sql'})

  t.deepEqual(applied, ['000007_access_choices.sql', 'functions and views'])
  t.deepEqual(await database.query(`select * from ${schema}.check_store()`), [])
  const session = await openSession(database, schema)
  const grant = {grantee: 'group staff', modes: ['append', 'read'], expires: undefined, isExpired: false}
  t.like(await readGrants(session, `${base}a/`), {own: [grant], inherits: true, inherited: []})
  const staff = asCaller(session, ['public', 'group staff'])
  t.deepEqual(await Promise.all(['', 'a/', 'a/b/'].map(path => hasDocument(staff, base + path))), [false, true, true])
  t.true(await mayDo(staff, `${base}a/b/`, ['create', 'members']))
  t.false(await mayDo(staff, `${base}a/b/`, ['edit']))
  t.like(await findKey(database, schema, hashKey(key)), {agent: 'http://agent/', modes: null, within: null})
  const [listed] = await listKeys(session, null)
  t.like(listed, {name: 'nightly', expires: null, last_used: null, is_expired: false})
})
