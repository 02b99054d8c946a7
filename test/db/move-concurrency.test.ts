/** Moves beside other writers: which of them wait, and their results. */
import test from 'ava'
import {Problem} from '../../src/base/problem.ts'
import {copyDocument, moveDocument} from '../../src/db/store/document-moves.ts'
import {readDocument} from '../../src/db/store/document-reads.ts'
import {createDocument, deleteDocument, patchDocument} from '../../src/db/store/document-writes.ts'
import type {Iri} from '../../src/rdf/term.ts'
import {
  base,
  isBlocked,
  noConditions,
  openTransaction,
  ownTriples,
  readState,
  type TestStore,
  triple,
  useStore,
} from '../support/store.ts'

const [a, b, other] = [`${base}a/`, `${base}b/`, `${base}other/`]
const to = (iri: Iri) => ({iri, overwrites: true, redirectSeconds: 0})
const sees = (iri: Iri, object: Iri) => triple(iri, 'http://e/sees', object)

const addIn = 'select create_document($1, $2, $3, $4, $5, $6)'
const moveIn = 'select etag from move_document($1, null, null, null, $2, true)'

const ruleOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Problem ? error.rule : Promise.reject(error)),
  )

async function withTwo(made: TestStore): Promise<TestStore> {
  await made.create(a)
  await made.create(other, [sees(other, a)])
  return made
}

test('a move waits for writers below, and takes what they created along', async t => {
  const made = await withTwo(await useStore(t))
  const writer = await openTransaction(made)
  await writer.query(addIn, [`${a}new/`, a, [`I${a}#it`], ['1'], ['1'], ['1']])

  const mover = await openTransaction(made)
  const moving = mover.query(moveIn, [a, b])
  await isBlocked(made, mover.pid, moving)
  await writer.commit()
  await moving
  await mover.commit()

  t.deepEqual(ownTriples(`${b}new/`, await readState(made, `${b}new/`)), [triple(`${b}#it`, `${b}#it`, `${b}#it`)])
  t.deepEqual(await made.broken(), [])
})

test('writers wait for a move; then the old IRIs are free, and tags of before have changed', async t => {
  const made = await withTwo(await useStore(t, {connectionMax: 8}))
  const {session} = made
  const {etag} = await readState(made, other)
  const mover = await openTransaction(made)
  await mover.query(moveIn, [a, b])

  t.is((await readState(made, a)).id, (await readState(made, a)).id) // readers do not wait
  const changes = {removed: [], added: [sees(other, `${a}x`)]}
  const waiting = [
    createDocument(session, `${a}new/`, a, {triples: [sees('http://e/x', a)], isReturning: false}),
    patchDocument(session, other, {...noConditions, ifMatch: [etag]}, {changes, isReturning: false}),
    deleteDocument(session, a, noConditions, {isDeep: true}),
    moveDocument(session, a, noConditions, to(`${base}c/`)),
  ].map(ruleOf)
  const isDone = await Promise.race([...waiting, new Promise(resolve => setTimeout(resolve, 200, 'none'))])
  await mover.commit()

  t.is(isDone, 'none')
  t.deepEqual(await Promise.all(waiting), ['parent-exists', 'etag-mismatch', 'document-exists', 'document-exists'])
  t.is(await readDocument(session, a), undefined)
  t.deepEqual(ownTriples(other, await readState(made, other)), [sees(other, b)])
  t.deepEqual(await made.broken(), [])
})

test('a move that cannot begin within two seconds is a 503, and writers go on', async t => {
  const made = await withTwo(await useStore(t))
  const writer = await openTransaction(made)
  await writer.query('select hold_document($1)', [a])

  t.is(await ruleOf(moveDocument(made.session, a, noConditions, to(b))), 'busy')
  await made.create(`${base}c/`)
  await writer.commit()

  t.is(await ruleOf(moveDocument(made.session, a, noConditions, to(b))), 'done')
})

test('imports keep names, and one that finds its ids before a move loads nothing', async t => {
  const made = await withTwo(await useStore(t))
  for (const name of ['import_tables', 'import_staging(), import_terms']) {
    const importer = await openTransaction(made)
    await importer.query(`select ${name}()`)
    t.is(await ruleOf(moveDocument(made.session, a, noConditions, to(b))), 'busy', name)
    await importer.commit()
  }

  const importer = await openTransaction(made)
  await importer.query('select import_staging(), import_terms()')
  await importer.query('update dataset set names_revision = names_revision + 1') // as a move between two transactions
  const merging = importer.query('select import_renumber()')
  t.regex((await t.throwsAsync(merging)).message, /^Documents were moved meanwhile/)
  await importer.rollback()
})

const workers = 6
const rounds = 25
const places = ['a/', 'b/', 'a/1/', 'b/1/', 'c/'].map(path => base + path)

function pick<Value>(values: readonly Value[]): Value {
  const value = values[Math.floor(Math.random() * values.length)]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}

type Write = (made: TestStore, from: Iri, target: Iri) => Promise<unknown>

const copy: Write = ({session}, from, target) =>
  copyDocument(session, from, noConditions, {...to(target), isDeep: Math.random() < 0.5})

const others: readonly Write[] = [
  ({create}, from, target) => create(target, [sees(target, from), sees(from, `${target}#x`)]),
  ({session}, from, target) => moveDocument(session, from, noConditions, to(target)),
  ({session}, from) => deleteDocument(session, from, noConditions, {isDeep: true}),
  ({session}, from, target) => {
    const changes = {removed: [sees(other, from)], added: [sees(other, target)]}
    return patchDocument(session, other, noConditions, {changes, isReturning: false})
  },
]

/** Runs random writes at once. @returns the outcomes, the faults of the store, and the number of deadlocks */
async function race(made: TestStore, writes: readonly Write[]) {
  await made.create(other)
  const outcomes = new Set<string>()
  const worker = async () => {
    for (let round = 0; round < rounds; round += 1)
      outcomes.add(await ruleOf(pick(writes)(made, pick(places), pick(places))))
  }
  await Promise.all(Array.from({length: workers}, worker))
  const [row] = await made.made.database.query<{deadlocks: number}>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  return {outcomes, broken: await made.broken(), deadlocks: row?.deadlocks}
}

/**
 * A move is busy if it cannot begin within two seconds. Copies may deadlock: PostgreSQL takes a second to find that,
 * then the copy is retried, and a move waits meanwhile. On a busy machine two seconds pass.
 */
const known = new Set(
  'done document-exists parent-exists document-iri-free destination-apart destination-parent busy'.split(' '),
)

test('moves and other writes in any order leave a sound store, without deadlocks', async t => {
  const {outcomes, broken, deadlocks} = await race(await useStore(t, {connectionMax: workers + 1}), others)

  t.deepEqual(
    [...outcomes].filter(rule => !known.has(rule)),
    [],
  )
  t.true(outcomes.has('done'))
  t.deepEqual(broken, [])
  t.is(deadlocks, 0)
})

test('the same with copies', async t => {
  const {outcomes, broken} = await race(await useStore(t, {connectionMax: workers + 1}), [copy, copy, ...others])

  t.deepEqual(
    [...outcomes].filter(rule => !known.has(rule)),
    [],
  )
  t.true(outcomes.has('done'))
  t.deepEqual(broken, [])
})
