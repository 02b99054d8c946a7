/** Works through PgBouncer in transaction mode, if it is installed. */
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {chmod, mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import ava from 'ava'
import {createChecksumPool} from '../../src/checksum/pool.ts'
import {parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {openDatabase} from '../../src/db/connection/connect.ts'
import type {Database} from '../../src/db/connection/pool.ts'
import {chooseAccount, commandAs} from '../../src/db/embedded/account.ts'
import {readVocabulary} from '../../src/db/store/dataset.ts'
import {migrate} from '../../src/db/store/migrate.ts'
import {createQueryService} from '../../src/query/answer.ts'
import {platformVocabulary} from '../../src/rdf/vocabulary.ts'
import {canRun, freePort} from '../support/machine.ts'
import {createTestDatabase, type TestDatabase} from '../support/postgres.ts'
import {testWhen} from '../support/test-when.ts'

const pgbouncer = ['/usr/sbin/pgbouncer', 'pgbouncer'].find(program => canRun(program, ['--version']))
const test = testWhen(pgbouncer !== undefined, 'no pgbouncer here')

let made: TestDatabase
let pooler: ChildProcess
let directory = ''
let pooled: {readonly database: Database; readonly server: {readonly isPooled: boolean}}

ava.before(async () => {
  if (pgbouncer === undefined) return
  made = await createTestDatabase('template0')
  directory = await mkdtemp(join(tmpdir(), 'quadstead-pooler-'))
  const port = await freePort()
  const file = join(directory, 'pgbouncer.ini')
  const socket = made.address.socketPath ?? ''
  await writeFile(
    file,
    `[databases]
* = host=${socket.slice(0, socket.lastIndexOf('/'))} user=quadstead
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
  const command = commandAs(chooseAccount(), pgbouncer, ['-q', file])
  pooler = spawn(command.file, command.parameters, {...command.options, stdio: 'ignore'})
  const address = parseDatabaseUrl(`postgres://quadstead@127.0.0.1:${port}/${made.name}`)
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
