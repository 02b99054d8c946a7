/** Concurrent transactions: which of them wait, and their results. */
import test from 'ava'
import {subscribe} from '../../src/base/observation.ts'
import {Problem} from '../../src/base/problem.ts'
import type {SqlValue} from '../../src/db/connection/value.ts'
import {hasDocument, readDocument} from '../../src/db/store/document-reads.ts'
import {deleteDocument} from '../../src/db/store/document-writes.ts'
import {
  base,
  isBlocked,
  noConditions,
  type OpenTransaction,
  openTransaction,
  ownTriples,
  readState,
  type TestStore,
  triple,
  useStore,
} from '../support/store.ts'

const parent = `${base}p/`
const member = 'http://www.w3.org/ns/ldp#member'

/** A create in an open transaction. */
function createIn(
  {query}: OpenTransaction,
  iri: string,
  within: string,
  ...triples: readonly [string, string, string][]
) {
  const keys = [...new Set(triples.flat())]
  const column = (index: 0 | 1 | 2): SqlValue => triples.map(each => keys.indexOf(each[index]) + 1)
  return query<{id: string}>('select id from create_document($1, $2, $3, $4, $5, $6)', [
    iri,
    within,
    keys.map(key => `I${key}`),
    column(0),
    column(1),
    column(2),
  ])
}

/** The rows of the shared triple <http://e/x> <http://e/p> <http://e/y> after statements in a document's graph. */
const shared = ['http://e/x', 'http://e/p', 'http://e/y'] as const
const sharedIds = `array[(term_ids('{Ihttp://e/x}'))[1]], array[(term_ids('{Ihttp://e/p}'))[1]], array[(term_ids('{Ihttp://e/y}'))[1]]`
const putShared = `select put_quads((term_ids(array['I' || $1]))[1], ${sharedIds})`
const dropShared = `select drop_quads((term_ids(array['I' || $1]))[1], ${sharedIds})`

async function withParent(made: TestStore): Promise<TestStore> {
  await made.create(parent)
  return made
}

test('two open transactions create children of one parent without waiting', async t => {
  const made = await withParent(await useStore(t))
  const [one, two] = [await openTransaction(made), await openTransaction(made)]
  await two.query(`set local lock_timeout = '5s'`)

  await createIn(one, `${parent}1/`, parent)
  await createIn(two, `${parent}2/`, parent)
  await two.commit()
  await one.commit()

  t.deepEqual((await readDocument(made.session, parent, {children: {after: '0', limit: 9}}))?.children.length, 2)
  t.deepEqual(await made.broken(), [])
})

test('a child is created while its parent is being replaced, and vice versa', async t => {
  const made = await withParent(await useStore(t))
  const before = await readState(made, parent)
  const [one, two] = [await openTransaction(made), await openTransaction(made)]
  await one.query('select touch_documents(array[(lock_document($1)).id])', [parent])

  await made.create(`${parent}1/`)
  await one.commit()
  await createIn(two, `${parent}2/`, parent)
  await made.replace(parent, await readState(made, parent), [triple(parent, 'http://e/p', 'http://e/x')])
  await two.commit()

  t.not((await readState(made, parent)).etag, before.etag)
  t.deepEqual(await made.broken(), [])
})

test('a create in a document that is being deleted waits, and is then a 404', async t => {
  const made = await withParent(await useStore(t))
  const one = await openTransaction(made)
  const two = await openTransaction(made)
  await one.query('select delete_document($1)', [parent])

  const late = createIn(two, `${parent}1/`, parent)
  await isBlocked(made, two.pid, late)
  await one.commit()

  const problem = await t.throwsAsync(late, {instanceOf: Problem})
  t.like(problem, {
    status: 404,
    rule: 'parent-exists',
    message: `There is no document <${parent}> to create a child in.`,
  })
  await two.rollback()
  t.deepEqual(await made.broken(), [])
})

test('a create in a document whose delete is rolled back succeeds', async t => {
  const made = await withParent(await useStore(t))
  const one = await openTransaction(made)
  const two = await openTransaction(made)
  await one.query('select delete_document($1)', [parent])

  const late = createIn(two, `${parent}1/`, parent)
  await isBlocked(made, two.pid, late)
  await one.rollback()
  await late
  await two.commit()

  t.true(await hasDocument(made.session, `${parent}1/`))
})

