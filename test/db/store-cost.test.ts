/**
 * The cost of the document functions depends on the documents that they use, not on the size of the store, with or
 * without statistics.
 *
 * The measure is the number of pages read: it does not depend on time, and shows a scan of a whole index or table.
 */
import {readFileSync} from 'node:fs'
import test from 'ava'
import type {Database, Transaction} from '../../src/db/connection/pool.ts'
import {createTestDatabase, schemaIdentifier} from '../support/postgres.ts'

const small = 40
const large = 2000

/** Similar documents in /c/: each refers to the next, and half of their triples have the same objects. */
const fill = (count: number) => `do $$
  begin
    perform test_document('/c/');
    for i in 1..${count} loop
      perform test_document('/c/' || i || '/', '<> :name "n' || i, '<> rdf:type :Thing',
        '<> :next /c/' || i % ${count} + 1 || '/', '<> :part _:x', '_:x :tag "t',
        '_:x rdf:first /c/' || i % 7 + 1 || '/', '_:x rdf:rest rdf:nil', ':shared :by :all');
    end loop;
  end $$`

/** Each is executed for document 20, to warm up caches, and then for document 25. */
const operations: Readonly<Record<string, (i: number) => string>> = {
  read: i => `read_documents(array['http://test/c/${i}/'], null, array[5000], array[0], array[10])`,
  'page of children': i => `read_documents(array['http://test/c/'], null, array[0], array[${i}], array[10])`,
  create: i => `test_document('/c/${i}/child/', '<> :name "new', '<> :see /c/1/', '_:x :tag "t', ':shared :by :all')`,
  replace: i =>
    `test_replace('/c/${i}/', '<> :name "new', '<> rdf:type :Thing', '_:qs${i} :tag "t', ':shared :by :all')`,
  delete: i => `delete_document('http://test/c/${i}/')`,
  'delete of children': i => `delete_children('http://test/c/${i}/')`,
  'drop of a triple': i =>
    `drop_quads(test_id('/c/${i}/'), array[test_id('/c/${i}/')], array[rdf_type()], array[test_id(':Thing')])`,
  'put of a triple': i =>
    `put_quads(test_id('/c/${i}/'), array[test_id('/c/${i}/')], array[test_id(':name')], array[-1])`,
}

type Plan = readonly [{readonly Plan: Readonly<Record<string, unknown>>}]

/** Pages that a call reads, in a transaction that is rolled back. */
async function pagesOf(database: Database, call: (i: number) => string): Promise<number> {
  let pages = 0
  const work = async ({query, script}: Transaction) => {
    await script(`set local search_path = ${schemaIdentifier}`)
    for (const i of [20, 25]) {
      const [row] = await query<Record<string, Plan>>(
        `explain (analyze, buffers, timing off, summary off, format json) select ${call(i)}`,
      )
      const plan = row?.['QUERY PLAN']?.[0].Plan ?? {}
      pages = Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks'])
    }
    throw new Undone()
  }
  await database.begin('read committed', work).catch(error => {
    if (!(error instanceof Undone)) throw error
  })
  return pages
}

class Undone extends Error {}

async function filled(count: number): Promise<{database: Database; drop: () => Promise<void>}> {
  const made = await createTestDatabase(undefined, {connectionMax: 2})
  await made.database.query(`alter database ${made.name} set search_path = ${schemaIdentifier}`)
  // After autovacuum of a table PostgreSQL plans again, which reads its catalogues; it vacuums one table after another.
  await made.database.query(`do $$
    declare
      v_table regclass;
    begin
      for v_table in
        select oid from pg_class where relnamespace = '${schemaIdentifier}'::regnamespace and relkind = 'r' loop
        execute format('alter table %s set (autovacuum_enabled = false)', v_table);
      end loop;
    end $$`)
  await made.database.begin('read committed', async ({script}) => {
    await script(`set local search_path = ${schemaIdentifier}`)
    await script(readFileSync('test/sql/support.sql', 'utf8'))
    await script(fill(count))
    await made.database.query('analyze') // of another connection: it sees pages without rows
  })
  return made
}

async function costs(database: Database): Promise<Record<string, number>> {
  const measured: Record<string, number> = {}
  // Autovacuum of a catalogue may end between two calls. Then PostgreSQL plans again, which reads its catalogues.
  for (const [name, call] of Object.entries(operations))
    measured[name] = Math.min(await pagesOf(database, call), await pagesOf(database, call))
  return measured
}

test('in a store fifty times as large a call reads about as many pages, also where statistics call it empty', async t => {
  t.timeout(120_000)
  const [little, much] = [await filled(small), await filled(large)]
  t.teardown(little.drop)
  t.teardown(much.drop)

  const misled = await costs(much.database)
  await much.database.query('analyze')
  await little.database.query('analyze')
  const expected = await costs(little.database)
  const known = await costs(much.database)

  t.log(JSON.stringify({expected, misled, known}))
  const isDear = (name: string) => Math.max(misled[name] ?? 0, known[name] ?? 0) > 2 * (expected[name] ?? 0) + 60
  t.deepEqual(Object.keys(operations).filter(isDear), [])
})
