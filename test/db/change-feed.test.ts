/**
 * Readers of the change log miss no change and see none twice, whatever the order in which transactions commit.
 */
import test from 'ava'
import {createFeed} from '../../src/changes/feed.ts'
import {type Change, expireChanges, keepChanges, readChangeRange, readChanges} from '../../src/db/store/changes.ts'
import {openSession} from '../../src/db/store/create-session.ts'
import {moveDocument} from '../../src/db/store/document-moves.ts'
import {createDocument, deleteDocument, patchDocument} from '../../src/db/store/document-writes.ts'
import {addGrant} from '../../src/db/store/grants.ts'
import type {Session} from '../../src/db/store/session.ts'
import {base, useDataset} from '../support/importing.ts'
import {schemaIdentifier, testSchema} from '../support/postgres.ts'
import {noConditions, triple} from '../support/store.ts'

const p = (subject: string, object: string) => triple(subject, 'http://e/p', object)

const create = (session: Session, iri: string, triples = [p(iri, 'http://e/y')]) =>
  createDocument(session, iri, iri.replace(/[^/]+\/$/, ''), {triples, isReturning: false})

const change = (session: Session, iri: string, value: string) =>
  patchDocument(session, iri, noConditions, {
    changes: {added: [p(iri, `http://e/${value}`)], removed: []},
    isReturning: false,
  })

async function open(t: Parameters<typeof useDataset>[0]) {
  const dataset = await useDataset(t, {isMerged: true})
  const {database} = dataset.database
  await keepChanges(database, testSchema, 'forever')
  const session = await openSession(database, testSchema)
  await create(session, `${base}seed/`) // its terms: writers of new terms wait for each other
  return {dataset, database, session}
}

/** Reads all changes after a position, page by page. */
async function readAll(session: Session, after: string, limit = 7): Promise<Change[]> {
  const all: Change[] = []
  for (let from = after; ; ) {
    const {changes, next, isEnd} = await readChanges(session, {after: from, limit})
    all.push(...changes)
    if (isEnd) return all
    from = next
  }
}

test('a change has its document, tags, times, author and triples', async t => {
  const {database, session} = await open(t)
  const {last} = await readChangeRange(database, testSchema)
  const [box, moved] = [`${base}box/`, `${base}moved/`]
  const caller = {grantees: undefined, isHidden: false, agent: 'http://e/ada', isAudited: false}
  await create({...session, caller, requestId: 'r1'}, box)
  await change(session, box, 'z')
  await moveDocument(session, box, noConditions, {iri: moved, overwrites: false, redirectSeconds: 0})
  await deleteDocument(session, moved, noConditions, {isDeep: true})

  const {changes, isEnd} = await readChanges(session, {after: last, limit: 10, hasTriples: true})
  const own = changes.map(({action, document, oldDocument, parent, agent, request}) => ({
    action,
    document,
    oldDocument,
    parent,
    agent,
    request,
  }))
  const unknown = {agent: undefined, request: undefined}
  t.deepEqual(own, [
    {action: 'created', document: box, oldDocument: undefined, parent: base, agent: 'http://e/ada', request: 'r1'},
    {action: 'patched', document: box, oldDocument: undefined, parent: base, ...unknown},
    {action: 'moved', document: moved, oldDocument: box, parent: base, ...unknown},
    {action: 'deleted', document: moved, oldDocument: undefined, parent: base, ...unknown},
  ])
  const [created, patched, , deleted] = changes
  t.deepEqual(
    patched?.added?.filter(({predicate}) => predicate.value === 'http://e/p'),
    [p(box, 'http://e/z')],
  )
  t.is(created?.added?.length, 9)
  t.is(deleted?.removed?.length, 10)
  t.true(deleted?.removed?.every(({subject}) => subject.value === moved))
  t.deepEqual(changes.map(({before}) => before).slice(1), changes.map(({after}) => after).slice(0, -1))
  t.true(isEnd)
})

test('a reader waits for a transaction that drew an earlier position, and not for others', async t => {
  const {database, session} = await open(t)
  const {last} = await readChangeRange(database, testSchema)
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  let isHeld = () => {}
  const held = new Promise<void>(resolve => {
    isHeld = resolve
  })
  const slow = database.inSteps(async inside => {
    await create({...session, database: inside, together: undefined}, `${base}slow/`)
    isHeld()
    await released
  })
  await held
  await create(session, `${base}fast/`)
  t.deepEqual(await readAll(session, last), [], 'the fast one has a later position')
  release()
  await slow
  t.deepEqual(
    (await readAll(session, last)).map(({document}) => document),
    [`${base}slow/`, `${base}fast/`],
  )

  await database.begin('read committed', async ({query}) => {
    await query(`select ${schemaIdentifier}.hold_names(), pg_current_xact_id()`) // long, but writes nothing
    await create(session, `${base}meanwhile/`)
    t.is((await readAll(session, last)).length, 3)
  })
})

test('a step that rolls back leaves no change, and the transaction keeps its place', async t => {
  const {database, session} = await open(t)
  const {last} = await readChangeRange(database, testSchema)
  await database.inSteps(async inside => {
    const stepping = {...session, database: inside, together: undefined}
    await t.throwsAsync(create(stepping, `${base}none/x/`))
    await create(stepping, `${base}a/`)
    await t.throwsAsync(create(stepping, `${base}a/`))
    await create(session, `${base}other/`)
    t.deepEqual(await readAll(session, last), [])
    await create(stepping, `${base}b/`)
  })
  const changes = await readAll(session, last)
  t.deepEqual(
    changes.map(({document}) => document),
    [`${base}a/`, `${base}other/`, `${base}b/`],
  )
})

