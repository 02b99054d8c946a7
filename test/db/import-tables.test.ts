/** An import into an empty dataset in use: new tables replace quad and term, and nothing else changes. */
import ava, {type ExecutionContext} from 'ava'
import type {Database} from '../../src/db/connection/pool.ts'
import {readSearchIndexState} from '../../src/db/store/search-index.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'
import {base, exported, type TestDataset, useDataset} from '../support/importing.ts'
import {until} from '../support/machine.ts'
import {areDistributed, testSchema} from '../support/postgres.ts'
import {dumpSchema} from '../support/schema-dump.ts'

/** The tables of a distributed dataset are shards, which are not exchanged: all imports are merged. */
const test = areDistributed ? ava.skip : ava

const ns = 'http://example.org/ns#'
const empty = {isMerged: false} as const
const content = exported('a/', [`_:x <${ns}p> _:x`, `<http://x/> <${ns}p> "y"`]) + exported('a/b/')

/** The catalogue's rows of a dataset's tables with everything that depends on them, with names instead of ids. */
const catalogue: readonly string[] = [
  `select c.relname, c.relacl::text, c.relowner::regrole::text as owner, c.reloptions, c.relkind,
          obj_description(c.oid, 'pg_class') as comment
     from pg_class as c where c.relnamespace = 'quadstead'::regnamespace order by c.relname`,
  `select a.attrelid::regclass::text as owner, a.attname, a.attnum, a.attnotnull, a.attstattarget, a.attstorage,
          col_description(a.attrelid, a.attnum) as comment
     from pg_attribute as a join pg_class as c on c.oid = a.attrelid
    where c.relnamespace = 'quadstead'::regnamespace and a.attnum > 0 and not a.attisdropped order by 1, 3`,
  `select k.conname, k.conrelid::regclass::text as owner, pg_get_constraintdef(k.oid) as definition,
          obj_description(k.oid, 'pg_constraint') as comment
     from pg_constraint as k where k.connamespace = 'quadstead'::regnamespace order by 2, 1`,
  `select i.indrelid::regclass::text as owner, pg_get_indexdef(i.indexrelid) as definition, i.indisvalid,
          case when i.indrelid = 'quad'::regclass -- where the order counts (sql/functions/document/graph.sql)
               then row_number() over (partition by i.indrelid order by i.indexrelid) end as place
     from pg_index as i join pg_class as c on c.oid = i.indexrelid
    where c.relnamespace = 'quadstead'::regnamespace order by 1, 2`,
  `select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition, p.proacl::text, p.proowner
     from pg_proc as p where p.pronamespace = 'quadstead'::regnamespace and p.prokind = 'f' order by 1`,
  `select c.oid::regclass::text as name, pg_get_viewdef(c.oid) as definition
     from pg_class as c where c.relkind = 'v' and c.relnamespace::regnamespace::text in ('quadstead', 'public') order by 1`,
]

async function readCatalogue(database: Database): Promise<unknown> {
  const parts: unknown[] = [await dumpSchema(database, 'quadstead')]
  for (const text of catalogue) parts.push(await database.query(text))
  return parts
}

test('the catalogue is the same afterwards: rights, comments, indexes, functions, views', async t => {
  const dataset = await useDataset(t, empty)
  const {database} = dataset.database
  await database.query('create view public.own with (security_barrier = true) as select s, copy from quadstead.quad')
  await database.query('grant select on quadstead.quad, quadstead.documents, public.own to pg_monitor')
  await database.query('grant insert on quadstead.term to public')
  await database.query('alter table quadstead.quad alter column o set statistics 300')
  await database.query('create index own_index on quadstead.term (lang) where lang is not null')
  const before = await readCatalogue(database)

  const {isMerged} = await dataset.load([{name: 'a.nq', content}])

  t.false(isMerged)
  t.deepEqual(await readCatalogue(database), before)
  const [row] = await database.query('select count(*)::int as own from public.own')
  t.deepEqual(row, {own: 26})
  t.deepEqual(await dataset.faults(), [])
})

const found = `select array_agg(l.lex order by l.lex) as texts
                 from quadstead.indexed_literals('word | own', 100) as i join quadstead.term as l using (id)`

