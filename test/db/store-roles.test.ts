/** Rights: the service works with a role that owns nothing, and no other role writes. */
import test, {type ExecutionContext} from 'ava'
import {createPool, type Database} from '../../src/db/connection/pool.ts'
import {start} from '../../src/serve.ts'
import {readConfig} from '../../src/settings/config.ts'
import {send} from '../support/client.ts'
import {reasonAgainst, runProgram} from '../support/client-programs.ts'
import {
  administerRoles,
  areDistributed,
  createTestDatabase,
  type TestDatabase,
  testSchema,
} from '../support/postgres.ts'

const obstacle = await reasonAgainst('psql')
const testWhere = obstacle === undefined ? test.serial : test.serial.skip
const skipped = obstacle === undefined ? '' : ` (skipped: ${obstacle})`
const tables = [
  ...['dataset', 'term', 'document', 'quad', 'access_grant', 'access_realm', 'api_key', 'audit', 'migration'],
  ...[
    'change',
    'kept_state',
    'old_name',
    'webhook',
    'kept_answer',
    'web_session',
    'follow',
    'followed',
    'followed_node',
  ],
]

/** A database with the rights of roles.sql, and a login for each of its roles. */
async function withRoles(t: ExecutionContext): Promise<{made: TestDatabase; service: string; reader: string}> {
  const made = await createTestDatabase()
  const [service, reader] = [`${made.name}_service`, `${made.name}_reader`]
  t.teardown(async () => {
    await made.drop()
    for (const role of [service, reader]) await administerRoles(`drop role if exists ${role}`)
  })
  const names = ['-v', `schema=${testSchema}`, '-v', `service=${service}`, '-v', `reader=${reader}`]
  await runProgram('psql', made.name, '-q', ...names, '-f', 'sql/roles.sql', '-d')
  for (const role of [service, reader]) {
    if (areDistributed)
      await administerRoles(`do $$ begin create role ${role}; exception when duplicate_object then null; end $$`)
    await administerRoles(`alter role ${role} login`)
  }
  return {made, service, reader}
}

function urlAs(made: TestDatabase, role: string): string {
  const url = new URL(made.url)
  url.username = role
  return url.href
}

function openAs(t: ExecutionContext, made: TestDatabase, role: string): Database {
  const options = {connectionMax: 1, isPooled: false, prepare: false, statementTimeoutMs: 0}
  const database = createPool({...made.address, user: role}, options)
  t.teardown(() => database.end(0))
  return database
}

/** The statements among these that are not refused for lack of a right. */
async function allowedOf(database: Database, statements: readonly string[]): Promise<readonly string[]> {
  const allowed: string[] = []
  for (const statement of statements) {
    const error = await database.query(statement).then(
      () => undefined,
      reason => reason,
    )
    if (error?.code !== '42501') allowed.push(`${statement}: ${error?.message ?? 'done'}`)
  }
  return allowed
}

/** A column of each table without an id. */
const columns: Readonly<Record<string, string>> = {
  dataset: 'base',
  migration: 'name',
  quad: 'g',
  access_grant: 'grantee',
  api_key: 'name',
  change: 'position',
  kept_state: 'position',
  kept_answer: 'key',
  web_session: 'agent',
  followed: 'document',
  followed_node: 'label',
}
const direct = tables.flatMap(table => [
  `insert into ${testSchema}.${table} default values`,
  `delete from ${testSchema}.${table}`,
  `update ${testSchema}.${table} set ${columns[table] ?? 'id'} = default`,
  ...(areDistributed ? [] : [`truncate ${testSchema}.${table}`]), // there they are views
])