test('a delete waits for a create below it, and deletes the new child', async t => {
  const made = await withParent(await useStore(t))
  await made.create(`${parent}1/`)
  const one = await openTransaction(made)
  const two = await openTransaction(made)
  await createIn(one, `${parent}1/x/`, `${parent}1/`)

  const late = two.query('select delete_document($1)', [parent])
  await isBlocked(made, two.pid, late)
  await one.commit()
  await late
  await two.commit()

  t.false(await hasDocument(made.session, `${parent}1/x/`))
  t.deepEqual(await made.broken(), [])
})

test('of two that create one document the second waits, and is refused', async t => {
  const made = await withParent(await useStore(t))
  const one = await openTransaction(made)
  const two = await openTransaction(made)
  await createIn(one, `${parent}1/`, parent)

  const late = createIn(two, `${parent}1/`, parent)
  await isBlocked(made, two.pid, late)
  await one.commit()

  t.like(await t.throwsAsync(late, {instanceOf: Problem}), {status: 409, rule: 'document-iri-free'})
  await two.rollback()
})

test('a term of two concurrent writers has one id', async t => {
  const made = await withParent(await useStore(t))
  const one = await openTransaction(made)
  const two = await openTransaction(made)
  const [first] = await one.query<{ids: string[]}>(`select intern_terms('{Ihttp://e/1,Ihttp://e/2}') as ids`)

  const late = two.query<{ids: string[]}>(`select intern_terms('{Ihttp://e/2,Ihttp://e/3,Ihttp://e/1}') as ids`)
  await isBlocked(made, two.pid, late)
  await one.commit()
  const [second] = await late
  await two.commit()

  t.deepEqual([second?.ids[2], second?.ids[0]], first?.ids)
  t.deepEqual(await made.broken(), [])
})

test('a triple that two documents get concurrently has one primary', async t => {
  const made = await withParent(await useStore(t))
  const [one, two] = [await openTransaction(made), await openTransaction(made)]
  await createIn(one, `${parent}1/`, parent, [...shared])

  const late = createIn(two, `${parent}2/`, parent, [...shared])
  await isBlocked(made, two.pid, late)
  await one.commit()
  await late
  await two.commit()

  t.deepEqual(await made.broken(), [])
})

/** Three documents with the shared triple. The first has the primary. */
async function withThreeHolders(made: TestStore): Promise<readonly [string, string, string]> {
  const holders = [`${base}1/`, `${base}2/`, `${base}3/`] as const
  for (const holder of holders) await made.create(holder, [triple(...shared)])
  return holders
}

test('if a copy is dropped while it becomes the primary, the next copy does', async t => {
  const made = await useStore(t)
  const [first, second, third] = await withThreeHolders(made)
  const [one, two] = [await openTransaction(made), await openTransaction(made)]
  await one.query(dropShared, [second])

  const late = two.query(dropShared, [first])
  await isBlocked(made, two.pid, late).catch(() => undefined) // the third copy may become the primary at once
  await one.commit()
  await late
  await two.commit()

  t.is((await readState(made, third)).triples?.filter(each => each.subject.value === shared[0]).length, 1)
  t.deepEqual(await made.broken(), [])
})

test('a copy that is created while the primary is deleted becomes the primary', async t => {
  const made = await useStore(t)
  const [first, second, third] = await withThreeHolders(made)
  await made.made.database.begin('read committed', async ({query, script}) => {
    await script('set local search_path = quadstead')
    await query(dropShared, [second])
    await query(dropShared, [third])
  })
  const [one, two] = [await openTransaction(made), await openTransaction(made)]
  await one.query(dropShared, [first])

  const late = two.query(putShared, [second])
  await isBlocked(made, two.pid, late)
  await one.commit()
  await late
  await two.commit()

  t.deepEqual(await made.broken(), [])
})

test('deleting a primary waits until a copy in creation exists', async t => {
  const made = await useStore(t)
  const [first, second] = await withThreeHolders(made)
  await made.create(`${base}4/`)
  const [one, two] = [await openTransaction(made), await openTransaction(made)]
  await one.query(putShared, [`${base}4/`])

  const late = two.query(dropShared, [first])
  await isBlocked(made, two.pid, late)
  await one.commit()
  await late
  await two.commit()

  t.is((await readState(made, second)).triples?.filter(each => each.subject.value === shared[0]).length, 1)
  t.deepEqual(await made.broken(), [])
})

