/** Transactions of steps: each statement succeeds or fails on its own, and all are committed together. */
import test, {type ExecutionContext} from 'ava'
import type {Database, Queryable} from '../../src/db/connection/pool.ts'
import {streamDocument} from '../../src/db/store/document-reads.ts'
import {patchDocument} from '../../src/db/store/document-writes.ts'
import {inOneTransaction, type Session} from '../../src/db/store/session.ts'
import {administer, createTestDatabase} from '../support/postgres.ts'
import {base, noConditions, readState, triple, useStore} from '../support/store.ts'

async function open(t: ExecutionContext): Promise<Database> {
  const {database, drop} = await createTestDatabase('template0', {connectionMax: 2})
  t.teardown(drop)
  await database.query('create table number (n int primary key)')
  return database
}

const add = (queryable: Queryable, n: number) => queryable.query('insert into number values ($1)', [n])
const numbers = async (queryable: Queryable) =>
  (await queryable.query<{n: number}>('select n from number order by n')).map(({n}) => n)

test('a step that fails undoes itself only, and everything is committed together', async t => {
  const database = await open(t)

  const seen = await database.inSteps(async inside => {
    await add(inside, 1)
    await t.throwsAsync(add(inside, 1), {message: /duplicate key/})
    await t.throwsAsync(
      inside.begin('read committed', async transaction => {
        await add(transaction, 2)
        await add(transaction, 1)
      }),
      {message: /duplicate key/},
    )
    await inside.begin('read committed', transaction => add(transaction, 3))
    return [await numbers(inside), await numbers(database)]
  })

  t.deepEqual(seen, [[1, 3], []])
  t.deepEqual(await numbers(database), [1, 3])
})

test('steps have steps of their own, and run one after the other', async t => {
  const database = await open(t)

  await database.inSteps(async inside => {
    await inside.inSteps(async inner => {
      await add(inner, 1)
      await t.throwsAsync(add(inner, 1))
      await add(inner, 2)
    })
    const undone = inside.inSteps(async inner => {
      await add(inner, 3)
      throw new Error('undo')
    })
    const failing = add(inside, 2)
    const working = add(inside, 4)
    await t.throwsAsync(undone, {message: 'undo'})
    await t.throwsAsync(failing)
    await working
  })

  t.deepEqual(await numbers(database), [1, 2, 4])
})

test('work that throws is rolled back, and the connection is used again', async t => {
  const database = await open(t)
  for (let time = 0; time < 5; time += 1) {
    const failing = database.inSteps(async inside => {
      await add(inside, 1)
      throw new Error('no')
    })
    await t.throwsAsync(failing, {message: 'no'})
  }

  t.deepEqual(await numbers(database), [])
  t.deepEqual(await Promise.all([1, 2, 3, 4].map(() => numbers(database))), [[], [], [], []])
  t.is(database.load().busy.write, 0)
})

test('a transaction that only reads sees one state', async t => {
  const database = await open(t)
  const read = async (inside: Database) => {
    const before = await numbers(inside)
    await add(database, before.length + 1)
    return [before, await numbers(inside)]
  }

  t.deepEqual(await database.inSteps(read, {mode: 'repeatable read read only'}), [[], []])
  t.deepEqual(await database.inSteps(read), [[1], [1, 2]])
})

test('a connection that is lost undoes everything', async t => {
  const {database, name, drop} = await createTestDatabase('template0', {connectionMax: 2})
  t.teardown(drop)
  await database.query('create table number (n int primary key)')
  const lost = database.inSteps(async inside => {
    await add(inside, 1)
    const [row] = await inside.query<{pid: number}>('select pg_backend_pid() as pid')
    await administer(`select pg_terminate_backend(${row?.pid}) from pg_database where datname = '${name}'`)
    await inside.query('select pg_sleep(10)')
  })

  t.like(await t.throwsAsync(lost), {status: 503, rule: 'database-available'})
  t.deepEqual(await numbers(database), [])
})

test('a large document is read again if it changes between its state and its graph', async t => {
  const store = await useStore(t)
  const iri = `${base}a/`
  await store.create(iri, [triple(iri, 'http://e/p', 'http://e/old')])
  const added = [triple(iri, 'http://e/p', 'http://e/new')]
  let attempts = 0

  /** Another writer changes the document before its graph is read for the first time. */
  const overtaken = (session: Session): Session => {
    const {database} = session
    const begin: Database['begin'] = (mode, work) =>
      database.begin(mode, transaction => {
        const query: Queryable['query'] = async (text, ...others) => {
          if (text.includes('open_graph') && ++attempts === 1)
            await patchDocument(store.session, iri, noConditions, {changes: {removed: [], added}, isReturning: false})
          return transaction.query(text, ...others)
        }
        return work({...transaction, query})
      })
    const own: Database = {...database, begin, read: (_, work) => work(own, undefined)}
    return {...session, database: own}
  }
  const read = await inOneTransaction(store.session, 'read committed', inside =>
    streamDocument(overtaken(inside), iri, {}, async (state, batches) => {
      const objects: string[] = []
      for await (const triples of batches) objects.push(...triples.map(({object}) => object.value))
      return {etag: state?.etag, isNew: objects.includes('http://e/new')}
    }),
  )

  t.deepEqual([attempts, read], [2, {etag: (await readState(store, iri)).etag, isNew: true}])
})