testWhere(`a service with a role that owns nothing handles every request${skipped}`, async t => {
  const {made, service} = await withRoles(t)
  const {url, stop} = await start(
    readConfig({PORT: '0', DATABASE_URL: urlAs(made, service), DRAIN_TIMEOUT_MS: '1000', AUDIT: 'on'}),
  )
  t.teardown(stop)
  const type = {'Content-Type': 'text/turtle', Accept: 'application/n-triples'}
  const path = '/a/'

  const created = await send(url, {method: 'POST', headers: {...type, Slug: 'a'}, body: '<> <http://e/p> "1" .'})
  const child = await send(url, {method: 'POST', path, headers: {...type, Slug: 'b'}, body: '<> <http://e/p> </a/> .'})
  const read = await send(url, {path, headers: type})
  const listed = await send(url, {
    path,
    headers: {...type, Prefer: 'return=representation; include="http://www.w3.org/ns/ldp#PreferContainment"'},
  })
  const ifMatch = {'If-Match': created.headers.etag ?? ''}
  const replaced = await send(url, {method: 'PUT', path, headers: {...type, ...ifMatch}, body: read.text})
  const head = await send(url, {method: 'HEAD', path, headers: type})
  const deleted = await send(url, {method: 'DELETE', path})
  const gone = await send(url, {path})
  const changes = await send(url, {path: '/changes', headers: {Accept: 'application/jsonl'}})

  t.deepEqual(
    [created, child, read, listed, replaced, head, deleted, gone, changes].map(({status}) => status),
    [201, 201, 200, 200, 204, 200, 204, 404, 200],
  )
  t.deepEqual(await made.database.query(`select * from ${testSchema}.check_store()`), [])
  t.deepEqual(await made.database.query(`select action from ${testSchema}.audit order by id`), [
    {action: 'create'},
    {action: 'create'},
    {action: 'replace'},
    {action: 'delete'},
  ])
})

testWhere(`the role of the service cannot write tables directly${skipped}`, async t => {
  const {made, service} = await withRoles(t)

  const inner = [
    'put_quads(1, null, null, null)',
    'touch_documents(null)',
    'remove_documents(array[1], null)',
    `record_change('create', 1, null, '1', row(null, false, 'http://e/ada', null, true), 'http://e/')`,
  ]
  const statements = [
    ...direct,
    ...inner.map(call => `select ${testSchema}.${call}`),
    `create table ${testSchema}.x ()`,
  ]

  t.deepEqual(await allowedOf(openAs(t, made, service), statements), [])
})

testWhere(`the role of the reader can read everything and change nothing${skipped}`, async t => {
  const {made, reader} = await withRoles(t)
  await made.database.query(`select ${testSchema}.open_dataset('http://test/', 'http://test/', 'http://test/ns#')`)
  const database = openAs(t, made, reader)
  const writes = [
    `select ${testSchema}.create_document('http://test/a/', 'http://test/', '{}', '{}', '{}', '{}')`,
    `select ${testSchema}.delete_children('http://test/')`,
    `select ${testSchema}.open_dataset('http://test/', 'http://test/', 'http://test/ns#')`,
    `select ${testSchema}.intern_terms('{Ihttp://e/}')`,
    `select nextval('${testSchema}.revision_seq')`,
    ...['api_key', 'webhook', 'kept_answer', 'web_session', 'follow'].map(
      table => `select * from ${testSchema}.${table}`,
    ),
  ]

  const documents = await database.query(`select iri, triples from ${testSchema}.documents`)
  const quads = await database.query(`select count(*) as n from ${testSchema}.quads`)
  const children = await database.query(`select count(*) as n from ${testSchema}.children`)
  const broken = await database.query(`select * from ${testSchema}.check_store()`)

  t.deepEqual([documents, quads, children, broken], [[{iri: 'http://test/', triples: '8'}], [{n: '8'}], [{n: '0'}], []])
  await made.database.query(`update ${testSchema}.dataset set logs_changes = true`)
  await made.database.query(
    `select ${testSchema}.create_document('http://test/a/', 'http://test/', array['Ihttp://test/a/', 'Ihttp://e/p'], '{1}', '{2}', '{1}')`,
  )
  await made.database.query(`update ${testSchema}.document set is_access_point = true where parent is not null`)
  await made.database.query(
    `insert into ${testSchema}.access_grant (document, grantee, modes) select id, 'public', '{read}' from ${testSchema}.document`,
  )
  for (const [view, rows] of Object.entries({quads: 17, members: 2, access_points: 1, grants: 2, changes: 1}))
    t.is((await database.query(`select * from ${testSchema}.${view}`)).length, rows, view)
  t.deepEqual(await allowedOf(database, [...direct, ...writes]), [])
})
