/** Kept states of documents: each state is what it is without them, and they stay near each other. */
import test from 'ava'
import {expireChanges, keepChanges, keepStates} from '../../src/db/store/changes.ts'
import {deleteDocument, patchDocument} from '../../src/db/store/document-writes.ts'
import {schemaIdentifier, testSchema} from '../support/postgres.ts'
import {createRandom} from '../support/random.ts'
import {writeRandomly} from '../support/random-writes.ts'
import {base, noConditions, type TestStore, triple, useStore} from '../support/store.ts'

const log = `select c.document, c.position, c.transaction, c.after, c.time from change as c
              where c.after is not null
                and c.transaction >= (select changes_lost from dataset)`

/** Every state that the log knows: its triples, and what its tag and its time find. */
function statesOf({made: {database}}: TestStore) {
  return database.begin('read committed', async transaction => {
    await transaction.query(`set local search_path = ${schemaIdentifier}`)
    return transaction.query(
      `select c.document::text, c.position::text, q.*, to_json(b) as by_tag, to_json(a) as by_time
         from (${log}) as c
        cross join lateral state_quads(c.document, c.position) as q
        cross join lateral find_state(c.document, c.after, null) as b
        cross join lateral find_state(c.document, null, c.time) as a
        order by c.position`,
    )
  })
}

const keptIn = ({made: {database}}: TestStore) =>
  database.query<{readonly document: string; readonly position: string}>(
    `select document::text, position::text from ${schemaIdentifier}.kept_state order by position`,
  )

const wrongIn = ({made: {database}}: TestStore) =>
  database.query<{readonly rule: string}>(`select * from ${schemaIdentifier}.check_changes()`)

/** Considers all new changes. */
async function keep({made: {database}}: TestStore, spacing: number): Promise<void> {
  await database.query(`select ${schemaIdentifier}.keep_states(1000000, $1)`, [spacing])
}

test('states are the same with kept ones as without, after writes of every kind', async t => {
  const store = await useStore(t)
  const {database} = store.made
  await keepChanges(database, testSchema, 'forever')
  const random = createRandom(20_261_129)
  for (let round = 1; round <= 3; round += 1) {
    for (let count = 0; count < 700; count += 1) await writeRandomly(random, store)
    const found = await statesOf(store)
    t.true(found.length > round * 200, String(found.length))
    const before = (await keptIn(store)).length
    await keep(store, 5)
    const kept = (await keptIn(store)).length
    t.true(kept > before, `${before}, ${kept}`)
    t.deepEqual(await statesOf(store), found, `round ${round}`)
    t.deepEqual(await wrongIn(store), [])
  }
})

test('a document that changes often has kept states at distances that hardly exceed the least one', async t => {
  const store = await useStore(t)
  const {database} = store.made
  await keepChanges(database, testSchema, 'forever')
  const iri = `${base}a/`
  await store.create(iri)
  for (let count = 0; count < 20; count += 1)
    await database.query(
      `select ${schemaIdentifier}.touch_documents(array[d.id], null, null)
         from ${schemaIdentifier}.document as d, generate_series(1, 200)
        where d.id = (select id from ${schemaIdentifier}.term where lex = $1)`,
      [iri],
    )
  await keep(store, 200)
  t.is(await keepStates(database, testSchema, 1000), 0) // all have been considered
  const kept = await keptIn(store)
  const [{gap, rows} = {gap: 0, rows: 0}] = await database.query<{readonly gap: number; readonly rows: number}>(
    `select max(n)::float8 as gap, sum(n)::float8 as rows
       from (select count(*) as n
               from ${schemaIdentifier}.change as c
               left join lateral (select min(k.position) as next from ${schemaIdentifier}.kept_state as k
                                   where k.document = c.document and k.position >= c.position) as k on true
              group by c.document, k.next) as n`,
  )
  t.true(rows > 4000, String(rows))
  t.true(kept.length >= 12 && kept.length <= 20, String(kept.length))
  t.true(gap <= 500, String(gap))
  t.deepEqual(await wrongIn(store), [])
})

