/**
 * Large data: a document with many triples, a container with many children, and a list of all of them, more than any
 * batch.
 *
 *   SCALE_TIMES=10 npm test -- test/db/store-scale.test.ts test/http/large-container.test.ts     ten times as many
 *
 * The tests have a limit in seconds, but they measure written rows.
 */
import test from 'ava'
import {readDocument, streamDocument} from '../../src/db/store/document-reads.ts'
import {deleteChildren, deleteDocument, replaceDocument} from '../../src/db/store/document-writes.ts'
import {putGrants} from '../../src/db/store/grants.ts'
import {literal, namedNode, type Triple, triple} from '../../src/rdf/term.ts'
import {schemaIdentifier} from '../support/postgres.ts'
import {
  asCaller,
  base,
  noConditions,
  ownTriples,
  readState,
  type TestStore,
  triple as threeIris,
  useStore,
} from '../support/store.ts'

const times = Number(process.env.SCALE_TIMES ?? 1)
const tripleCount = 30_000 * times
const childCount = 3000 * times
const iri = `${base}large/`
const members = `${base}members/`
const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'

/** One subject has half of the triples with one predicate; each other triple has a subject of its own. */
function largeGraph(): Triple[] {
  return Array.from({length: tripleCount}, (_, index) =>
    index % 2 === 0
      ? triple(namedNode(iri), namedNode('http://e/has'), namedNode(`http://e/member/${index}`))
      : triple(namedNode(`http://e/member/${index - 1}`), namedNode('http://e/name'), literal(`name ${index}`)),
  )
}

async function placesOf({made}: TestStore): Promise<ReadonlySet<string>> {
  const rows = await made.database.query<{at: string}>(`select ctid::text as at from ${schemaIdentifier}.quad`)
  return new Set(rows.map(({at}) => at))
}

async function readWhole({session}: TestStore): Promise<{etag: string; triples: Triple[]}> {
  return streamDocument(session, iri, {}, async (state, batches) => {
    const triples: Triple[] = []
    for await (const batch of batches) triples.push(...batch)
    return {etag: state?.etag ?? '', triples}
  })
}

test(`of ${tripleCount} triples one is replaced, and only it is written`, async t => {
  t.timeout(120_000 * times)
  const made = await useStore(t)
  await made.create(iri, largeGraph())
  await made.create(`${base}twin/`, largeGraph()) // the same triples, as copies
  const whole = await readWhole(made)
  const before = await placesOf(made)

  const changed = triple(namedNode(iri), namedNode('http://e/name'), literal('changed'))
  const body = whole.triples.filter(({object}) => object.value !== 'http://e/member/4').concat(changed)
  const {etag} = await replaceDocument(
    made.session,
    iri,
    {...noConditions, ifMatch: [whole.etag]},
    {triples: body, isReturning: false},
  )

  const after = await placesOf(made)
  const written = [...after].filter(at => !before.has(at)).length
  const taken = [...before].filter(at => !after.has(at)).length
  t.not(etag, whole.etag)
  t.deepEqual({written, taken}, {written: 3, taken: 3}) // a triple and c:modified; the copy becomes a primary
  t.is(whole.triples.length, tripleCount + 8)

  const kept = (await readWhole(made)).triples.filter(each => isKept(each))
  await replaceDocument(made.session, iri, {...noConditions, ifMatch: [etag]}, {triples: kept, isReturning: false})
  t.deepEqual(ownTriples(iri, await readState(made, iri)), [])
  await deleteDocument(made.session, `${base}twin/`, noConditions, {isDeep: true})
  t.deepEqual(await made.broken(), [])
})

test(`${tripleCount} references stay in protected documents, and others are removed, in seconds`, async t => {
  t.timeout(120_000 * times)
  const made = await useStore(t)
  const going = `${base}going/`
  const grantee = 'agent http://e/ada'
  const refer = (count: number) =>
    Array.from({length: count}, (_, index) => threeIris(`http://e/${index}`, 'http://e/see', going))
  const [own, others] = [`${base}own/`, `${base}others/`]
  await made.create(own, refer(tripleCount / 10))
  await made.create(others, refer(tripleCount))
  await Promise.all(Array.from({length: 100}, (_, index) => made.create(`${others}${index}/`, refer(index))))
  await made.create(going)
  const grants = [{grantee, modes: ['write' as const]}]
  for (const each of [own, going])
    await putGrants(made.session, each, {grants, ifMatch: undefined, keepsControl: false})
  const tags = await made.made.database.query(`select id, revision from ${schemaIdentifier}.document`)
  const caller = asCaller(made.session, [grantee])

  const started = Date.now()
  await deleteDocument(caller, going, noConditions, {isDeep: true})

  t.true(Date.now() - started < 30_000)
  t.deepEqual(ownTriples(own, await readState(made, own)), [])
  t.is((await readState(made, `${others}99/`)).triples?.length, 99 + 8)
  const changed = await made.made.database.query<{iri: string}>(
    `select t.lex as iri from ${schemaIdentifier}.document as d join ${schemaIdentifier}.term as t on t.id = d.id
      where (d.id, d.revision) not in (select * from unnest($1::int8[], $2::int8[]))`,
    [tags.map(({id}) => String(id)), tags.map(({revision}) => String(revision))],
  )
  t.deepEqual(changed, [{iri: own}])
  t.deepEqual(await made.broken(), [])
})

/** Whether the triple is one of the service. */
function isKept({subject, predicate}: Triple): boolean {
  return subject.value === iri && !predicate.value.startsWith('http://e/')
}

test(`${childCount} children are deleted, and a list of all of them becomes empty`, async t => {
  t.timeout(120_000 * times)
  const made = await useStore(t)
  await made.create(members)
  const children = Array.from({length: childCount}, (_, index) => `${members}${index}/`)
  await made.made.database.query(
    `select count(${schemaIdentifier}.create_document($1 || n || '/', $1, '{}', '{}', '{}', '{}'))
       from generate_series(0, $2::int - 1) as n`,
    [members, childCount],
  )
  const cell = (index: number) => `http://e/cell/${index}`
  const list = children.flatMap((child, index) => [
    threeIris(cell(index), `${rdf}first`, child),
    threeIris(cell(index), `${rdf}rest`, index === childCount - 1 ? `${rdf}nil` : cell(index + 1)),
  ])
  await made.create(`${base}list/`, [threeIris(`${base}list/`, 'http://e/list', cell(0)), ...list])

  await deleteChildren(made.session, members, noConditions)

  t.deepEqual(ownTriples(`${base}list/`, await readState(made, `${base}list/`)), [
    threeIris(`${base}list/`, 'http://e/list', `${rdf}nil`),
  ])
  t.deepEqual((await readDocument(made.session, members, {children: {after: '0', limit: 1}}))?.children, [])
  t.deepEqual(await made.broken(), [])
})