test('a membership triple written while its child is created, before or after, is a copy', async t => {
  const made = await withParent(await useStore(t))
  await made.create(`${base}a/`)
  await made.create(`${base}b/`)
  for (const order of ['writer first', 'creator first'] as const) {
    const child = `${parent}${order.replace(' ', '-')}/`
    await made.create(`${base}knows-${order.slice(0, 3)}/`, [triple(child, 'http://e/p', 'http://e/x')])
    const [one, two] = [await openTransaction(made), await openTransaction(made)]
    const write = ({query}: OpenTransaction) =>
      query(
        `select put_quads((term_ids(array['I' || $1]))[1], array[(term_ids(array['I' || $2]))[1]],
           array[ldp_member()], array[(term_ids(array['I' || $3]))[1]])`,
        [`${base}${order === 'writer first' ? 'a' : 'b'}/`, parent, child],
      )
    const create = (open: OpenTransaction) => createIn(open, child, parent)

    await (order === 'writer first' ? write(one) : create(one))
    const late = order === 'writer first' ? create(two) : write(two)
    await isBlocked(made, two.pid, late)
    await one.commit()
    await late
    await two.commit()

    t.deepEqual(await made.broken(), [], order)
  }
})

test('a membership triple written while its child is deleted is a plain triple', async t => {
  const made = await withParent(await useStore(t))
  await made.create(`${parent}1/`)
  await made.create(`${base}a/`)
  const [one, two] = [await openTransaction(made), await openTransaction(made)]
  await one.query('select delete_document($1)', [`${parent}1/`])

  const late = createIn(two, `${base}a/b/`, `${base}a/`, [parent, member, `${parent}1/`])
  await isBlocked(made, two.pid, late)
  await one.commit()
  await late
  await two.commit()

  t.deepEqual(await made.broken(), [])
})

test('a reference that is written while its document is deleted is removed too', async t => {
  const made = await withParent(await useStore(t))
  await made.create(`${parent}1/`)
  await made.create(`${base}a/`, [triple(`${base}a/`, 'http://e/p', `${parent}1/`)])
  const [one, two] = [await openTransaction(made), await openTransaction(made)]
  await one.query('select lock_document($1)', [`${base}a/`])

  const late = two.query('select delete_document($1)', [`${parent}1/`])
  await isBlocked(made, two.pid, late)
  await one.query(
    `select put_quads((term_ids(array['I' || $1]))[1], term_ids(array['Ihttp://e/p']), term_ids(array['Ihttp://e/p']), term_ids(array['I' || $2]))`,
    [`${base}a/`, `${parent}1/`],
  )
  await one.commit()
  await late
  await two.commit()

  t.deepEqual(
    (await readState(made, `${base}a/`)).triples?.filter(({object}) => object.value === `${parent}1/`),
    [],
  )
  t.deepEqual(await made.broken(), [])
})

test('deletions of documents that refer to each other queue, and do not deadlock', async t => {
  const made = await withParent(await useStore(t))
  const [index, x, y] = [`${base}index/`, `${base}x/`, `${base}y/`]
  const sees = 'http://e/sees'
  await made.create(index, [triple(index, sees, x), triple(index, sees, y)])
  await made.create(x, [triple(x, sees, y)])
  await made.create(y, [triple(y, sees, x)])
  const writer = await openTransaction(made)
  await writer.query('select hold_document($1)', [index])
  const deleters = [await openTransaction(made), await openTransaction(made)] as const

  const deletions = [x, y].map(async (iri, at) => {
    await deleters[at]?.query('select delete_document($1)', [iri])
    await deleters[at]?.commit()
  })
  for (const [at, {pid}] of deleters.entries()) await isBlocked(made, pid, deletions[at] ?? Promise.resolve())
  await writer.commit()

  await t.notThrowsAsync(Promise.all(deletions))
  t.deepEqual([await hasDocument(made.session, x), await hasDocument(made.session, y)], [false, false])
  t.deepEqual(ownTriples(index, await readState(made, index)), [])
  t.deepEqual(await made.broken(), [])
})

test('after a deadlock the transaction is repeated without an error', async t => {
  const made = await withParent(await useStore(t))
  await made.create(`${base}a/`, [triple(`${base}a/`, 'http://e/p', parent)])
  const codes: string[] = []
  t.teardown(subscribe(seen => seen.kind === 'transaction-repeated' && codes.push(seen.code)))
  const one = await openTransaction(made)
  await one.query(`set local deadlock_timeout = '1min'`) // so that the other transaction is cancelled
  await one.query('select lock_document($1)', [`${base}a/`])

  const late = deleteDocument(made.session, parent, noConditions, {isDeep: true})
  const blocked = `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = $1`
  while ((await made.made.database.query<{n: string}>(blocked, ['Lock']))[0]?.n === '0');
  await one.query('select lock_document($1)', [parent])
  await one.commit()
  await late

  t.deepEqual(codes, ['40P01'])
  t.false(await hasDocument(made.session, parent))
  t.deepEqual(await made.broken(), [])
})
