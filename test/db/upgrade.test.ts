/** The store of an earlier version: its grants and keys after the upgrade. */
import {cp, mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import test, {type ExecutionContext} from 'ava'
import {hashKey, makeKey} from '../../src/authentication/keys.ts'
import type {Database} from '../../src/db/connection/pool.ts'
import {openSession} from '../../src/db/store/create-session.ts'
import {openDataset} from '../../src/db/store/dataset.ts'
import {hasDocument} from '../../src/db/store/document-reads.ts'
import {mayDo, readGrants} from '../../src/db/store/grants.ts'
import {findKey, listKeys} from '../../src/db/store/keys.ts'
import {migrate} from '../../src/db/store/migrate.ts'
import {packLiteral} from '../../src/rdf/inline.ts'
import {literal} from '../../src/rdf/term.ts'
import {iriKey, termKey} from '../../src/rdf/term-key.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'
import {createTestDatabase} from '../support/postgres.ts'
import {asCaller} from '../support/store.ts'

const schema = 'upgraded'
const base = 'http://test/'

/** A store whose schema lacks some files of SQL. PostgreSQL checks views when they are created. */
async function openEarlier(t: ExecutionContext, ...lacking: readonly string[]): Promise<Database> {
  const {database, drop} = await createTestDatabase('template0')
  t.teardown(drop)
  const directory = await mkdtemp(join(tmpdir(), 'quadstead-upgrade-'))
  t.teardown(() => rm(directory, {recursive: true, force: true}))
  await cp('sql', directory, {recursive: true})
  for (const name of lacking) await rm(join(directory, name), {recursive: true})
  await migrate(database, {schema, directory})
  await openDataset(database, {schema, base, defaultBase: base, platformNamespace: `${base}platform#`})
  return database
}

test('grants and keys are the same after the upgrade, and do not expire', async t => {
  const database = await openEarlier(t, 'migrations/000007_access_choices.sql', 'views')
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

test('doubles of the dictionary that fit into ids get these ids, also in the change log', async t => {
  const database = await openEarlier(t, 'migrations/000031_scientific_doubles.sql')
  const forms = ['5.21E1', '1.0e-6', '0.0E0', '-4.5E9', '1.5E-6', '12.5E0', 'NaN', 'five']
  const literals = forms.map(form => literal(form, xsd.double))
  await database.query(`select ${schema}.intern_terms($1)`, [[iriKey(`${base}p`), ...literals.map(termKey)]])
  const idsOf = async () => {
    const keys = literals.map(termKey)
    const [row] = await database.query<{ids: string[]}>(`select ${schema}.term_ids($1) as ids`, [keys])
    return row?.ids ?? []
  }
  const stored = await idsOf()
  const [first = '', , , fourth = '', fifth = ''] = stored
  await database.query(
    `insert into ${schema}.quad (g, s, p, o) select 1000, 1000, 1000, o from unnest($1::int8[]) as o`,
    [stored],
  )
  await database.query(
    `insert into ${schema}.change
       (position, transaction, document, added_s, added_p, added_o, removed_s, removed_p, removed_o)
     values (1, 1, 1000, '{1,2}', '{1,2}', $1, '{1}', '{1}', $2),
       (2, 2, 1000, '{1}', '{1}', '{1}', '{}', '{}', '{}'), (3, 3, 1000, null, null, null, '{1}', '{1}', $2)`,
    [[fifth, first], [fourth]],
  )
  await database.query(
    `insert into ${schema}.kept_state (document, position, tag, time, size, subjects, predicates, objects)
     select 1000, n, 1, now(), 1, '{1}', '{1}', array[o] from unnest($1::int8[]) with ordinality as u (o, n)`,
    [[first, fifth]],
  )

  await migrate(database, {schema, directory: 'sql'})

  const expected = literals.map((one, index) => packLiteral(one)?.toString() ?? stored[index])
  t.deepEqual(
    expected.map(id => Number(id) < 0),
    [true, true, true, true, false, false, false, false],
  )
  const objects = await database.query<{o: string}>(`select o from ${schema}.quad where p = 1000`)
  t.deepEqual(objects.map(({o}) => o).sort(), [...expected].sort())
  t.deepEqual(
    await database.query(`select added_o as added, removed_o as removed from ${schema}.change order by position`),
    [
      {added: [expected[4], expected[0]], removed: [expected[3]]},
      {added: ['1'], removed: []},
      {added: null, removed: [expected[3]]},
    ],
  )
  t.deepEqual(await database.query(`select position from ${schema}.kept_state`), [{position: '2'}])
  const terms = await database.query<{lex: string}>(`select lex from ${schema}.term where datatype = $1`, [xsd.double])
  t.deepEqual(terms.map(({lex}) => lex).sort(), forms.slice(4).sort())
})
