/** Updates beside other writers: nothing that somebody else has committed is lost, and nothing is done by half. */
import {setTimeout as delay} from 'node:timers/promises'
import test from 'ava'
import type {Transaction} from '../../src/db/connection/pool.ts'
import {deleteDocument, patchDocument} from '../../src/db/store/document-writes.ts'
import {inTransaction} from '../../src/db/store/session.ts'
import {createPlanCache} from '../../src/query/plan-cache.ts'
import {update} from '../../src/query/update.ts'
import {literal, namedNode, type Triple} from '../../src/rdf/term.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'
import {testSchema} from '../support/postgres.ts'
import {base, noConditions, ownTriples, readState, type TestStore, useStore} from '../support/store.ts'

const document = `${base}a/`
const p = 'http://e/p'
const counted = (value: number): Triple => ({
  subject: namedNode(document),
  predicate: namedNode(p),
  object: literal(String(value), xsd.integer),
})

function run(store: TestStore, text: string) {
  const own = {database: store.made.database, schema: testSchema, timeoutMs: 30_000, cache: createPlanCache()}
  const request = {text, base: document, scope: {document}, session: store.session, conditions: noConditions}
  return update(own, request)
}

async function valuesOf(store: TestStore): Promise<readonly string[]> {
  return ownTriples(document, await readState(store, document)).map(({object}) => object.value)
}

/** Waits until a statement waits for a lock. */
async function untilBlocked({made: {database}}: TestStore): Promise<void> {
  for (;;) {
    const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    if ((await database.query(text)).length > 0) return
    await delay(10)
  }
}

/** Holds the document, lets `other` begin, changes the count from 0 to 10 while `other` waits, and commits. */
function whileChanging<Result>(store: TestStore, other: () => Promise<Result>): Promise<Result> {
  const changes = {removed: [counted(0)], added: [counted(10)]}
  return beside(store, other, async (transaction, letBegin) => {
    await transaction.query(`select ${testSchema}.hold_document($1)`, [document])
    await letBegin()
    const session = inTransaction(store.session, transaction)
    await patchDocument(session, document, noConditions, {changes, isReturning: false})
  })
}

/** Deletes the document, lets `other` begin, and commits when `other` waits. */
function whileDeleting<Result>(store: TestStore, other: () => Promise<Result>): Promise<Result> {
  return beside(store, other, async (transaction, letBegin) => {
    await deleteDocument(inTransaction(store.session, transaction), document, noConditions, {isDeep: false})
    await letBegin()
  })
}

/** Runs `work` in a transaction. It lets `other` begin, which then waits for the transaction. */
async function beside<Result>(
  store: TestStore,
  other: () => Promise<Result>,
  work: (transaction: Transaction, letBegin: () => Promise<void>) => Promise<void>,
): Promise<Result> {
  let waiting: Promise<PromiseSettledResult<Result>[]> | undefined
  await store.made.database.begin('read committed', transaction =>
    work(transaction, async () => {
      waiting = Promise.allSettled([other()])
      await untilBlocked(store)
    }),
  )
  const [settled] = (await waiting) ?? []
  if (settled === undefined) throw new Error('the other did not begin')
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

const increment = `delete { <> <${p}> ?n } insert { <> <${p}> ?next } where { <> <${p}> ?n bind (?n + 1 as ?next) }`

test('WHERE is evaluated again if another writer has changed the document meanwhile', async t => {
  const store = await useStore(t)
  await store.create(document, [counted(0)])

  const {inserted, removed} = await whileChanging(store, () => run(store, increment))

  t.deepEqual({inserted, removed}, {inserted: 1, removed: 1})
  t.deepEqual(await valuesOf(store), ['11'])
  t.deepEqual(await store.broken(), [])
})

test('a term that another writer stores meanwhile is found', async t => {
  const store = await useStore(t)
  await store.create(document, [counted(0)])
  const text = `delete { <> <${p}> ?n } insert { <> <${p}> ?m } where { <> <${p}> ?n optional { <> <http://e/new> ?m } }`
  const insert = 'insert data { <> <http://e/new> "late" }'

  await whileChanging(store, async () => {
    const [first] = await Promise.all([run(store, insert), run(store, text)])
    return first
  })

  t.true((await valuesOf(store)).includes('late'))
  t.deepEqual(await store.broken(), [])
})

test('a document that is deleted while an update waits for it is created again', async t => {
  const store = await useStore(t)
  await store.create(document, [counted(0)])
  const insert = `insert data { <> <${p}> 1 }`

  const {created, changed, inserted} = await whileDeleting(store, () => run(store, insert))

  t.deepEqual(
    {created: created.map(({iri}) => iri), changed, inserted},
    {created: [document], changed: [], inserted: 1},
  )
  t.deepEqual(await valuesOf(store), ['1'])
  t.deepEqual(await store.broken(), [])
})

test('an update whose document is deleted meanwhile ends as one that begins after the deletion', async t => {
  const store = await useStore(t)
  const afterDeletion = async (text: string) => {
    await store.create(document)
    return whileDeleting(store, () => run(store, text))
  }

  const {deleted} = await afterDeletion(`drop silent graph <${document}>`)
  t.deepEqual(deleted, [])
  for (const text of [`drop graph <${document}>`, `insert data { graph <${document}new/> { <> <${p}> 1 } }`])
    await t.throwsAsync(afterDeletion(text), {message: /neither|no document/}, text)
  const {created} = await afterDeletion(`insert data { graph <${document}new/> { <> <${p}> 1 } <> <${p}> 1 }`)
  t.deepEqual(
    created.map(({iri}) => iri),
    [document, `${document}new/`],
  )
  t.deepEqual(await store.broken(), [])
})

test('an operation that is refused undoes those before it', async t => {
  const store = await useStore(t)
  await store.create(document, [counted(0)])
  const before = await readState(store, document)

  const refused = `${increment} ; insert data { graph <${base}a/new/> { <> <${p}> 1 } } ; drop graph <${base}>`
  await t.throwsAsync(run(store, refused), {message: /root/})

  t.deepEqual(await readState(store, document), before)
  t.deepEqual(await store.broken(), [])
})

test('updates of the same documents in different orders are all done', async t => {
  const store = await useStore(t)
  const names = ['a', 'b', 'c', 'd']
  for (const name of names) await store.create(`${base}${name}/`)
  const write = (index: number) => {
    const order = index % 2 === 0 ? names : [...names].reverse()
    const parts = order.map(name => `insert data { graph <${base}${name}/> { <urn:s> <${p}> ${index} } }`)
    return run(store, parts.join(' ; '))
  }

  const results = await Promise.allSettled(Array.from({length: 8}, (_, index) => write(index)))

  const done = results.filter(({status}) => status === 'fulfilled').length
  t.true(done > 0)
  for (const name of names) {
    const iri = `${base}${name}/`
    t.is(ownTriples(iri, await readState(store, iri)).length, done, 'each update is done as a whole, or not at all')
  }
  t.deepEqual(await store.broken(), [])
})
