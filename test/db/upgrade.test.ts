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
import {type Literal, literal} from '../../src/rdf/term.ts'
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

/** Terms of the dictionary of an earlier store, with their ids. */
async function storeTerms(database: Database, literals: readonly Literal[]): Promise<readonly string[]> {
  const keys = literals.map(termKey)
  await database.query(`select ${schema}.intern_terms($1)`, [[iriKey(`${base}p`), ...keys]])
  const [row] = await database.query<{ids: string[]}>(`select ${schema}.term_ids($1) as ids`, [keys])
  return row?.ids ?? []
}

/** Stores triples with these objects, and a log of their changes, in which some are absent. */
async function storeObjects(database: Database, objects: readonly string[]): Promise<void> {
  const half = objects.length / 2
  await database.query(
    `insert into ${schema}.quad (g, s, p, o) select 1000, 1000, 1000, o from unnest($1::int8[]) as o`,
    [objects],
  )
  await database.query(
    `insert into ${schema}.change
       (position, transaction, document, added_s, added_p, added_o, removed_s, removed_p, removed_o)
     values (1, 1, 1000, $1, $1, $1, $2, $2, $2), (2, 2, 1000, '{1}', '{1}', '{1}', '{}', '{}', '{}'),
       (3, 3, 1000, null, null, null, $2, $2, $2)`,
    [objects.slice(0, half), objects.slice(half)],
  )
  await database.query(
    `insert into ${schema}.kept_state (document, position, tag, time, size, subjects, predicates, objects)
     select 1000, n, 1, now(), 1, '{1}', '{1}', array[o] from unnest($1::int8[]) with ordinality as u (o, n)`,
    [objects],
  )
}

/** Asserts that the triples, the log and the kept states of storeObjects have other objects now. */
async function assertObjects(
  t: ExecutionContext,
  database: Database,
  {stored, expected}: {readonly stored: readonly string[]; readonly expected: readonly string[]},
): Promise<void> {
  const half = stored.length / 2
  const objects = await database.query<{o: string}>(`select o from ${schema}.quad where p = 1000`)
  t.deepEqual(objects.map(({o}) => o).sort(), [...expected].sort())
  t.deepEqual(
    await database.query(`select added_o as added, removed_o as removed from ${schema}.change order by position`),
    [
      {added: expected.slice(0, half), removed: expected.slice(half)},
      {added: ['1'], removed: []},
      {added: null, removed: expected.slice(half)},
    ],
  )
  const states = await database.query<{id: string}>(`select unnest(objects)::text as id from ${schema}.kept_state`)
  t.deepEqual(states.map(({id}) => id).sort(), stored.filter(id => expected.includes(id)).sort())
}

/** Stores literals in an earlier store, and asserts that those that fit into ids have these ids after the upgrade. */
async function assertFitting(
  t: ExecutionContext,
  database: Database,
  {
    types,
    fitting,
    others,
  }: {readonly types: readonly string[]; readonly fitting: readonly string[]; readonly others: readonly string[]},
): Promise<void> {
  const literals = types.flatMap(type => [...fitting, ...others].map(form => literal(form, type)))
  const stored = await storeTerms(database, literals)
  await storeObjects(database, stored)

  await migrate(database, {schema, directory: 'sql'})

  const expected = literals.map((one, index) => packLiteral(one)?.toString() ?? stored[index] ?? '')
  t.deepEqual(
    expected.map(id => Number(id) < 0),
    literals.map(({value}) => fitting.includes(value)),
  )
  await assertObjects(t, database, {stored, expected})
  for (const type of types) {
    const terms = await database.query<{lex: string}>(`select lex from ${schema}.term where datatype = $1`, [type])
    t.deepEqual(terms.map(({lex}) => lex).sort(), [...others].sort())
  }
}

test('doubles of the dictionary that fit into ids get these ids, also in the change log', async t => {
  const database = await openEarlier(
    t,
    'migrations/000031_scientific_doubles.sql',
    'migrations/000032_inline_forms.sql',
    'migrations/000033_fine_numbers.sql',
  )
  const fitting = ['5.21E1', '1.0e-6', '0.0E0', '-4.5E9', '5.21e-01', '5E+00', '-1e-06', '0e+00', '0.5282E0', '-12.0e0']
  const others = ['1.5E-6', '12.50E0', '-0.0E0', '-0e+00', '1.0E+00', '5.210e-1', '1e+10', 'NaN', '5.E0', 'five']

  await assertFitting(t, database, {types: [xsd.double], fitting, others})
})

test('dateTimes with six fraction digits get ids of their own kinds, and other times move to theirs', async t => {
  const database = await openEarlier(t, 'migrations/000032_inline_forms.sql', 'migrations/000033_fine_numbers.sql')
  const dateTime = (form: string) => literal(form, xsd.dateTime)
  const fitting = ['2024-02-29T01:02:03.123456Z', '1969-12-31T23:59:59.999999+05:45', '2112-09-17T23:53:47.370495']
  const others = ['2023-02-29T01:02:03.123456Z', '2112-09-17T23:53:47.370496Z', '2024-01-01T24:00:00.000000', 'now']
    .concat('1827-04-01T00:00:00.000000Z', '2024-13-01T00:00:00.000000Z', '2024-01-01T00:00:00.000000-00:00')
    .concat('2024-01-01T00:00:00.000000+05:37', '02024-01-01T00:00:00.000000Z', '2024-01-01T00:00:00.1234Z')
  const terms = [...fitting, '2024-01-01T00:00:00.000000-14:00', ...others].map(dateTime)
  const inDictionary = await storeTerms(database, terms)
  const moved: readonly (readonly [Literal, bigint])[] = [
    ...['0001-01-02', '9999-12-31+14:00'].map(form => [literal(form, xsd.date), 2n ** 61n] as const),
    ...['0001-01-02T00:00:00', '4199-01-01T23:59:59.999'].map(form => [dateTime(form), 2n ** 60n] as const),
  ]
  const inline = [...moved.map(([one]) => one), dateTime('2024-01-01T00:00:00Z'), literal('5', xsd.integer)]
  const stays = inline.length - moved.length
  const idsBefore = inline.map(one => packLiteral(one) ?? 0n).map((id, at) => String(id - (moved[at]?.[1] ?? 0n)))
  const stored = [...inDictionary, ...idsBefore]
  await storeObjects(database, stored)

  await migrate(database, {schema, directory: 'sql'})

  const expected = [...terms, ...inline].map((one, index) => packLiteral(one)?.toString() ?? stored[index] ?? '')
  t.is(expected.filter(id => stored.includes(id)).length, others.length + stays)
  await assertObjects(t, database, {stored, expected})
  const left = await database.query<{lex: string}>(`select lex from ${schema}.term where datatype = $1`, [xsd.dateTime])
  t.deepEqual(left.map(({lex}) => lex).sort(), [...others].sort())
})

test('decimals and doubles with many digits get ids', async t => {
  const database = await openEarlier(t, 'migrations/000033_fine_numbers.sql')
  const fitting = ['0.1234567', '-9.990511757720341', '12345678901.0', '-0.0001220703125', '562949953421311.9']
  const others = [
    '0.12345670',
    '12345678901',
    '562949953421312.0',
    '0.0001220703124',
    '0.12345678901234567',
    '-1.',
    'x',
  ]

  await assertFitting(t, database, {types: [xsd.decimal, xsd.double], fitting, others})
})