test('the new tables have the search index, with the words of all literals', async t => {
  const dataset = await useDataset(t, empty)
  const {database} = dataset.database
  await database.query(`select quadstead.intern_terms(array['L${xsd.string}  own word'])`)
  const literals = Array.from({length: 30_000}, (_, n) => `<http://x/${n}> <${ns}p> "a text of number${n}"`)

  const {isMerged} = await dataset.load([
    {name: 'a.nq', content: exported('a/', [...literals, `<http://x/> <${ns}p> "a last word"@en`])},
  ])

  t.false(isMerged)
  t.deepEqual(await readSearchIndexState(database, testSchema), {isThere: true, isUsable: true})
  t.deepEqual(await database.query(found), [{texts: ['a last word', 'own word']}])
  const [some] = await database.query(
    `select count(*)::int as literals from quadstead.indexed_literals('text & number17777', 100)`,
  )
  t.deepEqual(some, {literals: 1})
  const [frequency] = await database.query<{text: number}>(
    `select quadstead.search_frequency('{word}', '{text}', '{}') as text`,
  )
  t.true(Math.abs((frequency?.text ?? 0) - 30_000) < 3000, String(frequency?.text))
})

test('a dataset without the search index, or with an incomplete one, gets none', async t => {
  for (const script of [
    'drop index quadstead.term_words',
    `update pg_index set indisvalid = false where indexrelid = 'quadstead.term_words'::regclass`,
  ]) {
    const dataset = await useDataset(t, empty)
    const {database} = dataset.database
    await database.query(script)

    t.false((await dataset.load([{name: 'a.nq', content}])).isMerged)
    t.deepEqual(await readSearchIndexState(database, testSchema), {isThere: false, isUsable: false})
    t.deepEqual(await dataset.faults(), [])
  }
})

const parts = {
  trigger: `create function public.note() returns trigger language plpgsql as 'begin return new; end';
            create trigger own before insert on quadstead.quad for each row execute function public.note()`,
  'foreign key': 'create table public.own (id int8 references quadstead.term)',
  publication: 'create publication own for table quadstead.term',
  'right on a column': 'grant select (s) on quadstead.quad to pg_monitor',
  'row type': 'create table public.own (it quadstead.quad)',
}

for (const [name, script] of Object.entries(parts)) {
  test(`the rows are merged if a part of the tables would be lost: ${name}`, async t => {
    const dataset = await useDataset(t, empty)
    await dataset.database.database.begin('read committed', transaction => transaction.script(script))

    t.like(await dataset.load([{name: 'a.nq', content}]), {isMerged: true, documents: 2})
    t.deepEqual(await dataset.faults(), [])
  })
}

for (const replaced of [false, true]) {
  const what = replaced ? 'with a root of its own' : 'below the root'
  test(`an earlier snapshot sees the old state to its end: ${what}`, async t => {
    const dataset = await useDataset(t, empty)
    const {database} = dataset.database
    const text = `select (select array_agg(concat(graph, subject, predicate, object, is_primary) order by 1)
                            from quadstead.quads) as quads,
                         (select array_agg(iri || etag order by 1) from quadstead.documents) as documents,
                         (select count(*)::int from quadstead.term where id in (select g from quadstead.quad)) as terms`
    const [before] = await database.query(text)

    const [after, summary] = await database.begin('repeatable read read only', async transaction => {
      await transaction.query('select from quadstead.dataset') // begins the snapshot, locks no replaced table
      const root = replaced ? exported('', [`<${base}> <${ns}p> "root"`]) : ''
      const loaded = await dataset.load([{name: 'a.nq', content: root + content}])
      return [await transaction.query(text), loaded]
    })

    t.false(summary.isMerged)
    t.deepEqual(after, [before])
    const [now] = await database.query<{documents: readonly string[]}>(text)
    t.is(now?.documents.length, 3)
    t.deepEqual(await dataset.faults(), [])
  })
}

