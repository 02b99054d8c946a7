/** The search index: its creation, interruptions, rights, its pending list, and the functions on which it is built. */
import test, {type ExecutionContext} from 'ava'
import {createPool, type Database} from '../../src/db/connection/pool.ts'
import {
  createSearchIndex,
  dropSearchIndex,
  mergeSearchIndex,
  readSearchIndexState,
} from '../../src/db/store/search-index.ts'
import {langLiteral, literal, namedNode, triple} from '../../src/rdf/term.ts'
import {start} from '../../src/serve.ts'
import {readConfig} from '../../src/settings/config.ts'
import {administer, createTestDatabase, testSchema as schema} from '../support/postgres.ts'
import {base, useStore} from '../support/store.ts'

async function useDatabase(t: ExecutionContext) {
  const made = await createTestDatabase()
  t.teardown(made.drop)
  return made
}

const usable = {isThere: true, isUsable: true}
const missing = {isThere: false, isUsable: false}

test('a new dataset has the index; it is dropped and created again', async t => {
  const {database} = await useDatabase(t)

  t.deepEqual(await readSearchIndexState(database, schema), usable)
  t.is(await createSearchIndex(database, schema), 'kept')
  await dropSearchIndex(database, schema)
  t.deepEqual(await readSearchIndexState(database, schema), missing)
  t.is(await mergeSearchIndex(database, schema), 0)
  t.is(await createSearchIndex(database, schema), 'made')
  t.deepEqual(await readSearchIndexState(database, schema), usable)
})

test('the index that the service creates is the one of a new dataset', async t => {
  const {database} = await useDatabase(t)
  const definition = () =>
    database.query<{text: string}>(`select pg_get_indexdef(${schema}.store_relation('term_words', 'term')) as text`)
  const first = await definition()

  await dropSearchIndex(database, schema)
  await createSearchIndex(database, schema)

  t.deepEqual(await definition(), first)
})

test('an interrupted creation is completed', async t => {
  const {database, address} = await useDatabase(t)
  const options = {connectionMax: 1, isPooled: false, prepare: false}
  const [holder, maker] = [0, 300].map(statementTimeoutMs => createPool(address, {...options, statementTimeoutMs}))
  if (holder === undefined || maker === undefined) throw new Error('two pools were made')
  t.teardown(() => Promise.all([holder.end(1000), maker.end(1000)]))
  await dropSearchIndex(database, schema)

  await holder.begin('read committed', async transaction => {
    await transaction.query(`insert into ${schema}.term (id, hash, lex) values (99999, gen_random_uuid(), 'http://e/')`)
    await t.throwsAsync(createSearchIndex(maker, schema), {message: /time limit|timeout|reached/})
  })

  t.deepEqual(await readSearchIndexState(database, schema), {isThere: true, isUsable: false})
  t.is(await createSearchIndex(database, schema), 'made')
})

test('the error for a role without the right says who may create the index', async t => {
  const {database, address, name} = await useDatabase(t)
  const role = `${name}_reader`
  await administer(`create role ${role} login`)
  t.teardown(() => administer(`drop role if exists ${role}`))
  t.teardown(() => database.query(`drop owned by ${role}`))
  await database.query(`grant usage on schema ${schema} to ${role}`)
  await database.query(`grant select on all tables in schema ${schema} to ${role}`)
  await dropSearchIndex(database, schema)
  const reader = createPool(
    {...address, user: role},
    {connectionMax: 1, isPooled: false, prepare: false, statementTimeoutMs: 0},
  )
  t.teardown(() => reader.end(1000))

  await t.throwsAsync(createSearchIndex(reader, schema), {
    message: /may not make the search index .*owner of the schema/,
  })
})

