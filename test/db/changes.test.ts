/**
 * Every change passes record_change: a change feed and a history can be built on it, and on triggers of quad.
 *
 * The test replaces record_change by a feed, and adds triggers with transition tables to quad and term. After each kind
 * of write, the feed must have the entity tags of every changed document, before and after. The graphs before the write
 * and the triples that the triggers saw must add up to the graphs after it, and so must the names of terms.
 */
import test from 'ava'
import {removeRawGraphs} from '../../src/db/bulk/raw-graphs.ts'
import {openSession} from '../../src/db/store/create-session.ts'
import {copyDocument, moveDocument} from '../../src/db/store/document-moves.ts'
import {readDocument} from '../../src/db/store/document-reads.ts'
import {
  addMembers,
  createAccessPoint,
  createDocument,
  deleteChildren,
  deleteDocument,
  patchDocument,
  putGraph,
  removeMembers,
  replaceDocument,
} from '../../src/db/store/document-writes.ts'
import {addGrant, putGrants, removeGrant} from '../../src/db/store/grants.ts'
import {createKey, removeKey} from '../../src/db/store/keys.ts'
import type {Session} from '../../src/db/store/session.ts'
import type {Iri, Triple} from '../../src/rdf/term.ts'
import {base, exported, type TestDataset, useDataset} from '../support/importing.ts'
import {schemaIdentifier, testSchema} from '../support/postgres.ts'
import {noConditions, triple} from '../support/store.ts'

const ldp = 'http://www.w3.org/ns/ldp#'
const [point, list, other, spare] = [`${base}box/point/`, `${base}list/`, `${base}other/`, `${base}spare/`]
const box = `${base}box/`

const feed = `
  create table feed (n int8 generated always as identity, action text, document int8, before text, after text,
                     iri text);
  create table feed_quad (sign int, g int8, s int8, p int8, o int8);
  create or replace function record_change(action text, document int8, before text, after text, caller caller,
                                           iri text default null) returns void
  language plpgsql set search_path from current as $$
  begin
    insert into feed (action, document, before, after, iri)
    values (record_change.action, record_change.document, record_change.before, record_change.after,
            record_change.iri);
  end $$;
  create function feed_quads() returns trigger language plpgsql set search_path from current as $$
  begin
    insert into feed_quad select case tg_op when 'INSERT' then 1 else -1 end, c.g, c.s, c.p, c.o from changed as c;
    return null;
  end $$;
  create trigger added after insert on quad
    referencing new table as changed for each statement execute function feed_quads();
  create trigger removed after delete on quad
    referencing old table as changed for each statement execute function feed_quads();
  create table feed_term (sign int, id int8, lex text);
  create function feed_terms() returns trigger language plpgsql set search_path from current as $$
  begin
    insert into feed_term select case tg_op when 'INSERT' then 1 else -1 end, c.id, c.lex from changed as c;
    return null;
  end $$;
  create trigger added after insert on term
    referencing new table as changed for each statement execute function feed_terms();
  create trigger removed after delete on term
    referencing old table as changed for each statement execute function feed_terms();
  create table old_term as select id, lex from term;
  create table old_document as select id, revision from document;
  create table old_quad as select g, s, p, o from quad;`

type Row = {readonly action: string | null; readonly document: string | null; readonly iri: string | null}
type Tags = {readonly before: string | null; readonly after: string | null}

/** Reads what a write recorded, which documents it changed, and the triples that no trigger saw. Clears the feed. */
async function takeFeed({database}: TestDataset) {
  return database.database.begin('read committed', async ({query, script}) => {
    await script(`set local search_path = ${schemaIdentifier}, pg_temp`)
    const rows = await query<Row & Tags>('select action, document::text, before, after, iri from feed order by n')
    const changed = await query<Tags & {id: string}>(
      `select id::text, o.revision::text as before, d.revision::text as after
         from old_document as o full join document as d using (id) where o.revision is distinct from d.revision`,
    )
    const unseen = await query(
      `select g, s, p, o from (
         select g, s, p, o, 1 as sign from old_quad union all select g, s, p, o, sign from feed_quad
         union all select g, s, p, o, -1 from quad) as c
        group by g, s, p, o having sum(sign) <> 0`,
    )
    const misnamed = await query(
      `select id, lex from (
         select id, lex, 1 as sign from old_term union all select id, lex, sign from feed_term
         union all select id, lex, -1 from term) as c
        group by id, lex having sum(sign) <> 0`,
    )
    await script(`truncate feed, feed_quad, feed_term, old_document, old_quad, old_term;
      insert into old_term select id, lex from term;
      insert into old_document select id, revision from document; insert into old_quad select g, s, p, o from quad`)
    return {rows, changed, unseen: [...unseen, ...misnamed]}
  })
}