/** Imports while another transaction reads quads. Calls `meanwhile` when the import waits for it. */
async function loadHeldUp(
  t: ExecutionContext,
  dataset: TestDataset,
  {meanwhile, replaceWithinMs}: {readonly meanwhile: () => Promise<unknown>; readonly replaceWithinMs: number},
) {
  const {database} = dataset.database
  const loading = database.begin('read committed', async transaction => {
    await transaction.query('select from quadstead.quad limit 1')
    const started = dataset.load([{name: 'a.nq', content}], {replaceWithinMs})
    await until(async () => {
      const tries = await database.query(`select from pg_stat_activity where query like '%import_replace%'
                                             and datname = current_database() and pid <> pg_backend_pid()`)
      return tries.length > 0
    })
    await meanwhile()
    return {started}
  })
  const {started} = await loading
  const summary = await started
  t.deepEqual(await dataset.faults(), [])
  return summary
}

test('readers are not disturbed: the exchange waits for a moment without them', async t => {
  const dataset = await useDataset(t, empty)
  const read = () => dataset.database.database.query('select count(*) from quadstead.quad')

  const summary = await loadHeldUp(t, dataset, {meanwhile: read, replaceWithinMs: 60_000})

  t.like(summary, {isMerged: false, documents: 2})
})

test('if there is always a reader, the rows are merged after a while', async t => {
  const dataset = await useDataset(t, empty)
  const {database} = dataset.database

  const summary = await database.begin('read committed', async transaction => {
    await transaction.query('select from quadstead.quad limit 1')
    return dataset.load([{name: 'a.nq', content}], {replaceWithinMs: 100})
  })

  t.like(summary, {isMerged: true, documents: 2, quads: 18})
  t.deepEqual(await dataset.faults(), [])
})

test('writes before the exchange are kept: the rows are merged', async t => {
  const dataset = await useDataset(t, empty)
  const {database} = dataset.database
  const keys = [`I${base}n/`, `I${ns}p`, 'Lhttp://www.w3.org/2001/XMLSchema#string  y', 'Bx', 'Ihttp://x/']
  const write = () =>
    database.query(`select quadstead.create_document($1, $2, $3, $4, $5, $6)`, [
      `${base}n/`,
      base,
      keys,
      [1, 4, 5],
      [2, 2, 2],
      [4, 4, 3],
    ])

  const summary = await loadHeldUp(t, dataset, {meanwhile: write, replaceWithinMs: 60_000})

  t.like(summary, {isMerged: true, documents: 2})
  const {text} = await dataset.write()
  t.is(text.split(`<http://x/> <${ns}p> "y" <`).length, 3, 'in both documents')
  t.is(new Set(text.match(/_:qs\d+/g)).size, 2, 'two nodes, not one')
})

test('a second concurrent import is merged', async t => {
  const dataset = await useDataset(t, empty)
  const {database} = dataset.database
  await database.begin('read committed', async transaction => {
    await transaction.query(`select pg_advisory_xact_lock(hashtextextended('quadstead import quadstead', 0))`)
    t.true((await dataset.load([{name: 'a.nq', content}])).isMerged)
  })
  t.deepEqual(await dataset.faults(), [])
})

test('the time to look for graphs of others grows as their number does', async t => {
  const shortestMs = async (graphs: number): Promise<number> => {
    const {database} = (await useDataset(t, empty)).database
    return database.begin('read committed', async transaction => {
      await transaction.query(`set local search_path = ${testSchema}, pg_temp`)
      await transaction.query('select import_tables()')
      for (const table of ['raw_graph', 'import_graph'])
        await transaction.query(`insert into ${table} select n from generate_series(1, $1::int) as n`, [graphs])
      let shortest = Number.POSITIVE_INFINITY
      for (let round = 0; round < 5; round += 1) {
        const begun = performance.now()
        const [row] = await transaction.query('select import_is_overtaken() as answer')
        shortest = Math.min(shortest, performance.now() - begun)
        t.deepEqual(row, {answer: false})
      }
      return shortest
    })
  }

  const [few, many] = [await shortestMs(5000), await shortestMs(20_000)]

  t.true(many < 9 * few, `${few} ms, and ${many} ms for four times as many; a comparison of all pairs takes 16 times`)
})