test('a service creates a missing index in the background, unless SEARCH is off', async t => {
  const {database, url} = await useDatabase(t)
  await dropSearchIndex(database, schema)
  const settings = {PORT: '0', DATABASE_URL: url, DATABASE_POOL_MAX: '4', DRAIN_TIMEOUT_MS: '1000'}
  const off = await start(readConfig({...settings, SEARCH: 'off'}))
  await off.stop()
  t.deepEqual(await readSearchIndexState(database, schema), missing)

  const on = await start(readConfig(settings))
  t.teardown(on.stop)
  for (let waited = 0; !(await readSearchIndexState(database, schema)).isUsable && waited < 30_000; waited += 50)
    await new Promise(resolve => setTimeout(resolve, 50))
  t.deepEqual(await readSearchIndexState(database, schema), usable)
})

test('writers append to a list, which is merged', async t => {
  const {create, made} = await useStore(t)
  const about = (text: string) => triple(namedNode(`${base}a/`), namedNode('http://e/p'), literal(text))
  await create(base, []).catch(() => undefined)
  await create(`${base}a/`, [about('words of a writer')])

  t.true((await mergeSearchIndex(made.database, schema)) > 0)
  t.is(await mergeSearchIndex(made.database, schema), 0)
  t.deepEqual(await matches(made.database, 'writer'), ['words of a writer'])
})

async function matches(database: Database, word: string): Promise<readonly string[]> {
  const rows = await database.query<{lex: string}>(
    `select t.lex from ${schema}.sparql_search('{word}', array[$1], $1, '{}', null, 100) as s
       join ${schema}.term as t on t.id = s.id`,
    [word],
  )
  return rows.map(({lex}) => lex)
}

test('texts are indexed without case, accents and punctuation', async t => {
  const {database} = await useDatabase(t)
  const wordsOf = async (lex: string, lang: string | null) => {
    const [row] = await database.query<{words: readonly string[]}>(
      `select tsvector_to_array(${schema}.search_words($1, $2)) as words`,
      [lex, lang],
    )
    return [...(row?.words ?? [])].sort()
  }

  t.deepEqual(await wordsOf('Old Houses', 'en-GB'), ['^oldhouses$', 'hous', 'houses', 'old'])
  t.deepEqual(await wordsOf('Old Houses', null), ['^oldhouses$', 'houses', 'old'])
  t.deepEqual(await wordsOf('Old Houses', 'xx'), ['^oldhouses$', 'houses', 'old'])
  t.deepEqual(await wordsOf('Café ΆΛΦΑ Новый', null), ['^cafeαλφαновый$', 'cafe', 'αλφα', 'новый'])
  t.deepEqual(await wordsOf('a/b.c@d <e>', null), ['^abcde$', 'a', 'b', 'c', 'd', 'e'])
  t.deepEqual(await wordsOf(`${'x'.repeat(3000)} end`, null), ['^end$', 'end'])
  t.deepEqual(await wordsOf('', null), ['^$'])
})

test('every character gives the same text as by its definition', async t => {
  const {database} = await useDatabase(t)

  const different = await database.query(
    `select c.text, ${schema}.search_text(c.text) as actual, d.text as expected
       from (select unnest(array[chr(n), 'A' || chr(n) || U&'\\0301b',
                                 U&'\\0327' || chr(n) || 'α' || chr(n) || U&'\\0301Σ'])
               from generate_series(1, 131071) as n
              where n not between 55296 and 57343 and n not between 19968 and 55215) as c (text)
      cross join lateral (
        select regexp_replace(normalize(regexp_replace(normalize(${schema}.sparql_folded(c.text), nfkd),
                                                       '([a-zα-ω])[\\u0300-\\u036f]+', '\\1', 'g'), nfc),
                              '[-/.:@<>&]', ' ', 'g') as text) as d
      where ${schema}.search_text(c.text) is distinct from d.text
      limit 10`,
  )

  t.deepEqual(different, [])
})

