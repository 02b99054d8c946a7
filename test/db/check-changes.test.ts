/** The check of the change log: silent after any writes, and loud about each row that is missing or wrong. */
import test from 'ava'
import {expireChanges, keepChanges} from '../../src/db/store/changes.ts'
import {moveDocument} from '../../src/db/store/document-moves.ts'
import {schemaIdentifier, testSchema} from '../support/postgres.ts'
import {createRandom} from '../support/random.ts'
import {writeRandomly} from '../support/random-writes.ts'
import {base, noConditions, type TestStore, triple, useStore} from '../support/store.ts'

type Found = {readonly rule: string; readonly detail: string}

const checkLog = ({made: {database}}: TestStore) =>
  database.query<Found>(`select * from ${schemaIdentifier}.check_changes()`)

/** The rules that are found after a statement, which is undone. */
async function foundAfter({made: {database}}: TestStore, statement: string): Promise<readonly string[]> {
  const undo = new Error('undo')
  let found: readonly Found[] = []
  await database
    .begin('read committed', async transaction => {
      await transaction.query(`set local search_path = ${schemaIdentifier}`)
      await transaction.query(statement)
      found = await transaction.query<Found>('select * from check_changes()')
      throw undo
    })
    .catch(error => {
      if (error !== undo) throw error
    })
  return [...new Set(found.map(({rule}) => rule))].sort()
}

test('a removed row of the log is found, whichever it is', async t => {
  const store = await useStore(t)
  const {database} = store.made
  await keepChanges(database, testSchema, 'forever')
  const random = createRandom(20_261_125)
  for (let count = 0; count < 120; count += 1) await writeRandomly(random, store)
  t.deepEqual(await checkLog(store), [])

  const rows = await database.query<{readonly position: string}>(
    `select position::text from ${schemaIdentifier}.change
      where action is not null or num_nonnulls(added_s, removed_s) > 0 and member_by is null order by position`,
  )
  t.true(rows.length > 100, String(rows.length))
  for (const {position} of rows) {
    const found = await foundAfter(store, `delete from change where position = ${position}`)
    t.true(found.length > 0, `position ${position}`)
  }
})

test('each kind of fault has its rule', async t => {
  const store = await useStore(t)
  const {database} = store.made
  await keepChanges(database, testSchema, 'forever')
  const random = createRandom(20_261_126)
  for (let count = 0; count < 60; count += 1) await writeRandomly(random, store)
  const newest = 'position = (select max(position) from change where after is not null)'
  for (const [statement, rule] of [
    [`update change set before = before + 1 where before is not null`, 'change-follows-change'],
    [`update change set after = after + 1 where ${newest}`, 'changes-end-at-present'],
    ['update document set revision = revision + 1 where parent is not null', 'changes-end-at-present'],
    ['delete from change where action is not null', 'changes-end-at-present'],
    [`update change set added_s = null where ${newest}`, 'change-has-its-triples'],
    [
      'insert into quad (g, s, p, o) select id, id, 1, 2 from document where parent is not null',
      'change-has-its-triples',
    ],
  ] as const)
    t.true((await foundAfter(store, statement)).includes(rule), statement)
})

test('ids that a move replaces in a document with the same names before and after are explained', async t => {
  const store = await useStore(t)
  const {database} = store.made
  await keepChanges(database, testSchema, 'forever')
  await store.create(`${base}a/`)
  await store.create(`${base}b/`, [triple(`${base}b/`, 'http://e/p', `${base}c/`)])
  await moveDocument(store.session, `${base}a/`, noConditions, {
    iri: `${base}c/`,
    overwrites: false,
    redirectSeconds: 0,
  })

  t.deepEqual(await checkLog(store), [])
  const parts = `document = (select id from term where lex = '${base}b/') and action is null`
  t.deepEqual(await foundAfter(store, `delete from change where ${parts}`), ['change-has-its-triples'])
})

test('a log that has partly expired, or was off for some time, leads from its oldest state', async t => {
  const store = await useStore(t)
  const {database} = store.made
  const random = createRandom(20_261_127)
  for (let round = 0; round < 4; round += 1) {
    await keepChanges(database, testSchema, round === 2 ? 'off' : 'forever')
    for (let count = 0; count < 40; count += 1) await writeRandomly(random, store)
    t.deepEqual(await checkLog(store), [], `round ${round}`)
    if (round !== 1) continue
    await database.query(`update ${schemaIdentifier}.change set time = time - interval '2 days'
                           where position < (select percentile_disc(0.5) within group (order by position)
                                               from ${schemaIdentifier}.change)`)
    await keepChanges(database, testSchema, 86_400)
    t.true((await expireChanges(database, testSchema, 1000)) > 0)
    t.deepEqual(await checkLog(store), [], 'after the expiry')
  }
})
