/** The cost of a page is the same for a document with 1,000 children, values and mentions as with 6,000. */
import test from 'ava'
import type {Database} from '../../src/db/connection/pool.ts'
import {literal, namedNode} from '../../src/rdf/term.ts'
import {schemaIdentifier} from '../support/postgres.ts'
import {base, type TestStore, useStore} from '../support/store.ts'

const sizes = [1000, 6000] as const

/** A document with many values, and as many children, each of which refers to it. */
async function makeCrowded({made, create}: TestStore, name: string, size: number): Promise<string> {
  const iri = `${base}${name}/`
  const subject = namedNode(iri)
  const predicate = namedNode('http://e/value')
  await create(
    iri,
    Array.from({length: size}, (_, n) => ({subject, predicate, object: literal(`value ${n}`)})),
  )
  await made.database.begin('read committed', async transaction => {
    await transaction.script(`set local search_path to ${schemaIdentifier}; set local statement_timeout to 0`)
    await transaction.query(
      `create temporary table made on commit drop as
       select made.id, (term_ids(array['I' || $1]))[1] as parent
         from unnest(intern_terms(array(
                select 'I' || $1 || 'child-' || n || '/' from generate_series(1, $2::int) as n))) as made (id)`,
      [iri, size],
    )
    await transaction.script(`
      insert into document (id, parent, created, modified, has_member_relation, member_by)
      select id, parent, now(), now(), ldp_member(), ldp_member() from made order by id;
      insert into quad (g, s, p, o) select id, id, (intern_terms('{Ihttp://e/see}'))[1], parent from made order by id`)
  })
  return iri
}

/** Blocks of the store that a call reads once plans and catalogue are warm. Its parameter is an IRI. */
const blocksIn = (database: Database) => (call: string, iri: string) =>
  database.begin('read committed', async transaction => {
    await transaction.script(`set local search_path to ${schemaIdentifier}, pg_temp`)
    let blocks = Number.NaN
    for (let time = 0; time < 3; time += 1) {
      const [row] = await transaction.query<{'QUERY PLAN': [{Plan: Record<string, number>}]}>(
        `explain (analyze, buffers, format json) select * from ${call}`,
        [iri],
      )
      const plan = row?.['QUERY PLAN'][0].Plan ?? {}
      blocks = (plan['Shared Hit Blocks'] ?? Number.NaN) + (plan['Shared Read Blocks'] ?? 0)
    }
    return blocks
  })

test('the cost of a page does not depend on the size of its document', async t => {
  t.timeout(110_000)
  const store = await useStore(t)
  const crowded = [await makeCrowded(store, 'small', sizes[0]), await makeCrowded(store, 'large', sizes[1])]
  const {database} = store.made
  await database.query('analyze')
  const blocksOf = blocksIn(database)
  const ofDocument = `(select t.id from term as t where t.hash = term_hash('I' || $1))`
  const calls: Readonly<Record<string, number>> = {
    'read_page($1, 0, 51, 1001, 31, 1000, 20, 200, 2000)': 1500,
    [`property_heads(${ofDocument}, 20, 200, 2000)`]: 500,
    "values_page($1, 'http://e/value', null, 100)": 600,
    "subject_page($1, $1, 'http://e/value', null, null, 200)": 1200,
    "labels_of(array[$1], '{http://e/value,http://e/see}', '{en}')": 300,
    'used_names(1000), has_document($1)': 300,
  }

  for (const [call, limit] of Object.entries(calls)) {
    const [small = Number.NaN, large = Number.NaN] = [
      await blocksOf(call, crowded[0] ?? ''),
      await blocksOf(call, crowded[1] ?? ''),
    ]
    t.log(`${call}: ${small} and ${large} blocks`)
    t.true(large < limit, `${call} touches ${large} blocks`)
    t.true(large < small * 1.5 + 20, `${call} touches ${small} blocks of the small, ${large} of the large document`)
  }
})

test('the last page of a small container costs as much as other pages, however many documents are newer', async t => {
  t.timeout(110_000)
  const store = await useStore(t)
  const first = await makeCrowded(store, 'first', 60)
  for (const name of ['second', 'third']) await makeCrowded(store, name, 20_000)
  const {database} = store.made
  await database.query('analyze')
  const blocksOf = blocksIn(database)
  const middle = `(select min(d.id) + 30 from document as d join term as t on t.id = d.parent where t.lex = $1)`

  const whole = await blocksOf('read_documents(array[$1], null, array[1000], array[0], array[50])', first)
  const last = await blocksOf(`read_documents(array[$1], null, array[1000], array[${middle}], array[50])`, first)
  const before = await blocksOf(`place_before($1, ${middle}, 50)`, first)

  const place = await blocksOf(`(select ${middle}) as place`, first)
  t.log(`${whole} blocks for the first page, ${last - place} for the last, ${before - place} to find the page before`)
  t.true(last - place < whole + 50)
  t.true(before - place < whole + 50)
})
