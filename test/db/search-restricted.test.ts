/** Searches that are restricted to a small part of a store are complete, however frequent their words are elsewhere. */
import test, {type ExecutionContext} from 'ava'
import type {Caller} from '../../src/db/store/caller.ts'
import {putGrants} from '../../src/db/store/grants.ts'
import type {SearchFilters} from '../../src/db/store/search-reads.ts'
import type {Session} from '../../src/db/store/session.ts'
import {searchDocuments} from '../../src/ldp/search.ts'
import {literal, namedNode, triple} from '../../src/rdf/term.ts'
import {simpleKeyStart} from '../../src/rdf/term-key.ts'
import {rdf} from '../../src/rdf/vocabulary.ts'
import {schemaIdentifier} from '../support/postgres.ts'
import {base, useStore} from '../support/store.ts'

const many = 6000 // more than the literals that a search reads of the whole store
const [title, note] = ['http://purl.org/dc/terms/title', 'http://e/note']

/** A container with many documents that have a word, and then one with two. */
async function fill(t: ExecutionContext) {
  const store = await useStore(t)
  const {create, made} = store
  await create(`${base}large/`, [])
  await made.database.begin('read committed', async transaction => {
    await transaction.script(`set local search_path to ${schemaIdentifier}; set local statement_timeout to 0`)
    await transaction.query(
      `create temporary table made on commit drop as
       select d.id, d.n, (term_ids(array['I' || $1]))[1] as parent
         from unnest(intern_terms(array(
                select 'I' || $1 || n || '/' from generate_series(1, $2::int) as n))) with ordinality as d (id, n)`,
      [`${base}large/`, many],
    )
    await transaction.query(
      `create temporary table word on commit drop as
       select w.id, w.n from unnest(intern_terms(array(
                select $1 || 'common word ' || n from generate_series(1, $2::int) as n))) with ordinality as w (id, n)`,
      [simpleKeyStart, many],
    )
    await transaction.query(
      `insert into document (id, parent, created, modified, has_member_relation)
       select id, parent, now(), now(), ldp_member() from made order by id`,
    )
    await transaction.query(
      `insert into quad (g, s, p, o)
       select m.id, m.id, (intern_terms(array['I' || $1]))[1], w.id from made as m join word as w using (n)`,
      [title],
    )
  })
  await create(`${base}small/`, [])
  for (const name of ['one', 'two']) {
    const iri = `${base}small/${name}/`
    const about = (property: string, text: string) => triple(namedNode(iri), namedNode(property), literal(text))
    await create(iri, [
      triple(namedNode(iri), namedNode(rdf.type), namedNode('http://e/Rare')),
      about(title, `a common title of ${name}`),
      about(note, `a common note on ${name}`),
    ])
  }
  return store
}

async function search(session: Session, filters: SearchFilters) {
  const request = {text: 'common', languages: ['en'], filters, order: 'relevance', page: 1} as const
  const {hits, total, isComplete} = await searchDocuments({session}, request)
  return {total, isComplete, found: hits.map(({document}) => document.slice(base.length)).sort()}
}

const small = {total: 2, isComplete: true, found: ['small/one/', 'small/two/']}

test('by container, class, property, and what the caller may read', async t => {
  const {session, made} = await fill(t)
  await made.database.query('analyze')

  t.false((await search(session, {})).isComplete)
  t.deepEqual(await search(session, {under: `${base}small/`}), small)
  t.deepEqual(await search(session, {type: 'http://e/Rare'}), small)
  t.deepEqual(await search(session, {properties: [note]}), small)
  t.deepEqual(await search(session, {under: `${base}large/`, properties: [note]}), {...small, total: 0, found: []})
  t.deepEqual(await search(session, {under: `${base}large/77/`}), {...small, total: 1, found: ['large/77/']})

  const may = (name: string) => [{grantee: `group ${name}`, modes: ['read' as const]}]
  const put = (iri: string, name: string, inherits: boolean) =>
    putGrants(session, iri, {grants: may(name), inherits, ifMatch: undefined, keepsControl: false})
  await put(base, 'most', true)
  await put(`${base}small/`, 'part', false)
  const asked = (name: string, filters: SearchFilters) => {
    const caller: Caller = {grantees: [`group ${name}`], isHidden: true, agent: undefined, isAudited: false}
    return search({...session, caller}, filters)
  }
  t.deepEqual(await asked('part', {}), small)
  t.deepEqual(await asked('part', {under: `${base}large/`}), {...small, total: 0, found: []})
  t.deepEqual(await asked('most', {under: `${base}small/`}), {...small, total: 0, found: []})
  t.deepEqual(await asked('nobody', {}), {...small, total: 0, found: []})
  t.is((await asked('most', {})).found.length, 20)
})

test('of words that too many literals have, the newest literals are read, and all of a small part', async t => {
  const {session, made} = await fill(t)
  await made.database.query('analyze')
  // PostgreSQL's statistics tell how many literals there are. Here they say that these are a hundred million.
  await made.database.query(
    `update pg_class set reltuples = 1e8 where oid = ${schemaIdentifier}.store_relation('term_words', 'term')`,
  )
  const first = async (text: string, order: 'date' | 'relevance', filters: SearchFilters = {}) => {
    const {hits, isComplete} = await searchDocuments({session}, {text, languages: ['en'], filters, order, page: 1})
    return {isComplete, found: hits.slice(0, 2).map(({document}) => document.slice(base.length))}
  }

  for (const text of ['common', 'comm*']) {
    t.deepEqual(await first(text, 'date'), {isComplete: false, found: ['small/two/', 'small/one/']}, text)
    t.is((await first(text, 'relevance', {properties: [title]})).found.length, 2, text)
    const {isComplete, found} = await first(text, 'date', {under: `${base}small/`})
    t.deepEqual({isComplete, found: found.sort()}, {isComplete: true, found: ['small/one/', 'small/two/']}, text)
  }
  t.is((await first('common word 7', 'relevance')).found[0], 'large/7/') // an old literal that is just this
  t.deepEqual(await search(session, {type: 'http://e/Rare'}), small)
  t.deepEqual(await search(session, {properties: [note]}), small)
})

test('whether a document is in a realm is found by its id, however many documents are in realms', async t => {
  const {session, made} = await fill(t)
  const grants = [{grantee: 'group part', modes: ['read' as const]}]
  for (const path of ['large/', 'small/'])
    await putGrants(session, base + path, {grants, inherits: false, ifMatch: undefined, keepsControl: false})
  await made.database.query('analyze')

  const blocks = await made.database.begin('read committed', async transaction => {
    await transaction.script(`set local search_path to ${schemaIdentifier}`)
    const text = `explain (analyze, buffers, format json)
      select bool_and(is_in_realms(d.id, array[-d.realm, -1])) from (select * from document limit 100) as d`
    await transaction.query(text)
    const [row] = await transaction.query<{'QUERY PLAN': [{Plan: Record<string, number>}]}>(text)
    return row?.['QUERY PLAN'][0].Plan['Shared Hit Blocks'] ?? Number.NaN
  })

  t.true(blocks < 1500, `${blocks} blocks for 100 documents`)
})
