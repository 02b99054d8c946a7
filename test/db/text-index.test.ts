/** The text index: how it is made, what is left of interruptions, who may make it, what folding keeps. */
import test, {type ExecutionContext} from 'ava'
import {adviceFor} from '../../src/command/advice.ts'
import {readFrequencies} from '../../src/db/facts.ts'
import {createPool, type Database} from '../../src/db/pool.ts'
import {createTextIndex, dropTextIndex, readTextIndexState} from '../../src/db/text-index.ts'
import {folded} from '../../src/sparql/plan/text-share.ts'
import {administer, createTestDatabase, testSchema as schema} from '../support/postgres.ts'

async function useDatabase(t: ExecutionContext) {
  const made = await createTestDatabase()
  t.teardown(made.drop)
  return made
}

const stateOf = async (database: Database) => {
  const {isOffered, extensionSchema, isThere, isUsable} = await readTextIndexState(database, schema)
  return {isOffered, extensionSchema, isThere, isUsable}
}

const advised = async (database: Database, terms: number) => {
  const textIndex = {...(await readTextIndexState(database, schema)), terms}
  const state = {settings: new Map(), tables: [], bytes: 0}
  return adviceFor({state, schema, connections: 10, textIndex}).map(({value, command}) => [value, command])
}

test('the index is made once, with the extension that it needs, and taken away', async t => {
  const {database} = await useDatabase(t)
  t.deepEqual(await stateOf(database), {isOffered: true, extensionSchema: undefined, isThere: false, isUsable: false})
  t.is((await readFrequencies(database, schema)).texts, undefined)
  t.deepEqual(await advised(database, 20_000), [['missing', 'quadstead text-index']])
  t.deepEqual(await advised(database, 100), [])

  t.is(await createTextIndex(database, schema), 'made')
  t.is(await createTextIndex(database, schema), 'kept')

  t.deepEqual(await stateOf(database), {isOffered: true, extensionSchema: 'public', isThere: true, isUsable: true})
  t.deepEqual(await advised(database, 20_000), [])
  t.truthy((await readFrequencies(database, schema)).texts)
  t.is((await readFrequencies(database, schema, {avoidsTextIndex: true})).texts, undefined)

  await dropTextIndex(database, schema)
  t.deepEqual(await stateOf(database), {isOffered: true, extensionSchema: 'public', isThere: false, isUsable: false})
})

test('an index that an interruption left is not used, and made anew', async t => {
  const {database, address} = await useDatabase(t)
  const options = {connectionMax: 1, isPooled: false, prepare: false}
  const [holder, maker] = [0, 300].map(statementTimeoutMs => createPool(address, {...options, statementTimeoutMs}))
  if (holder === undefined || maker === undefined) throw new Error('two pools were made')
  t.teardown(() => Promise.all([holder.end(1000), maker.end(1000)]))
  await database.query('create extension pg_trgm with schema public')

  // It waits for a transaction that wrote terms, and reaches its time limit.
  await holder.begin('read committed', async transaction => {
    await transaction.query(`insert into ${schema}.term (id, hash, lex) values (99999, gen_random_uuid(), 'http://e/')`)
    await t.throwsAsync(createTextIndex(maker, schema), {message: /time limit|timeout|reached/})
  })

  t.like(await stateOf(database), {isThere: true, isUsable: false})
  t.is((await readFrequencies(database, schema)).texts, undefined)
  t.deepEqual(await advised(database, 100), [['not complete', 'quadstead text-index']])
  t.is(await createTextIndex(database, schema), 'made')
  t.like(await stateOf(database), {isThere: true, isUsable: true})
})

