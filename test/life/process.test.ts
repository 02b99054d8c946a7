/** The program as a process: its output, its end, its exit codes. */
import {readFile} from 'node:fs/promises'
import {Agent} from 'node:http'
import {type AddressInfo, createServer} from 'node:net'
import {join} from 'node:path'
import test, {type ExecutionContext} from 'ava'
import {isProcessAlive} from '../../src/base/process-identity.ts'
import {commands} from '../../src/command/table.ts'
import type {Database} from '../../src/db/connection/pool.ts'
import {startEmbedded} from '../../src/db/embedded/embedded.ts'
import {settings} from '../../src/settings/config.ts'
import {send} from '../support/client.ts'
import {until} from '../support/machine.ts'
import {createTestDatabase, type TestDatabase} from '../support/postgres.ts'
import {runProgram, temporaryFolder} from '../support/process.ts'

async function database(t: ExecutionContext): Promise<TestDatabase> {
  const made = await createTestDatabase()
  t.teardown(made.drop)
  return made
}

/** Continues a stopped process (SIGCONT) if it still exists. */
function resume(processId: number): void {
  if (isProcessAlive(processId)) process.kill(processId, 'SIGCONT')
}

/** The backends of PostgreSQL that serve the program. */
async function backendsOf(pool: Database, name: string): Promise<readonly number[]> {
  const rows = await pool.query<{pid: number}>(
    'select pid from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [name],
  )
  return rows.map(({pid}) => pid)
}

/** Waits until everything sent before has been read, because connections are served in order. */
async function hasArrived(url: string): Promise<void> {
  for (const _ of [1, 2, 3]) await send(`${url}live`)
}

