/**
 * The change log has every change of each kind of write.
 *
 * After each write, the log must have the entity tags of every changed document, before and after. The present store
 * without the logged changes must be the store before the write: documents, places, graphs and names of terms.
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

const startNoting = `
  create table old_position as select nextval('change_seq') as position;
  create table old_document as select id, parent, revision from document;
  create table old_graph as select g, s, p, o from quad where g not in (select id from raw_graph)
    union select parent, parent, member_by, id from document where member_by is not null;
  create table old_term as select id, lex from term where id < first_literal()`

type Row = {readonly action: string; readonly document: string}
type Tags = {readonly before: string | null; readonly after: string | null}

/**
 * The store as it was at a position, from the present one and the log: documents, and triples with derived memberships.
 *
 * A document did not exist if its first change since then has no tag before. Otherwise its place is that of its first
 * part that has one, else that of its row or its deletion.
 */
const past = `
  with since as (select c.* from change as c, old_position as o where c.position > o.position),
  first as (select distinct on (c.document) c.document, c.before from since as c
             where c.action is not null and num_nonnulls(c.before, c.after) > 0
             order by c.document, c.position),
  place as (select distinct on (c.document) c.document, c.parent, c.member_by from since as c
             where c.action is null and c.parent is not null order by c.document, c.position),
  held as (select d.id, d.parent, d.member_by, d.revision from document as d
            union all
           (select distinct on (c.document) c.document, c.parent, c.member_by, c.before from since as c
             where c.action = 'deleted' and c.before is not null
               and not exists (select from document as d where d.id = c.document)
             order by c.document, c.position desc)),
  documents as (
    select h.id, case when p.document is null then h.parent else p.parent end as parent,
           case when p.document is null then h.member_by else p.member_by end as member_by,
           case when f.document is null then h.revision else f.before end as revision
      from held as h left join first as f on f.document = h.id left join place as p on p.document = h.id
     where f.document is null or f.before is not null),
  quads as (
    select g, s, p, o from (
      select g, s, p, o, 1 as sign from quad where g not in (select id from raw_graph)
       union all
      select c.document, a.s, a.p, a.o, -1 from since as c
       cross join lateral unnest(c.added_s, c.added_p, c.added_o) as a (s, p, o)
       union all
      select c.document, r.s, r.p, r.o, 1 from since as c
       cross join lateral unnest(c.removed_s, c.removed_p, c.removed_o) as r (s, p, o)) as q
     where not exists (select from first as f where f.document = q.g and f.before is null)
     group by g, s, p, o having sum(sign) > 0),
  graphs as (select g, s, p, o from quads union select parent, parent, member_by, id from documents
              where member_by is not null)`

/** Reads the log since the last call, and how the store as the log has it differs from what it was. */
async function takeChanges({database}: TestDataset) {
  return database.database.begin('read committed', async ({query, script}) => {
    await script(`set local search_path = ${schemaIdentifier}, pg_temp`)
    const rows = await query<Row & Tags>(
      `select c.action, c.document::text, c.before, c.after from change as c, old_position as o
        where c.position > o.position and c.action is not null order by c.position`,
    )
    const changed = await query<Tags & {id: string}>(
      `select id::text, o.revision::text as before, d.revision::text as after
         from old_document as o full join document as d using (id) where o.revision is distinct from d.revision`,
    )
    const wrong = await query(
      `${past}
       select 'graph' as kind, g, s, p, o from (table graphs except table old_graph) as more union all
       select 'no graph', g, s, p, o from (table old_graph except table graphs) as less union all
       select 'document', id, parent, revision, null
         from (select id, parent, revision from documents except table old_document) as more
        union all
       select 'no document', id, parent, revision, null
         from (table old_document except select id, parent, revision from documents) as less`,
    )
    const misnamed = await query(
      `select t.id, t.lex, name_at(t.id, o.position) as found from old_term as t, old_position as o
        where name_at(t.id, o.position) is distinct from t.lex`,
    )
    await script(`drop table old_position, old_graph, old_term, old_document; ${startNoting}`)
    return {rows, changed, wrong: [...wrong, ...misnamed]}
  })
}

