/** Searches that are restricted to a small part of a store are complete, however frequent their words are elsewhere. */
import test, {type ExecutionContext} from 'ava'
import fc from 'fast-check'
import type {Caller} from '../../src/db/store/caller.ts'
import {putGrants} from '../../src/db/store/grants.ts'
import type {SearchFilters} from '../../src/db/store/search-reads.ts'
import type {Session} from '../../src/db/store/session.ts'
import {searchDocuments} from '../../src/ldp/search.ts'
import {langLiteral, literal, namedNode, triple} from '../../src/rdf/term.ts'
import {simpleKeyStart, termKey} from '../../src/rdf/term-key.ts'
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
  // Both small documents may be of the same millisecond.
  await made.database.query(
    `update document set modified = modified + interval '1 minute' where id = any (term_ids(array['I' || $1]))`,
    [`${base}small/two/`],
  )
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

const words = ['ab', 'a', 'b1', '12', '1e2', 'é', 'houses']
const between = [...' ,;!?()"\'-_+.:/@<>&%#$*=~^|\\\n\t\u0301\u00a0\u200b']
const text = fc.array(fc.constantFrom(...words, ...words, ...between, ' '), {minLength: 1, maxLength: 9})
const asked = fc.tuple(
  fc.constantFrom('word', 'phrase', 'prefix', 'any'),
  fc.array(fc.constantFrom(...words), {minLength: 1, maxLength: 2}),
)

/** Ids of the literals that match, and whether they begin with the search, by both ways. A phrase is checked again. */
const chosenAndExpected = `
  with asked as materialized (
    select search_query(array[$1::text], array[$2::text], '{en}') as query, array[search_pattern($1, $2)] as patterns,
           array[search_certain_pattern($1, $2)] as certain, rtrim(search_lead(search_text($2)), '$') as lead),
  text as materialized (
    select t.*, search_text(t.lex) as plain from known as k join term as t on t.id = k.id),
  phrase as materialized (
    select t.* from text as t
     where $1 <> 'phrase' or to_tsvector('simple', t.plain) @@ phraseto_tsquery('simple', search_text($2)))
  select (select coalesce(json_agg(array[c.id, c.is_first::int] order by c.id), '[]')
            from chosen_literals(a.query, a.patterns, a.certain, a.lead, array(select t.id from text as t), null) as c
            join phrase as p on p.id = c.id)::text as chosen,
         (select coalesce(json_agg(array[p.id, starts_with(search_lead(p.plain), a.lead)::int] order by p.id), '[]')
            from phrase as p where search_words(p.lex, p.lang) @@ a.query)::text as expected
    from asked as a`

test('what is chosen among some literals is what the index would find', async t => {
  const {made} = await useStore(t)
  const literals = fc.array(fc.tuple(text, fc.constantFrom('', 'en')), {minLength: 20, maxLength: 60})
  let found = 0
  const property = fc.asyncProperty(literals, asked, async (texts, [kind, looked]) => {
    const written = looked.slice(0, kind === 'phrase' || kind === 'any' ? 2 : 1).join(' ')
    const keys = texts.map(([parts, language]) =>
      language === '' ? simpleKeyStart + parts.join('') : termKey(langLiteral(parts.join(''), language)),
    )
    const row = await made.database.begin('read committed', async transaction => {
      await transaction.script(`set local search_path to ${schemaIdentifier}`)
      await transaction.query('create temporary table known (id int8) on commit drop')
      await transaction.query('insert into known select distinct unnest(intern_terms($1::text[]))', [keys])
      const rows = await transaction.query<{chosen: string; expected: string}>(chosenAndExpected, [kind, written])
      return rows[0]
    })
    found += JSON.parse(row?.expected ?? '[]').length
    return row !== undefined && row.chosen === row.expected
  })

  await fc.assert(property, {numRuns: 150})
  t.true(found > 300)
})
