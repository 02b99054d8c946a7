/** Works through PgBouncer in transaction mode, if it is installed. */
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {chmod, mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import ava, {type ExecutionContext} from 'ava'
import {createChecksumPool} from '../../src/checksum/pool.ts'
import {parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {openDatabase} from '../../src/db/connection/connect.ts'
import type {Database} from '../../src/db/connection/pool.ts'
import {chooseAccount, commandAs} from '../../src/db/embedded/account.ts'
import {readVocabulary} from '../../src/db/store/dataset.ts'
import {migrate} from '../../src/db/store/migrate.ts'
import {createQueryService} from '../../src/query/answer.ts'
import {platformVocabulary} from '../../src/rdf/vocabulary.ts'
import {canRun, freePort, until} from '../support/machine.ts'
import {areDistributed, createTestDatabase, type TestDatabase} from '../support/postgres.ts'
import {runProgram} from '../support/process.ts'
import {useService} from '../support/service.ts'
import {testWhen} from '../support/test-when.ts'

const pgbouncer = ['/usr/sbin/pgbouncer', 'pgbouncer'].find(program => canRun(program, ['--version']))
const test = testWhen(pgbouncer !== undefined, 'no pgbouncer here')
const testService = areDistributed ? testWhen(false, 'a service connects to the nodes of a cluster itself') : test

let made: TestDatabase
let pooler: ChildProcess
let startPooler: () => ChildProcess
let urlOf: (database: string) => string // through the pooler
let directory = ''
let pooled: {readonly database: Database; readonly server: {readonly isPooled: boolean}}

ava.before(async () => {
  if (pgbouncer === undefined) return
  made = await createTestDatabase('template0')
  directory = await mkdtemp(join(tmpdir(), 'quadstead-pooler-'))
  const port = await freePort()
  const file = join(directory, 'pgbouncer.ini')
  const {socketPath, hosts} = made.address
  const place = socketPath === undefined ? `${hosts[0]?.host} port=${hosts[0]?.port}` : dirname(socketPath)
  await writeFile(
    file,
    `[databases]
* = host=${place} user=quadstead
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
`,
  )
  await chmod(directory, 0o755)
  startPooler = () => {
    const command = commandAs(chooseAccount(), pgbouncer, ['-q', file])
    return spawn(command.file, command.parameters, {...command.options, stdio: 'ignore'})
  }
  pooler = startPooler()
  urlOf = name => `postgres://quadstead@127.0.0.1:${port}/${name}`
  const address = parseDatabaseUrl(urlOf(made.name))
  pooled = await openDatabase(address, {connectionMax: 8, prepare: 'auto', statementTimeoutMs: 5000, waitMs: 10_000})
})
ava.after.always(async () => {
  if (pgbouncer === undefined) return
  await pooled?.database.end(1000)
  if (pooler?.kill()) await once(pooler, 'exit')
  await made?.drop()
  await rm(directory, {recursive: true, force: true})
})

test('a pooler in transaction mode is detected', t => {
  t.true(pooled.server.isPooled)
})

test('two hundred concurrent statements and transactions on three sessions all succeed', async t => {
  const {database} = pooled
  const answers = await Promise.all(
    Array.from({length: 200}, (_, n) =>
      n % 4 === 0
        ? database.begin('read committed', transaction => transaction.query('select $1::int as n', [n]))
        : database.query('select $1::int as n', [n]),
    ),
  )

  t.deepEqual(
    answers,
    Array.from({length: 200}, (_, n) => [{n}]),
  )
})

test('a cursor works', async t => {
  const rows: unknown[] = []
  for await (const batch of pooled.database.cursor('select generate_series(1, 5) as n', [], {batchRows: 2}))
    rows.push(...batch)

  t.deepEqual(rows, [{n: 1}, {n: 2}, {n: 3}, {n: 4}, {n: 5}])
})

test('migrations work', async t => {
  const sql = join(directory, 'sql')
  await mkdir(join(sql, 'migrations'), {recursive: true})
  await writeFile(join(sql, 'migrations/000001_store.sql'), 'create table thing (id bigint);')

  const runs = await Promise.all([1, 2, 3].map(() => migrate(pooled.database, {schema: 'Pooled data', directory: sql})))

  t.is(runs.filter(names => names.length > 0).length, 1)
})

test('settings of SPARQL queries apply to their transaction only', async t => {
  const {database} = pooled
  const schema = 'quadstead'
  await migrate(database, {schema, directory: fileURLToPath(new URL('../../sql', import.meta.url))})
  const checksums = createChecksumPool()
  t.teardown(checksums.close)
  const vocabulary = await readVocabulary(database, schema)
  const platform = platformVocabulary('http://e/platform#')
  const ask = (text: string, timeoutMs: number) =>
    createQueryService({database, schema, vocabulary, timeoutMs, checksums, platform}).answer(
      {text, base: 'http://e/', preferences: {contexts: false, checksums: false}},
      async answer => answer.form,
    )
  const numbers = Array.from({length: 300}, (_, number) => number).join(' ')
  const cross = ['a', 'b', 'c', 'd'].map(name => `VALUES ?${name} { ${numbers} }`).join(' ')

  t.deepEqual(
    await Promise.all(Array.from({length: 6}, () => ask('ASK { VALUES ?x { 1 } }', 1000))),
    Array(6).fill('ask'),
  )
  t.like(await t.throwsAsync(ask(`SELECT (COUNT(*) AS ?n) { ${cross} }`, 100)), {
    status: 503,
    rule: 'query-timeout',
    members: {limitMs: 100},
  })
  const [settings] = await database.query(
    `select current_setting('statement_timeout') as timeout, current_setting('jit') as jit`,
  )
  t.deepEqual(settings, {timeout: '0', jit: 'on'})
})

testService('a service handles every kind of request, more of them at once than the pooler has sessions', async t => {
  const {service} = await usePooledService(t)
  const turtle = {'Content-Type': 'text/turtle'}
  const container = await service.send({method: 'POST', headers: {...turtle, Slug: 'c'}, body: ''})
  const update = {method: 'POST', path: '/sparql', headers: {'Content-Type': 'application/sparql-update'}}
  const each = async (n: number) => {
    const path = `/c/d${n}/`
    const created = await service.send({
      method: 'POST',
      path: '/c/',
      headers: {...turtle, Slug: `d${n}`},
      body: `<> <http://e/n> ${n} .`,
    })
    const patched = await service.send({
      method: 'PATCH',
      path,
      headers: {'Content-Type': 'text/ldpatch'},
      body: `Add { <> <http://e/m> ${n} . } .`,
    })
    const asked = await service.send({path: `/sparql?query=${encodeURIComponent(`ask { ?s <http://e/m> ${n} }`)}`})
    const got = await service.send({path, headers: {Accept: 'application/n-triples'}})
    const removed = n % 2 === 0 ? await service.send({method: 'DELETE', path}) : got
    return [created, patched, asked, got, removed].map(({status}) => status)
  }

  const answers = await Promise.all(Array.from({length: 40}, (_, n) => each(n)))
  const updated = await service.send({...update, body: `insert data { graph <${service.base}c/> { <x:s> <x:p> 1 } }`})
  const count = 'select (count(*) as ?n) { ?s <http://e/n> ?o }'
  const counted = await service.send({
    path: `/sparql?query=${encodeURIComponent(count)}`,
    headers: {Accept: 'text/csv'},
  })

  t.deepEqual([container.status, updated.status], [201, 200])
  t.deepEqual(
    answers,
    answers.map((_, n) => [201, 204, 200, 200, n % 2 === 0 ? 204 : 200]),
  )
  t.is(counted.text, 'n\r\n20\r\n')
})

testService(
  'a service survives a restart of the pooler: a 503 meanwhile, and no acknowledged write is lost',
  async t => {
    const {service, direct} = await usePooledService(t)
    const written: string[] = []
    const statuses = new Set<number>()
    let isOver = false
    const writers = Array.from({length: 4}, async (_, writer) => {
      for (let n = 0; !isOver; n += 1) {
        const headers = {'Content-Type': 'text/turtle', Slug: `w${writer}-${n}`}
        const {status, headers: answered} = await service.send({method: 'POST', headers, body: ''})
        statuses.add(status)
        if (status === 201) written.push(answered.location ?? '')
        else t.truthy(answered['retry-after'])
      }
    })
    await until(() => written.length > 20)

    pooler.kill('SIGTERM')
    await once(pooler, 'exit')
    await until(() => statuses.has(503))
    pooler = startPooler()
    const before = written.length
    await until(() => written.length > before + 20)
    isOver = true
    await Promise.all(writers)

    const rows = await direct.query<{iri: string}>(`select iri from quadstead.documents`)
    const kept = new Set(rows.map(({iri}) => iri))
    t.deepEqual(
      written.filter(iri => !kept.has(iri)),
      [],
    )
    t.deepEqual([...statuses].sort(), [201, 503])
    t.deepEqual(await direct.query('select * from quadstead.check_store()'), [])
  },
)

test('quadstead import says that it needs a direct connection', async t => {
  const file = join(directory, 'data.nq')
  await writeFile(file, '<http://e/s> <http://e/p> "x" <http://localhost:8080/> .\n')
  const program = runProgram(t, {DATABASE_URL: urlOf(made.name)}, ['import', file])

  t.is(await program.exit, 1)
  t.regex(program.complaints(), /pooler/)
})

/** A service with a database of its own behind the pooler, and a direct connection to that database. */
async function usePooledService(t: ExecutionContext) {
  const {name, database, drop} = await createTestDatabase()
  const settings = {DATABASE_POOL_MAX: '8', DATABASE_QUEUE_WAIT_MS: '10000', AUDIT: 'on'}
  const service = await useService(t, {...settings, DATABASE_URL: urlOf(name)})
  t.teardown(drop)
  return {service, direct: database}
}