/** The tags of each document before its first and after its last change; 'broken' if one does not follow another. */
function changesOf(rows: readonly (Row & Tags)[]): ReadonlyMap<string, Tags | 'broken'> {
  const changes = new Map<string, Tags | 'broken'>()
  for (const {action, document, before, after} of rows) {
    if (document === null || before === after || action === 'grant') continue
    const known = changes.get(document)
    if (known === undefined) changes.set(document, {before, after})
    else changes.set(document, known === 'broken' || known.after !== before ? 'broken' : {before: known.before, after})
  }
  return changes
}

const p = (subject: Iri, object: Iri): Triple => triple(subject, 'http://e/p', object)
const create = (session: Session, iri: Iri, triples: readonly Triple[] = []) =>
  createDocument(session, iri, iri.replace(/[^/]+\/$/, ''), {triples, isReturning: false})
const listOf = (iri: Iri, inverse: Iri): readonly Triple[] => [
  triple(iri, `${ldp}hasMemberRelation`, 'http://e/has'),
  triple(iri, `${ldp}isMemberOfRelation`, inverse),
]

const to = (iri: Iri) => ({iri, overwrites: true, redirectSeconds: 0})

/** Kinds of writes in order, with the actions that they record, and how many documents they change. */
const kinds: readonly (readonly [
  name: string,
  actions: readonly string[],
  changed: number,
  write: (session: Session, dataset: TestDataset) => Promise<unknown>,
])[] = [
  ['create', ['create'], 1, session => create(session, box, [p(box, other), p('http://e/x', 'http://e/y')])],
  [
    'creates together',
    ['create', 'create', 'create'],
    3,
    session =>
      Promise.all(['1/', '2/', '3/'].map(name => create(session, box + name, [p('http://e/x', 'http://e/y')]))),
  ],
  ['create of a term', ['create'], 1, session => create(session, other, [p(other, `${box}1/`)])],
  ['list with an inverse', ['create'], 1, session => create(session, list, listOf(list, 'http://e/in'))],
  ['create in it', ['create'], 1, session => create(session, `${list}child/`)],
  [
    'access point',
    ['create'],
    2, // and its parent
    session => createAccessPoint(session, point, box, {triples: listOf(point, 'http://e/of'), isReturning: false}),
  ],
  ['create in an access point', ['create'], 2, session => create(session, `${point}child/`)],
  ['add members', ['add-members'], 2, session => addMembers(session, point, noConditions, [other])],
  ['add them again', ['add-members'], 0, session => addMembers(session, point, noConditions, [other])],
  ['add own members', ['add-members'], 2, session => addMembers(session, list, noConditions, [other])],
  [
    'replace',
    ['replace'],
    1,
    async session => {
      const state = await readDocument(session, other)
      const triples = (state?.triples ?? []).filter(({predicate}) => predicate.value !== 'http://e/p')
      return replaceDocument(session, other, noConditions, {
        triples: [...triples, p(other, `${box}2/`)],
        isReturning: false,
      })
    },
  ],
  [
    'replace without the triples of the service',
    ['replace'],
    1,
    async session => {
      const state = await readDocument(session, other)
      const own = (state?.triples ?? []).filter(({predicate}) => predicate.value.startsWith('http://e/'))
      return putGraph(session, other, noConditions, {triples: [...own, p(other, 'http://e/put')], isReturning: false})
    },
  ],
  [
    'patch',
    ['patch'],
    1,
    session =>
      patchDocument(session, other, noConditions, {
        changes: {added: [p(other, list)], removed: [p(other, `${box}2/`)]},
        isReturning: false,
      }),
  ],
  ['remove members', ['remove-members'], 2, session => removeMembers(session, list, noConditions, [other])],
  ['remove derived members', ['remove-members'], 2, session => removeMembers(session, list, noConditions, undefined)],
  ['move', ['move-to', 'move'], 7, session => moveDocument(session, box, noConditions, to(`${list}box/`))],
  [
    'create that mentions the old IRI',
    ['create'],
    1,
    session => create(session, spare, [p(spare, box), p(box, spare)]),
  ],
  ['move back', ['move-to', 'move'], 7, session => moveDocument(session, `${list}box/`, noConditions, to(box))],
  ['copy', ['copy'], 6, session => copyDocument(session, box, noConditions, {...to(`${base}copy/`), isDeep: true})],
  [
    'move onto a document',
    ['delete', 'move-to', 'move'],
    7,
    session => moveDocument(session, `${base}copy/`, noConditions, to(spare)),
  ],
  ['delete what was moved', ['delete'], 6, session => deleteDocument(session, spare, noConditions, {isDeep: true})],
  ['delete', ['delete'], 3, session => deleteDocument(session, list, noConditions, {isDeep: true})],
  [
    'grants',
    ['grant', 'grant', 'grant'],
    0,
    async session => {
      const grant = {grantee: 'public', modes: ['read' as const]}
      await putGrants(session, box, {grants: [grant], ifMatch: undefined, keepsControl: false})
      await addGrant(session, box, {...grant, grantee: 'group staff'})
      await removeGrant(session, box, {grantee: 'public', expires: 'all'}, {ifMatch: undefined, keepsControl: false})
    },
  ],
  [
    'keys',
    ['create-key', 'remove-key'],
    0,
    async session => {
      const holder = {agent: 'http://e/ada', groups: [], name: '', modes: null, within: null, expires: null}
      await removeKey(session, await createKey(session, {...holder, hash: new Uint8Array(32)}), null)
    },
  ],
  ['delete children', ['delete-children'], 6, session => deleteChildren(session, box, noConditions)],
  [
    'import',
    ['import'],
    2,
    (_, dataset) =>
      dataset.load([
        {name: 'a.nq', content: exported('a/') + exported('b/', ['<http://e/x> <http://e/p> <http://e/y>'])},
      ]),
  ],
  [
    'import of stored documents',
    ['import'],
    2,
    (_, dataset) =>
      dataset.load(
        [{name: 'a.nq', content: exported('a/', ['<http://e/x> <http://e/p> <http://e/z>']) + exported('b/')}],
        {
          existing: 'replace',
        },
      ),
  ],
  [
    'import of a raw graph',
    ['import'],
    0,
    (_, dataset) =>
      dataset.load([{name: 'a.nq', content: '<http://e/x> <http://e/p> <http://e/y> <urn:g> .\n'}], {isRaw: true}),
  ],
  [
    'removal of a raw graph',
    ['remove-graph'],
    0,
    (_, dataset) => removeRawGraphs(dataset.database.database, testSchema, ['urn:g']),
  ],
]

test('a feed instead of record_change, and triggers on quad, see every change of each kind of write', async t => {
  const dataset = await useDataset(t, {isMerged: true})
  const session = await openSession(dataset.database.database, testSchema)
  await dataset.database.database.begin('read committed', ({script}) =>
    script(`set local search_path = ${schemaIdentifier}, pg_temp; ${feed}`),
  )

  for (const [name, actions, changed, write] of kinds) {
    await write(session, dataset)
    const seen = await takeFeed(dataset)
    t.deepEqual(seen.unseen, [], name)
    t.deepEqual(
      seen.rows.flatMap(({action}) => action ?? []),
      actions,
      name,
    )
    t.is(seen.changed.length, changed, name)
    if (name === 'import') continue // one change for all new documents
    const expected = Object.fromEntries(seen.changed.map(({id, before, after}) => [id, {before, after}]))
    t.deepEqual(Object.fromEntries(changesOf(seen.rows)), expected, name)
  }
  t.deepEqual(await dataset.faults(), [])
})