test('writes go on while the index is made, and two makers do not get in each other’s way', async t => {
  const {database, address} = await useDatabase(t)
  const other = createPool(address, {connectionMax: 1, isPooled: false, prepare: false, statementTimeoutMs: 0})
  t.teardown(() => other.end(1000))

  const results = await database.begin('read committed', async transaction => {
    await transaction.query(`insert into ${schema}.term (id, hash, lex) values (99999, gen_random_uuid(), 'http://e/')`)
    const making = createTextIndex(other, schema)
    for (let isBusy = false; !isBusy; ) {
      const [row] = await database.query<{n: string}>(
        'select count(*)::text as n from pg_stat_progress_create_index where datname = current_database()',
      )
      isBusy = row?.n !== '0'
    }
    await transaction.query(`insert into ${schema}.term (id, hash, lex) values (99998, gen_random_uuid(), 'http://f/')`)
    return {second: await createTextIndex(database, schema), making}
  })

  t.is(results.second, 'busy')
  t.is(await results.making, 'made')
})

test('the extension may be in another schema, and the index is made with it', async t => {
  const {database} = await useDatabase(t)
  await database.query('create schema "Other things"')
  await database.query('create extension pg_trgm with schema "Other things"')

  t.is(await createTextIndex(database, schema), 'made')
  t.like(await stateOf(database), {extensionSchema: 'Other things', isUsable: true})
  t.truthy((await readFrequencies(database, schema)).texts)
})

test('a role that may not make the index is told who may', async t => {
  const {database, address, name} = await useDatabase(t)
  const role = `${name}_reader`
  await administer(`create role ${role} login`)
  t.teardown(() => administer(`drop role if exists ${role}`))
  await database.query(`grant usage on schema ${schema} to ${role}`)
  await database.query(`grant select on all tables in schema ${schema} to ${role}`)
  const options = {connectionMax: 1, isPooled: false, prepare: false, statementTimeoutMs: 0}
  const reader = createPool({...address, user: role}, options)

  await t.throwsAsync(createTextIndex(reader, schema), {message: /may not make the text index .*create extension/})
  await createTextIndex(database, schema)
  t.truthy((await readFrequencies(reader, schema)).texts)

  await reader.end(1000)
  await database.query(`drop owned by ${role}`)
})

test('folding takes case away from every character, and joins what it folded', async t => {
  const {database} = await useDatabase(t)

  const [row] = await database.query<{kept: string[] | null; joined: string[] | null}>(
    `with one as (select chr(n) as c from generate_series(1, 1114111) as n where n not between 55296 and 57343),
          folded as (
       select c, ${schema}.sparql_folded(c) as f, ${schema}.sparql_folded(lower(c collate "und-x-icu")) as of_lower,
              ${schema}.sparql_folded(upper(c collate "und-x-icu")) as of_upper,
              ${schema}.sparql_folded('aΣ' || c || 'Σb') as of_whole
         from one)
     select array_agg(c) filter (where of_lower <> f or of_upper <> f) as kept,
            array_agg(c) filter (where of_whole <> 'aσ' || f || 'σb') as joined
       from folded`,
  )

  t.deepEqual(row, {kept: null, joined: null})
})

test('the sample is folded here as it is in the index', async t => {
  const {database} = await useDatabase(t)
  const texts = ['Straße ẞ ſ ﬁ', 'İI ıi', 'ὈΔΥΣΣΕΎΣ ὀδυσσεύς', 'plain TEXT', 'Ǆ ǅ ᾳ ᾼ', 'МИР 日本語 😀']

  const rows = await database.query<{text: string}>(
    `select ${schema}.sparql_folded(t.text) as text from unnest($1::text[]) with ordinality as t (text, n) order by n`,
    [texts],
  )

  t.deepEqual(
    rows.map(({text}) => text),
    texts.map(folded),
  )
})

test('patterns of LIKE take what is special in them as it is', async t => {
  const {database} = await useDatabase(t)

  const [row] = await database.query(
    `select ${schema}.sparql_like(array['50%_\\', 'Ab'], true, false) as "start",
            ${schema}.sparql_like(array['50%_\\', 'Ab'], false, true) as "end"`,
  )

  t.deepEqual(row, {start: '50\\%\\_\\\\%ab%', end: '%50\\%\\_\\\\%ab'})
})