test('a kept state that does not follow from the log is found', async t => {
  const store = await useStore(t)
  const {database} = store.made
  await keepChanges(database, testSchema, 'forever')
  const iri = `${base}a/`
  await store.create(iri)
  for (let count = 0; count < 300; count += 1) {
    const changes = {removed: [], added: [triple(iri, 'http://e/p', `http://e/${count}`)]}
    await patchDocument(store.session, iri, noConditions, {changes, isReturning: false})
  }
  await keep(store, 1)
  t.deepEqual(await wrongIn(store), [])
  const row = `position = (select min(position) from ${schemaIdentifier}.kept_state)`
  for (const change of ['subjects = subjects[2:], size = size - 1', 'tag = tag + 1', 'size = size + 1']) {
    await database.query(`create table ${schemaIdentifier}.saved as table ${schemaIdentifier}.kept_state`)
    await database.query(`update ${schemaIdentifier}.kept_state set ${change} where ${row}`)
    t.deepEqual(
      (await wrongIn(store)).map(({rule}) => rule),
      ['kept-state-follows'],
    )
    await database.query(`delete from ${schemaIdentifier}.kept_state`)
    await database.query(`insert into ${schemaIdentifier}.kept_state table ${schemaIdentifier}.saved`)
    await database.query(`drop table ${schemaIdentifier}.saved`)
  }
})

test('kept states leave with the changes', async t => {
  const store = await useStore(t)
  const {database} = store.made
  const random = createRandom(20_261_130)
  const write = async () => {
    for (let count = 0; count < 700; count += 1) await writeRandomly(random, store)
  }
  await keepChanges(database, testSchema, 'forever')
  await write()
  await keep(store, 5)
  const old = await keptIn(store)
  t.true(old.length > 0)
  await keepChanges(database, testSchema, 'off')
  await write()
  await keepChanges(database, testSchema, 'forever')
  await write()
  const found = await statesOf(store)
  await keep(store, 5)
  t.deepEqual(await statesOf(store), found)
  t.deepEqual(await wrongIn(store), [])
  while ((await expireChanges(database, testSchema, 1000)) > 0);
  const left = await keptIn(store)
  t.true(left.length > 0)
  t.deepEqual(
    left.filter(({position}) => old.some(gone => gone.position === position)),
    [],
  )
  t.deepEqual(await statesOf(store), found)
})

test('a document that was created again after a gap in the log has its new creation as first state', async t => {
  const store = await useStore(t)
  const {session, made} = store
  await keepChanges(made.database, testSchema, 'forever')
  const iri = `${base}a/`
  await store.create(iri)
  for (let count = 0; count < 300; count += 1) {
    const changes = {removed: [], added: [triple(iri, 'http://e/p', `http://e/${count}`)]}
    await patchDocument(session, iri, noConditions, {changes, isReturning: false})
  }
  await keep(store, 1)
  await deleteDocument(session, iri, noConditions, {isDeep: true})
  await keepChanges(made.database, testSchema, 'off')
  await keepChanges(made.database, testSchema, 'forever')
  await store.create(iri)
  t.true((await keptIn(store)).length > 0)

  const found = await made.database.begin('read committed', async transaction => {
    await transaction.query(`set local search_path = ${schemaIdentifier}`)
    return transaction.query(
      `select c.position::text as created, f.place::text as found
         from document as d
         join lateral (select min(c.position) as position from change as c
                        where c.document = d.id and c.action = 'created'
                          and c.position > (select lost.changes_lost from dataset as lost)) as c on true
        cross join lateral find_state(d.id, null, '2000-01-01Z') as f
        where d.id = (select t.id from term as t where t.lex = $1)`,
      [iri],
    )
  })
  const [{created} = {created: undefined}] = found
  t.true(typeof created === 'string')
  t.deepEqual(found, [{created, found: created}])
})