/** The tags of each document before its first and after its last change; 'broken' if one does not follow another. */
function changesOf(rows: readonly (Row & Tags)[]): ReadonlyMap<string, Tags | 'broken'> {
  const changes = new Map<string, Tags | 'broken'>()
  for (const {document, before, after} of rows) {
    if (before === after) continue
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
  ['create', ['created'], 1, session => create(session, box, [p(box, other), p('http://e/x', 'http://e/y')])],
  [
    'creates together',
    ['created'],
    3,
    session =>
      Promise.all(['1/', '2/', '3/'].map(name => create(session, box + name, [p('http://e/x', 'http://e/y')]))),
  ],
  ['create of a term', ['created'], 1, session => create(session, other, [p(other, `${box}1/`)])],
  ['list with an inverse', ['created'], 1, session => create(session, list, listOf(list, 'http://e/in'))],
  ['create in it', ['created'], 1, session => create(session, `${list}child/`)],
  [
    'access point',
    ['created', 'changed'],
    2, // and its parent
    session => createAccessPoint(session, point, box, {triples: listOf(point, 'http://e/of'), isReturning: false}),
  ],
  ['create in an access point', ['created', 'members-added'], 2, session => create(session, `${point}child/`)],
  ['add members', ['members-added', 'changed'], 2, session => addMembers(session, point, noConditions, [other])],
  ['add them again', [], 0, session => addMembers(session, point, noConditions, [other])],
  ['add own members', ['members-added', 'changed'], 2, session => addMembers(session, list, noConditions, [other])],
  [
    'replace',
    ['replaced'],
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
    ['replaced'],
    1,
    async session => {
      const state = await readDocument(session, other)
      const own = (state?.triples ?? []).filter(({predicate}) => predicate.value.startsWith('http://e/'))
      return putGraph(session, other, noConditions, {triples: [...own, p(other, 'http://e/put')], isReturning: false})
    },
  ],
  [
    'patch',
    ['patched'],
    1,
    session =>
      patchDocument(session, other, noConditions, {
        changes: {added: [p(other, list)], removed: [p(other, `${box}2/`)]},
        isReturning: false,
      }),
  ],
  ['remove members', ['members-removed', 'changed'], 2, session => removeMembers(session, list, noConditions, [other])],
  [
    'remove derived members',
    ['members-removed', 'changed'],
    2,
    session => removeMembers(session, list, noConditions, undefined),
  ],
  ['move', ['moved', 'changed'], 7, session => moveDocument(session, box, noConditions, to(`${list}box/`))],
  [
    'create that mentions the old IRI',
    ['created'],
    1,
    session => create(session, spare, [p(spare, box), p(box, spare)]),
  ],
  ['move back', ['moved', 'changed'], 7, session => moveDocument(session, `${list}box/`, noConditions, to(box))],
  ['copy', ['created'], 6, session => copyDocument(session, box, noConditions, {...to(`${base}copy/`), isDeep: true})],
  [
    'move onto a document',
    ['deleted', 'moved'],
    7,
    session => moveDocument(session, `${base}copy/`, noConditions, to(spare)),
  ],
  ['delete what was moved', ['deleted'], 6, session => deleteDocument(session, spare, noConditions, {isDeep: true})],
  ['delete', ['deleted', 'changed'], 3, session => deleteDocument(session, list, noConditions, {isDeep: true})],
  [
    'grants',
    [],
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
    [],
    0,
    async session => {
      const holder = {agent: 'http://e/ada', groups: [], name: '', modes: null, within: null, expires: null}
      await removeKey(session, await createKey(session, {...holder, hash: new Uint8Array(32)}), null)
    },
  ],
  ['delete children', ['deleted', 'changed'], 6, session => deleteChildren(session, box, noConditions)],
  [
    'import',
    ['imported'],
    2,
    (_, dataset) =>
      dataset.load([
        {name: 'a.nq', content: exported('a/') + exported('b/', ['<http://e/x> <http://e/p> <http://e/y>'])},
      ]),
  ],
  [
    'import of stored documents',
    ['imported'],
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
    ['imported'],
    0,
    (_, dataset) =>
      dataset.load([{name: 'a.nq', content: '<http://e/x> <http://e/p> <http://e/y> <urn:g> .\n'}], {isRaw: true}),
  ],
  [
    'removal of a raw graph',
    ['deleted'],
    0,
    (_, dataset) => removeRawGraphs(dataset.database.database, testSchema, ['urn:g']),
  ],
]

test('the log leads from each state of the store back to the one before, for each kind of write', async t => {
  const dataset = await useDataset(t, {isMerged: true})
  const session = await openSession(dataset.database.database, testSchema)
  await dataset.database.database.begin('read committed', ({script}) =>
    script(`set local search_path = ${schemaIdentifier}, pg_temp; select keep_changes('forever'); ${startNoting}`),
  )

  for (const [name, actions, changed, write] of kinds) {
    await write(session, dataset)
    const seen = await takeChanges(dataset)
    t.deepEqual(seen.wrong, [], name)
    t.deepEqual([...new Set(seen.rows.map(({action}) => action))], actions, name)
    t.is(seen.changed.length, changed, name)
    const expected = Object.fromEntries(seen.changed.map(({id, before, after}) => [id, {before, after}]))
    t.deepEqual(Object.fromEntries(changesOf(seen.rows)), expected, name)
  }
  t.deepEqual(await dataset.faults(), [])
})