const oddTexts: readonly (readonly [lex: string, lang: string | null])[] = [
  ['Old Houses', 'en'],
  ['old-houses', null],
  ['OLD, "houses"; a house', null],
  ['house old', null],
  ['old\u00a0houses', null],
  ['Café ältere Häuser', 'de'],
  ['cafe', null],
  ['100% old_houses 3.14 -5 1e5 v1.2', null],
  ["it's at http://e.org/old/houses?x=1&y=2 <b>bold</b>", null],
  ['\u00bd house\u0301 ΆΛΦΑ', null],
  ['', null],
]
const oddSearches: readonly (readonly [kinds: readonly string[], texts: readonly string[]])[] = [
  [['word'], ['house']],
  [
    ['word', 'word'],
    ['old', 'houses'],
  ],
  [['phrase'], ['old houses']],
  [['phrase'], ['3 14']],
  [['prefix'], ['hous']],
  [['prefix'], ['caf']],
  [['word'], ['Café']],
  [['word'], ['1e5']],
  [
    ['word', 'prefix'],
    ['s', 'e'],
  ],
  [['any'], ['house cafe']],
  [['word'], ['αλφα']],
  [['word'], ['%']],
]

test('literals of a part are the same as those of the index', async t => {
  const {create, made} = await useStore(t)
  await create(base, []).catch(() => undefined)
  const about = ([lex, lang]: (typeof oddTexts)[number]) =>
    triple(namedNode(`${base}a/`), namedNode('http://e/p'), lang === null ? literal(lex) : langLiteral(lex, lang))
  await create(`${base}a/`, oddTexts.map(about))
  const rows = await made.database.query<{id: string}>(`select id from ${schema}.term where id > 1::int8 << 62`)
  const ids = rows.map(({id}) => id)
  const found = async (search: (typeof oddSearches)[number], within: readonly string[] | null, frequency: number) => {
    const [row] = await made.database.query<{ids: readonly string[]; scores: readonly string[]}>(
      `select ids, scores from ${schema}.search_literals($1, $2, $3, '{en}', null, $4, $5, null, 100)`,
      [search[0], search[1], search[1].join(' '), within, frequency],
    )
    return row
  }

  for (const search of oddSearches) {
    const expected = await found(search, null, 0)
    t.deepEqual(await found(search, ids, 1e9), expected, `each literal: ${JSON.stringify(search)}`)
    t.deepEqual(await found(search, ids, 0), expected, `by the index: ${JSON.stringify(search)}`)
  }
  t.is((await found([['phrase'], ['old houses']], ids, 1e9))?.ids.length, 6)
})

test('a role that does not own the index learns how frequent words are', async t => {
  const {database, address, name} = await useDatabase(t)
  await database.query(`insert into ${schema}.term (id, hash, lex)
    select ${schema}.first_literal() + n, gen_random_uuid(), 'frequent ' || n from generate_series(1, 3000) as n`)
  await database.query('analyze') // of a shard in a Citus cluster, where `term` is a view
  const role = `${name}_asker`
  await administer(`create role ${role} login`)
  t.teardown(() => administer(`drop role if exists ${role}`))
  t.teardown(() => database.query(`drop owned by ${role}`))
  await database.query(`grant usage on schema ${schema} to ${role}`)
  const asker = createPool(
    {...address, user: role},
    {connectionMax: 1, isPooled: false, prepare: false, statementTimeoutMs: 0},
  )
  t.teardown(() => asker.end(1000))

  const frequency = async (kinds: readonly string[], texts: readonly string[]) => {
    const text = `select ${schema}.search_frequency($1, $2, '{en}') as number`
    const [row] = await asker.query<{number: number}>(text, [kinds, texts])
    return Math.round((row?.number ?? 0) / 100) * 100
  }
  t.is(await frequency(['word'], ['Frequent']), 3000)
  t.is(await frequency(['prefix'], ['freq']), 3000)
  t.is(await frequency(['word', 'word'], ['frequent', 'absent']), 0)
  t.is(await frequency(['phrase'], ['frequent absent']), 0)
  t.is(await frequency(['any'], ['absent frequent']), 3000)
})
