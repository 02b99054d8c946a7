/** The text index: its creation, interruptions, rights, and the properties of folding. */
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import test, {type ExecutionContext} from 'ava'
import {adviceFor} from '../../src/command/advice.ts'
import {createPool, type Database} from '../../src/db/connection/pool.ts'
import {readFrequencies} from '../../src/db/query/frequencies.ts'
import {openDataset} from '../../src/db/store/dataset.ts'
import {createTextIndex, dropTextIndex, readTextIndexState} from '../../src/db/store/text-index.ts'
import {start} from '../../src/serve.ts'
import {readConfig} from '../../src/settings/config.ts'
import {folded} from '../../src/sparql/plan/join/text-share.ts'
import {importFiles} from '../../src/transfer/import.ts'
import {administer, areDistributed, createTestDatabase, testSchema as schema} from '../support/postgres.ts'
import {platformNamespace} from '../support/store.ts'

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

test('the index is created once, with its extension, and dropped', async t => {
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

test('an index whose creation was interrupted is not used, and is created again', async t => {
  const {database, address} = await useDatabase(t)
  const options = {connectionMax: 1, isPooled: false, prepare: false}
  const [holder, maker] = [0, 300].map(statementTimeoutMs => createPool(address, {...options, statementTimeoutMs}))
  if (holder === undefined || maker === undefined) throw new Error('two pools were made')
  t.teardown(() => Promise.all([holder.end(1000), maker.end(1000)]))
  await database.query('create extension pg_trgm with schema public')

  // The creation waits for a transaction that wrote terms, and reaches its time limit.
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

test('writes continue while the index is created, and two creations do not conflict', async t => {
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

test('the extension may be in another schema', async t => {
  const {database} = await useDatabase(t)
  await database.query('create schema "Other things"')
  await database.query('create extension pg_trgm with schema "Other things"')

  t.is(await createTextIndex(database, schema), 'made')
  t.like(await stateOf(database), {extensionSchema: 'Other things', isUsable: true})
  t.truthy((await readFrequencies(database, schema)).texts)
})

test('the error for a role without the right says who may create the index', async t => {
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

test('a server without the extension is reported, without advice', async t => {
  const {database} = await useDatabase(t)
  const [row] = await database.query<{text: string}>(
    `select pg_get_functiondef('${schema}.text_index_state()'::regprocedure) as text`,
  )
  await database.query((row?.text ?? '').replace("= 'pg_trgm'", "= 'pg_absent'")) // as if it were not installed

  t.deepEqual(await stateOf(database), {isOffered: false, extensionSchema: undefined, isThere: false, isUsable: false})
  t.deepEqual(await advised(database, 20_000), [])
  t.is((await readFrequencies(database, schema)).texts, undefined)
  await t.throwsAsync(createTextIndex(database, schema), {
    message: /needs pg_trgm, which this PostgreSQL does not have/,
  })
})

test('an import into an empty dataset leaves it with a complete index', async t => {
  const {database, address} = await useDatabase(t)
  const folder = await mkdtemp(join(tmpdir(), 'quadstead-text-'))
  t.teardown(() => rm(folder, {recursive: true, force: true}))
  const base = 'http://localhost:8080/'
  await openDataset(database, {schema, base, defaultBase: base, platformNamespace})
  await createTextIndex(database, schema)
  await database.end(1000)
  const options = {connectionMax: 1, isPooled: false, prepare: false, statementTimeoutMs: 0, keepsSessions: true}
  const loader = createPool(address, options)
  t.teardown(() => loader.end(1000))
  const lines = Array.from(
    {length: 20_000},
    (_, n) => `<http://e/s${n}> <http://e/p> "Text number ${n}" <http://e/g> .\n`,
  )
  await writeFile(join(folder, 'data.nq'), lines.join(''))

  const silent = {onFault: () => undefined, onProgress: () => undefined, signal: new AbortController().signal}
  const how = {files: [join(folder, 'data.nq')], format: undefined, graph: undefined, isRaw: true, skipsBad: false}
  const {isMerged} = await importFiles(loader, {schema, base, ...how, ...silent})

  t.is(isMerged, areDistributed)
  t.like(await stateOf(loader), {isThere: true, isUsable: true})
  const found = await loader.begin('read committed', async transaction => {
    const text = `select lex from ${schema}.term
                   where ${schema}.sparql_folded(lex) like '%text number 19999%' and id >= 4611686018427387904`
    const plan = await transaction.query(`explain ${text}`)
    return [JSON.stringify(plan).includes('term_text'), await transaction.query(text)]
  })
  t.deepEqual(found, [true, [{lex: 'Text number 19999'}]])
})

test('a service with TEXT_INDEX=on creates the index while it answers requests', async t => {
  const {url, database} = await useDatabase(t)
  const service = await start(readConfig({DATABASE_URL: url, PORT: '0', TEXT_INDEX: 'on'}))
  try {
    const deadline = performance.now() + 30_000
    while (!(await stateOf(database)).isUsable && performance.now() < deadline) await delay(50)
  } finally {
    await service.stop()
  }

  t.like(await stateOf(database), {isThere: true, isUsable: true})
})

test('folding removes the case of every character, and preserves concatenation', async t => {
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

test('the program folds the sample like the index', async t => {
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

test('LIKE patterns escape special characters', async t => {
  const {database} = await useDatabase(t)

  const [row] = await database.query(
    `select ${schema}.sparql_like(array['50%_\\', 'Ab'], true, false) as "start",
            ${schema}.sparql_like(array['50%_\\', 'Ab'], false, true) as "end"`,
  )

  t.deepEqual(row, {start: '50\\%\\_\\\\%ab%', end: '%50\\%\\_\\\\%ab'})
})
