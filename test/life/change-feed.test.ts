/**
 * Readers of changes beside a PostgreSQL that crashes: every committed change once, in the order of the tags.
 *
 * CHANGE_FEED_SECONDS makes it longer.
 */
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import test, {type ExecutionContext} from 'ava'
import postgres from 'postgres'
import {createFeed} from '../../src/changes/feed.ts'
import {createPool} from '../../src/db/connection/pool.ts'
import {startEmbedded} from '../../src/db/embedded/embedded.ts'
import {type Change, keepChanges} from '../../src/db/store/changes.ts'
import {openSession} from '../../src/db/store/create-session.ts'
import {openDataset} from '../../src/db/store/dataset.ts'
import {createDocument, patchDocument} from '../../src/db/store/document-writes.ts'
import {migrate} from '../../src/db/store/migrate.ts'
import type {Session} from '../../src/db/store/session.ts'
import {sqlDirectory} from '../../src/sql-directory.ts'
import {base, platform} from '../support/importing.ts'
import {noConditions, triple} from '../support/store.ts'

const seconds = Number(process.env.CHANGE_FEED_SECONDS ?? 3) // before the crash, and after it
const schema = 'quadstead'
const names = Array.from({length: 12}, (_, index) => `${base}d${index}/`)

let value = 0

const add = (session: Session, iri: string, value: number) =>
  patchDocument(session, iri, noConditions, {
    changes: {added: [triple(iri, 'http://e/p', `http://e/${value}`)], removed: []},
    isReturning: false,
  })

/** A dataset with documents in a PostgreSQL of its own. */
async function open(t: ExecutionContext) {
  const directory = await mkdtemp(join(tmpdir(), 'quadstead-feed-'))
  const settings = {fsync: 'off', max_connections: '40', max_prepared_transactions: '2'}
  const embedded = await startEmbedded({dataDirectory: directory, settings})
  const options = {connectionMax: 12, isPooled: false, prepare: true, statementTimeoutMs: 60_000}
  const database = createPool(embedded.address, options)
  t.teardown(async () => {
    await database.end(1000)
    await embedded.stop()
    await rm(directory, {recursive: true, force: true})
  })
  await migrate(database, {schema, directory: sqlDirectory})
  await openDataset(database, {schema, base, defaultBase: base, platformNamespace: platform})
  await keepChanges(database, schema, 'forever')
  const session = await openSession(database, schema)
  const feed = createFeed(session, {schema, everyMs: 20})
  t.teardown(feed.close)
  const {last: start} = await feed.range()
  for (const iri of names) await createDocument(session, iri, base, {triples: [], isReturning: false})
  return {embedded, database, session, feed, start}
}

test('no reader misses a change when transactions stay open or are killed, and PostgreSQL crashes', async t => {
  t.timeout(240_000)
  const {embedded, database, session, feed, start} = await open(t)
  let isWriting = true
  let isDone = false
  /** One transaction that changes documents, waits, and ends. */
  async function write(iris: readonly string[], {ms, isUndone}: {ms: number; isUndone: boolean}): Promise<void> {
    await database.inSteps(async inside => {
      const stepping = {...session, database: inside, together: undefined}
      for (const iri of iris) await add(stepping, iri, value++)
      await delay(ms)
      if (isUndone) throw new Error('undone')
    })
  }
  async function writeOn(seed: number): Promise<void> {
    for (let n = seed; isWriting; n += 1) {
      const picked = [...new Set([names[(n * 7) % 10] ?? '', names[(n * 3 + seed) % 10] ?? ''])].sort()
      await write(picked, {ms: n % 3 === 0 ? 5 : 0, isUndone: n % 6 === 0}).catch(() => delay(20))
    }
  }
  async function follow(limit: number): Promise<Change[]> {
    const seen: Change[] = []
    for (let after = start; ; ) {
      const isLast = isDone
      try {
        const {changes, next, isEnd} = await feed.read(session, {after, limit})
        seen.push(...changes)
        after = next
        if (isEnd && isLast) return seen
        if (isEnd) await feed.wait(after, {ms: 200})
      } catch {
        await delay(50) // PostgreSQL is down
      }
    }
  }

  const readers = [2, 17, 500].map(follow)
  const writers = [1, 2, 3, 4].map(writeOn)
  const held = write([names[10] ?? ''], {ms: seconds * 700, isUndone: false})
  const killed = write([names[11] ?? ''], {ms: seconds * 900, isUndone: false})
  await delay(seconds * 500)
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where state = 'idle in transaction' and xact_start < now() - interval '${seconds * 300} ms'
      order by xact_start desc limit 1`,
  )
  await delay(seconds * 500)
  process.kill(embedded.processId(), 'SIGQUIT') // ends without a checkpoint; it is started again and recovers
  await delay(seconds * 1000)
  isWriting = false
  await Promise.allSettled([...writers, held, killed])
  isDone = true
  const ledgers = await Promise.all(readers)

  const rows = await database.query<{position: string}>(
    `select position::text from ${schema}.change as c where c.action is not null and c.position > $1 order by c.position`,
    [start],
  )
  const stored = rows.map(({position}) => position)
  t.log(`${stored.length} changes`)
  t.true(stored.length > 50)
  for (const ledger of ledgers)
    t.deepEqual(
      ledger.map(({position}) => position),
      stored,
    )
  for (const iri of names) {
    const own = ledgers[0]?.filter(({document}) => document === iri) ?? []
    t.deepEqual(own.map(({before}) => before).slice(1), own.map(({after}) => after).slice(0, -1))
  }
})

test('a prepared transaction holds back readers until it ends, also after a crash', async t => {
  t.timeout(240_000)
  const {embedded, database, session, feed} = await open(t)
  const {last} = await feed.range()
  const [prepared, other] = [`${base}prepared/`, `${base}other/`]
  async function seen(): Promise<unknown> {
    const {changes, isEnd} = await feed.read(session, {after: last, limit: 100})
    return {isEnd, created: changes.map(({document}) => document)}
  }

  const {socketPath, user, database: name} = embedded.address
  const client = postgres({path: `${socketPath}`, user, database: name, max: 1})
  const create = `select ${schema}.create_document('${prepared}', '${base}', '{}', '{}', '{}', '{}')`
  await client.unsafe(`begin; ${create}; prepare transaction 'held'`).simple()
  await client.end()
  await createDocument(session, other, base, {triples: [], isReturning: false})
  await delay(500)
  t.deepEqual(await seen(), {isEnd: true, created: []})

  const before = embedded.processId()
  process.kill(before, 'SIGQUIT')
  for (let left = 400; left > 0 && embedded.processId() === before; left -= 1) await delay(50)
  t.deepEqual(await patiently(seen), {isEnd: true, created: []})

  await patiently(() => database.query("commit prepared 'held'"))
  t.deepEqual(await patiently(seen), {isEnd: true, created: [prepared, other]})
})

/** Repeats work while PostgreSQL is not there, or while connections of the pool are those that a crash cut off. */
async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let left = 200; left > 0; left -= 1) {
    const [done] = await Promise.allSettled([work()])
    if (done.status === 'fulfilled') return done.value
    await delay(50)
  }
  return work()
}