/** Listens on a port like another program, unless one already does. */
function occupy(t: ExecutionContext, port: number): Promise<number> {
  const server = createServer()
  t.teardown(() => server.close())
  return new Promise(resolve => {
    server.once('error', () => resolve(port))
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

test.serial('prints one line with its URL when it is ready, serves, and ends with 0 on SIGTERM', async t => {
  const {url: databaseUrl} = await database(t)
  const program = runProgram(t, {PORT: '0', DATABASE_URL: databaseUrl})

  const {line, url, base} = await program.ready()
  t.is((await send(`${url}ready`)).status, 200)
  t.is((await send(`${url}live`)).status, 200)
  t.is(base, `http://localhost:${new URL(url).port}/`)
  t.regex(
    line.replace(' with Citus at ', ' at '),
    /^Quadstead \d+\.\d+\.\d+ is ready at http:\/\/127\.0\.0\.1:\d+\/ \(base \S+, PostgreSQL \S+ at .*, schema \w+\)$/,
  )

  program.child.kill('SIGTERM')
  t.is(await program.exit, 0)
  t.is(program.output(), `${line}\n`)
})

test.serial('lists all invalid settings on stderr, without a stack', async t => {
  const program = runProgram(t, {PORT: 'x', BASE_URL: 'y', BODY_LIMIT_BYTES: '-1'})

  t.is(await program.exit, 78)
  t.is(program.output(), '')
  t.is(
    program.complaints(),
    `quadstead: 3 settings cannot be used:
  PORT="x": expected ${settings.PORT.expected}
  BASE_URL="y": expected ${settings.BASE_URL.expected}
  BODY_LIMIT_BYTES="-1": expected ${settings.BODY_LIMIT_BYTES.expected}
`,
  )
})

test.serial('a given port that is in use is an error', async t => {
  const {url} = await database(t)
  const port = await occupy(t, 0)

  const program = runProgram(t, {PORT: String(port), DATABASE_URL: url})

  t.is(await program.exit, 1)
  t.regex(program.complaints(), new RegExp(`quadstead: Port ${port} of 127\\.0\\.0\\.1 is taken by another program\\.`))
})

test.serial('without PORT, if 8080 is in use, it listens on the next free port', async t => {
  const {url: databaseUrl} = await database(t)
  await occupy(t, 8080)

  const {url, base} = await runProgram(t, {DATABASE_URL: databaseUrl}).ready()

  const port = Number(new URL(url).port)
  t.true(port > 8080 && port <= 8099)
  t.is(base, `http://localhost:${port}/`)
  t.is((await send(`${url}ready`)).status, 200)
})

test.serial('the stored base stays: its port is used again, and another BASE_URL is refused', async t => {
  const {url} = await database(t)
  await occupy(t, 8080)
  const first = runProgram(t, {DATABASE_URL: url})
  const {base} = await first.ready()
  first.child.kill()
  await first.exit

  const second = runProgram(t, {DATABASE_URL: url})
  t.is((await second.ready()).base, base)
  const third = runProgram(t, {PORT: '0', DATABASE_URL: url})
  t.is((await third.ready()).base, base)
  const other = runProgram(t, {PORT: '0', DATABASE_URL: url, BASE_URL: 'https://example.org/'})

  t.is(await other.exit, 78)
  t.regex(other.complaints(), /live under <http:\/\/localhost:\d+\/>, not under <https:\/\/example\.org\/>/)
})

test.serial('a running request finishes after SIGTERM, a new one is refused, and the exit code is 0', async t => {
  const {url: databaseUrl, database: pool, name} = await database(t)
  const program = runProgram(t, {PORT: '0', DATABASE_URL: databaseUrl, DATABASE_POOL_MAX: '1'})
  const {url} = await program.ready()
  const agent = new Agent({keepAlive: true})
  t.teardown(() => agent.destroy())
  t.is((await send(`${url}ready`, {agent})).status, 200)
  const backends = await backendsOf(pool, name)
  for (const backend of backends) process.kill(backend, 'SIGSTOP') // a slow database
  t.teardown(() => backends.forEach(resume))
  const slow = send(`${url}ready`)

  await hasArrived(url)
  program.child.kill('SIGTERM')
  await until(() => program.complaints().includes('stopping: 1 request to finish'))
  await t.throwsAsync(send(`${url}ready`), {code: 'ECONNREFUSED'})
  backends.forEach(resume)

  t.is((await slow).status, 200)
  t.is(await program.exit, 0)
})

test.serial('a second signal ends running requests', async t => {
  const {url: databaseUrl, database: pool, name} = await database(t)
  const program = runProgram(t, {PORT: '0', DATABASE_URL: databaseUrl, DATABASE_POOL_MAX: '1'})
  const {url} = await program.ready()
  t.is((await send(`${url}ready`)).status, 200)
  const backends = await backendsOf(pool, name)
  for (const backend of backends) process.kill(backend, 'SIGSTOP')
  t.teardown(() => backends.forEach(resume))
  const slow = t.throwsAsync(send(`${url}ready`))

  await hasArrived(url)
  program.child.kill('SIGTERM')
  await until(() => program.complaints().includes('stopping'))
  program.child.kill('SIGINT')

  await slow
  t.is(await program.exit, 130)
})

test.serial(
  'without DATABASE_URL it starts PostgreSQL; a second process with the same data folder is refused',
  async t => {
    const DATA_DIR = join(await temporaryFolder(t), 'data')
    const first = runProgram(t, {PORT: '0', DATA_DIR})
    const {line, url} = await first.ready()
    t.regex(line, /PostgreSQL 18\.\d+ embedded in /)

    const second = runProgram(t, {PORT: '0', DATA_DIR})
    t.is(await second.exit, 1)
    t.regex(
      second.complaints(),
      new RegExp(`^quadstead: Another Quadstead \\(process ${first.child.pid}\\) is using ${DATA_DIR}\\.`),
    )
    t.is((await send(`${url}ready`)).status, 200)

    const migration = runProgram(t, {DATA_DIR}, ['migrate'])
    t.is(await migration.exit, 0)
    t.is(migration.output(), 'Schema quadstead is up to date.\n')
    t.is((await send(`${url}ready`)).status, 200)

    first.child.kill('SIGTERM')
    t.is(await first.exit, 0)
  },
)

test.serial('after kill -9 the next start has the same data on the same PostgreSQL', async t => {
  const DATA_DIR = join(await temporaryFolder(t), 'data')
  const first = runProgram(t, {PORT: '0', DATA_DIR})
  const {base} = await first.ready()
  first.child.kill('SIGKILL')
  t.is(await first.exit, 'SIGKILL')

  const second = runProgram(t, {PORT: '0', DATA_DIR})
  t.is((await second.ready()).base, base)
  await until(() => /still ran on .*: adopted/.test(second.complaints()))

  second.child.kill('SIGTERM')
  t.is(await second.exit, 0)
})

test.serial('waits for a PostgreSQL that starts later, and names one that does not', async t => {
  const dataDirectory = await temporaryFolder(t)
  const DATABASE_URL = `postgres://quadstead@localhost/postgres?host=${encodeURIComponent(join(dataDirectory, 'pg18'))}`
  const impatient = runProgram(t, {PORT: '0', DATABASE_URL, DATABASE_WAIT_MS: '0'})
  t.is(await impatient.exit, 1)
  t.regex(
    impatient.complaints(),
    /^quadstead: PostgreSQL at .*pg18\/\.s\.PGSQL\.5432, database postgres, user quadstead cannot be used: .*ENOENT/,
  )

  const patient = runProgram(t, {PORT: '0', DATABASE_URL})
  await until(() => patient.complaints().includes('waiting for PostgreSQL'))
  const embedded = await startEmbedded({dataDirectory})
  t.teardown(embedded.stop)
  t.is((await send(`${(await patient.ready()).url}ready`)).status, 200)

  patient.child.kill('SIGTERM')
  t.is(await patient.exit, 0)
})

test.serial('migrate creates the schema and reports it; check without a schema says what to do', async t => {
  const {url: DATABASE_URL} = await database(t)
  const environment = {DATABASE_URL, DATABASE_SCHEMA: 'My "own" data'}

  const early = runProgram(t, environment, ['check'])
  t.is(await early.exit, 1)
  t.regex(
    early.complaints(),
    /^quadstead: Schema My "own" data is not there or not up to date\. Run "quadstead migrate" first\.\n$/,
  )
  const migration = runProgram(t, environment, ['migrate'])
  t.is(await migration.exit, 0)
  t.regex(migration.output(), /^Schema My "own" data took 000001_\w+\.sql.* functions and views\.\n$/)
  const check = runProgram(t, environment, ['check'])
  t.is(await check.exit, 0)
  const [verdict, ...advice] = check.output().trimEnd().split('\n')
  t.is(verdict, 'Schema My "own" data: nothing is wrong.')
  t.true(advice.every(line => line.startsWith('advice: ')))
  t.true(advice.some(line => line.startsWith('advice: fsync is off; try on.'))) // test servers are not durable
  const json = runProgram(t, environment, ['check', '--json'])
  t.is(await json.exit, 0)
  const answer = JSON.parse(json.output())
  t.deepEqual([answer.schema, answer.found, answer.advice.length], ['My "own" data', [], advice.length])
})

test.serial('--help lists every command and setting, --version prints the version', async t => {
  const help = runProgram(t, {}, ['--help'])
  t.is(await help.exit, 0)
  for (const word of ['serve', 'migrate', 'check', ...Object.keys(settings)])
    t.regex(help.output(), new RegExp(`^  ${word} `, 'm'))

  const version = runProgram(t, {}, ['--version'])
  t.is(await version.exit, 0)
  t.regex(version.output(), /^\d+\.\d+\.\d+\n$/)
})

test.serial('every command has a help text; invalid arguments give exit code 2', async t => {
  for (const {name} of commands) {
    const help = runProgram(t, {}, ['help', name])
    t.is(await help.exit, 0)
    t.regex(help.output(), new RegExp(`^Usage: quadstead ${name}\\b[\\s\\S]*\\nExamples?:\\n  `))
  }
  const same = runProgram(t, {}, ['check', '--help'])
  t.is(await same.exit, 0)
  t.regex(same.output(), /^Usage: quadstead check\b/)

  const mistakes = [
    [['sevre'], 'quadstead: no such command: sevre\nDid you mean "serve"?\n"quadstead help" lists all commands.\n'],
    [
      ['--verison'],
      'quadstead: no such option: --verison\nDid you mean "--version"?\n"quadstead help" lists all commands.\n',
    ],
    [['help', 'xyzzy'], 'quadstead: no such command: xyzzy\n"quadstead help" lists all commands.\n'],
    [
      ['check', '--manifets', 'x'],
      'quadstead check: no such option: --manifets\nDid you mean "--manifest"?\n"quadstead help check" tells more.\n',
    ],
    [
      ['migrate', 'now'],
      'quadstead migrate: it does not take "now"\nUsage: quadstead migrate\n"quadstead help migrate" tells more.\n',
    ],
    [
      ['explain'],
      'quadstead explain: it takes at least 1 operand, got 0\n' +
        'Usage: quadstead explain [--measured] [--json] [--base IRI] FILE\n"quadstead help explain" tells more.\n',
    ],
  ] as const
  for (const [words, expected] of mistakes) {
    const program = runProgram(t, {}, words)
    t.is(await program.exit, 2)
    t.is(program.complaints(), expected)
  }
})

test.serial(
  'after kill -9 of its PostgreSQL the service starts it again, and responses are at worst a 503',
  async t => {
    const DATA_DIR = join(await temporaryFolder(t), 'data')
    const program = runProgram(t, {PORT: '0', DATA_DIR})
    const {url} = await program.ready()
    t.is((await send(`${url}ready`)).status, 200)
    const [processId = ''] = (await readFile(join(DATA_DIR, 'pg18/postmaster.pid'), 'utf8')).split('\n')

    process.kill(Number(processId), 'SIGKILL')
    const statuses = new Set<number>()
    await until(async () => {
      const {status} = await send(`${url}ready`)
      statuses.add(status)
      return status === 200 && program.complaints().includes('is gone')
    })

    t.deepEqual(
      [...statuses].filter(status => status !== 200 && status !== 503),
      [],
    )
    t.regex(program.complaints(), new RegExp(`PostgreSQL \\(process ${processId}\\) on .* is gone: starting it again`))
    program.child.kill('SIGTERM')
    t.is(await program.exit, 0)
  },
)