test('readers of random writers get every committed change once, in the order of the tags', async t => {
  const {database, session} = await open(t)
  const {last} = await readChangeRange(database, testSchema)
  const feed = createFeed(session, {schema: testSchema, everyMs: 5})
  t.teardown(feed.close)
  const names = Array.from({length: 8}, (_, index) => `${base}d${index}/`)
  for (const name of names) await create(session, name)
  let isDone = false
  async function follow(limit: number): Promise<Change[]> {
    const seen: Change[] = []
    for (let after = last; ; ) {
      const isLast = isDone
      const {changes, next, isEnd} = await feed.read(session, {after, limit})
      seen.push(...changes)
      after = next
      if (isEnd && isLast) return seen
      if (isEnd) await feed.wait(after, {ms: 50})
    }
  }
  const readers = [1, 3, 100].map(follow)
  const writes = Number(process.env.FEED_WRITES ?? 60)
  const write = async (seed: number) => {
    for (let n = 0; n < writes; n += 1) {
      const picked = [names[(seed + n) % 8] ?? '', names[(seed * 3 + n * 5) % 8] ?? ''].sort()
      const isUndone = (seed + n) % 5 === 0
      await database
        .inSteps(async inside => {
          const stepping = {...session, database: inside, together: undefined}
          for (const name of new Set(picked)) await change(stepping, name, `${seed}-${n}`)
          if (n % 7 === 0) await new Promise(resolve => setTimeout(resolve, 20))
          if (isUndone) throw new Error('undone')
        })
        .catch(error => {
          if (!isUndone) throw error
        })
    }
  }
  await Promise.all([1, 2, 3].map(write))
  isDone = true
  const [first = [], ...others] = await Promise.all(readers)

  for (const other of others) t.deepEqual(other, first)
  const positions = first.map(({position}) => BigInt(position))
  t.deepEqual(
    positions,
    [...new Set(positions)].sort((a, b) => (a < b ? -1 : 1)),
  )
  for (const name of names) {
    const own = first.filter(({document}) => document === name)
    t.deepEqual(own.map(({before}) => before).slice(1), own.map(({after}) => after).slice(0, -1), 'tags follow')
    const rows = await database.query<{tag: string}>(
      `select revision::text as tag from ${schemaIdentifier}.document as d join ${schemaIdentifier}.term as t
         on t.id = d.id where t.lex = $1`,
      [name],
    )
    t.is(own.at(-1)?.after, rows[0]?.tag)
  }
})

test('filters leave out changes, and the next position is beyond them', async t => {
  const {database, session} = await open(t)
  const {last} = await readChangeRange(database, testSchema)
  await create(session, `${base}a/`)
  await create(session, `${base}b/`)
  await create(session, `${base}b/c/`)
  await change(session, `${base}b/c/`, 'z')
  await create(session, `${base}d/`)

  const below = await readChanges(session, {after: last, limit: 10, under: `${base}b/`})
  t.deepEqual(
    below.changes.map(({document, action}) => [document, action]),
    [
      [`${base}b/`, 'created'],
      [`${base}b/c/`, 'created'],
      [`${base}b/c/`, 'patched'],
    ],
  )
  t.is(below.next, (await readChangeRange(database, testSchema)).last)
  const one = await readChanges(session, {after: last, limit: 1, actions: ['patched']})
  t.deepEqual(
    one.changes.map(({document}) => document),
    [`${base}b/c/`],
  )
  t.false(one.isEnd)
})

test('a caller gets the changes of documents that it may read now', async t => {
  const {database, session} = await open(t)
  const {last} = await readChangeRange(database, testSchema)
  await create(session, `${base}open/`)
  await create(session, `${base}closed/`)
  await create(session, `${base}open/gone/`)
  await addGrant(session, `${base}open/`, {grantee: 'public', modes: ['read']})
  await deleteDocument(session, `${base}open/gone/`, noConditions, {isDeep: true})
  const reader = {...session, caller: {grantees: ['public'], isHidden: true, agent: undefined, isAudited: false}}

  const seen = await readChanges(reader, {after: last, limit: 10})
  t.deepEqual(
    seen.changes.map(({document, action}) => [document, action]),
    [
      [`${base}open/`, 'created'],
      [`${base}open/gone/`, 'deleted'],
    ],
  )
})

test('expired changes go, and their readers are told', async t => {
  const {database, session} = await open(t)
  const {last} = await readChangeRange(database, testSchema)
  await create(session, `${base}a/`)
  await create(session, `${base}b/`)
  await database.query(
    `update ${schemaIdentifier}.change set time = time - interval '1 day'
      where position < (select max(position) from ${schemaIdentifier}.change)`,
  )
  t.is(await expireChanges(database, testSchema, 100), 0)
  await keepChanges(database, testSchema, 3600)
  t.is(await expireChanges(database, testSchema, 100), 2)
  t.is(await expireChanges(database, testSchema, 100), 0)

  const {oldest} = await readChangeRange(database, testSchema)
  const error = await t.throwsAsync(readChanges(session, {after: last, limit: 10}))
  t.like(error, {status: 410, rule: 'changes-kept'})
  t.deepEqual(
    (await readAll(session, oldest)).map(({document}) => document),
    [`${base}b/`],
  )
  await keepChanges(database, testSchema, 'off')
  t.like(await t.throwsAsync(readChanges(session, {after: oldest, limit: 10})), {status: 404, rule: 'changes-logged'})
})
