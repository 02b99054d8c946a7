/** The embedded PostgreSQL: created, adopted, restarted, refused; as root and as another user. */
import {execFile, spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync} from 'node:fs'
import {appendFile, mkdir, mkdtemp, readdir, readlink, rm, stat, writeFile} from 'node:fs/promises'
import {hostname, tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {promisify} from 'node:util'
import test, {type ExecutionContext} from 'ava'
import {type Observation, subscribe} from '../../src/base/observation.ts'
import {isProcessAlive} from '../../src/base/process-identity.ts'
import {Refusal} from '../../src/base/refusal.ts'
import {createPool} from '../../src/db/connection/pool.ts'
import {retry} from '../../src/db/connection/transaction.ts'
import {chooseAccount} from '../../src/db/embedded/account.ts'
import {type Embedded, type EmbeddedOptions, startEmbedded} from '../../src/db/embedded/embedded.ts'
import {until} from '../support/machine.ts'
import {programParameters} from '../support/program.ts'
import {testWhen} from '../support/test-when.ts'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0

async function folder(t: ExecutionContext, parent = tmpdir()): Promise<string> {
  const directory = await mkdtemp(join(parent, 'quadstead-embedded-'))
  t.teardown(() => rm(directory, {recursive: true, force: true}))
  return directory
}

let made: string // folder with a created cluster, because initdb takes most of the time of a first start

test.before(async () => {
  made = await mkdtemp(join(tmpdir(), 'quadstead-embedded-'))
  await (await startEmbedded({dataDirectory: made})).stop()
})
test.after.always(() => rm(made, {recursive: true, force: true}))

/** A folder with a new cluster. */
async function filledFolder(t: ExecutionContext): Promise<string> {
  const directory = await folder(t)
  await run('cp', ['-a', join(made, 'pg18'), directory])
  return directory
}

/** An embedded PostgreSQL that the test may stop. It is stopped when the test ends. */
async function start(t: ExecutionContext, options: EmbeddedOptions): Promise<Embedded> {
  const embedded = await startEmbedded(options)
  t.teardown(embedded.stop)
  return embedded
}

async function ask({address}: Embedded, text: string): Promise<unknown> {
  const pool = createPool(address, {connectionMax: 1, isPooled: false, prepare: true, statementTimeoutMs: 5000})
  try {
    return await retry('read', () => pool.query(text))
  } finally {
    await pool.end(1000)
  }
}

function hear(t: ExecutionContext): Observation[] {
  const heard: Observation[] = []
  t.teardown(subscribe(observation => heard.push(observation)))
  return heard
}

test.serial('a new folder gets a cluster, a stop leaves no process, a second start finds the data', async t => {
  const dataDirectory = join(await folder(t), 'made', 'for it')

  const first = await start(t, {dataDirectory})
  await ask(first, 'create table kept as select 1 as n')
  const processId = first.processId()
  await first.stop()
  t.false(isProcessAlive(processId))
  t.deepEqual((await readdir(dataDirectory)).sort(), ['pg18', 'pg18.log'])

  const second = await start(t, {dataDirectory})
  t.deepEqual(await ask(second, 'select n from kept'), [{n: 1}])
  t.deepEqual(await ask(second, 'show server_encoding'), [{server_encoding: 'UTF8'}])
})

/** The server's values of settings, by name. */
async function show(embedded: Embedded, names: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const list = names.map(name => `current_setting('${name}') as ${name}`).join(', ')
  const [row] = (await ask(embedded, `select ${list}`)) as readonly Record<string, string>[]
  return {...row}
}

test.serial('the defaults depend on the machine, and settings of the operator override them', async t => {
  const dataDirectory = await filledFolder(t) // a cluster that was created without them
  const options = {dataDirectory, tuning: () => ({shared_buffers: '256MB', work_mem: '9MB', max_wal_size: '2GB'})}
  const names = ['shared_buffers', 'work_mem', 'max_wal_size']

  const tuned = await start(t, options)
  t.deepEqual(await show(tuned, names), {shared_buffers: '256MB', work_mem: '9MB', max_wal_size: '2GB'})
  await ask(tuned, "alter system set work_mem = '11MB'")
  await tuned.stop()
  await appendFile(join(tuned.directory, 'postgresql.conf'), "shared_buffers = '64MB'\n")

  const set = await start(t, {...options, tuning: () => ({...options.tuning(), max_wal_size: '3GB'})})
  t.deepEqual(await show(set, names), {shared_buffers: '64MB', work_mem: '11MB', max_wal_size: '3GB'})
})

test.serial('if the machine refuses the memory, the server has the default settings of PostgreSQL', async t => {
  const heard = hear(t)
  const options = {dataDirectory: await filledFolder(t), tuning: () => ({shared_buffers: '8000GB', work_mem: '9MB'})}

  const embedded = await start(t, options)

  t.deepEqual(await show(embedded, ['shared_buffers', 'work_mem']), {shared_buffers: '128MB', work_mem: '4MB'})
  t.true(heard.some(({kind}) => kind === 'embedded-untuned'))
})

test.serial('other users have no access: the folder is private and no port is open', async t => {
  const embedded = await start(t, {dataDirectory: await folder(t)})

  t.is((await stat(embedded.directory)).mode & 0o777, 0o700)
  t.deepEqual(await ask(embedded, 'show listen_addresses'), [{listen_addresses: ''}])
  t.true(embedded.address.socketPath?.startsWith(embedded.directory))
})

for (const kind of ['namespace', 'other'] as const) {
  const testRoot = testWhen(isRoot && isPossible(kind), isRoot ? `not possible on this machine` : 'only root needs it')
  testRoot(`root runs it by "${kind}", which works with data created in another way`, async t => {
    const dataDirectory = await filledFolder(t)

    const usual = await start(t, {dataDirectory})
    await ask(usual, 'create table kept as select 1 as n')
    await usual.stop()
    const other = await start(t, {dataDirectory, accountKinds: [kind]})
    t.deepEqual(await ask(other, 'select n from kept'), [{n: 1}])
    await other.stop()

    t.deepEqual(await ask(await start(t, {dataDirectory}), 'select n from kept'), [{n: 1}])
  })

  testRoot(`root runs it by "${kind}" in a folder that no other user can enter`, async t => {
    const closed = await folder(t)
    const dataDirectory = join(closed, 'data')
    await mkdir(dataDirectory)

    const embedded = await start(t, {dataDirectory, accountKinds: [kind]})
    t.deepEqual(await ask(embedded, 'select 1 as n'), [{n: 1}])
    if (kind === 'other') {
      t.is(await readlink(join(dataDirectory, 'pg18')), embedded.directory)
      await embedded.stop()
      await rm(dirname(embedded.directory), {recursive: true, force: true})
    }
  })
}

test.serial('if the path is too long for a socket, the socket is in another folder', async t => {
  const dataDirectory = join(await folder(t), 'x'.repeat(120))
  const embedded = await start(t, {dataDirectory})
  const socketDirectory = dirname(embedded.address.socketPath ?? '')

  t.is((await stat(socketDirectory)).mode & 0o777, 0o700)
  t.deepEqual(await ask(embedded, 'select 1 as n'), [{n: 1}])

  await embedded.stop()
  t.false(existsSync(socketDirectory))
})

test.serial('after kill -9 PostgreSQL is started again and has all committed data', async t => {
  const embedded = await start(t, {dataDirectory: await filledFolder(t)})
  const heard = hear(t)
  await ask(embedded, 'create table kept as select 1 as n')
  const killed = embedded.processId()

  process.kill(killed, 'SIGKILL')
  await until(() => embedded.processId() !== killed)

  t.deepEqual(await ask(embedded, 'select n from kept'), [{n: 1}])
  t.deepEqual(
    heard.filter(({kind}) => kind.startsWith('embedded')).map(({kind}) => kind),
    ['embedded-lost', 'embedded-started'],
  )
})

test.serial('after kill -9 of the owner its PostgreSQL is adopted', async t => {
  const dataDirectory = await filledFolder(t)
  const {owner, processId} = await startOwner(dataDirectory)
  const heard = hear(t)
  owner.kill('SIGKILL')
  await once(owner, 'exit')

  const embedded = await start(t, {dataDirectory})

  t.is(embedded.processId(), processId)
  t.deepEqual(
    heard.map(({kind}) => kind),
    ['embedded-adopted'],
  )
  await embedded.stop()
  t.false(isProcessAlive(processId))
})

test.serial('after kill -9 of both the next start recovers', async t => {
  const dataDirectory = await filledFolder(t)
  const {owner, processId} = await startOwner(dataDirectory)
  process.kill(owner.pid ?? 0, 'SIGKILL')
  await once(owner, 'exit')
  process.kill(processId, 'SIGKILL')

  const embedded = await start(t, {dataDirectory})

  t.not(embedded.processId(), processId)
  t.deepEqual(await ask(embedded, 'select 1 as n'), [{n: 1}])
})

test.serial('a second owner is refused with the process id of the first, which is not affected', async t => {
  const dataDirectory = await filledFolder(t)
  const {owner, processId} = await startOwner(dataDirectory)
  t.teardown(async () => {
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    await (await startEmbedded({dataDirectory})).stop()
  })

  const error = await t.throwsAsync(startEmbedded({dataDirectory}), {instanceOf: Refusal})

  t.is(
    error?.message,
    `Another Quadstead (process ${owner.pid}) is using ${dataDirectory}. Stop it, or give this one a DATA_DIR ` +
      'of its own.',
  )
  t.true(isProcessAlive(processId))
  t.true(isProcessAlive(owner.pid ?? 0))
})

test.serial('a lock with the id of an unrelated process is taken over', async t => {
  const dataDirectory = await filledFolder(t)
  await writeFile(
    join(dataDirectory, 'quadstead.lock'),
    JSON.stringify({processId: process.ppid, start: 'long ago', host: hostname()}),
  )

  const embedded = await start(t, {dataDirectory})

  t.deepEqual(await ask(embedded, 'select 1 as n'), [{n: 1}])
})

test.serial('data of another major version is not changed', async t => {
  const dataDirectory = await folder(t)
  await mkdir(join(dataDirectory, 'pg17'))

  const error = await t.throwsAsync(startEmbedded({dataDirectory}), {instanceOf: Refusal})

  t.regex(
    error?.message ?? '',
    /were kept by PostgreSQL 17 and this is PostgreSQL 18\. Bring them over with pg_upgrade/,
  )
  t.deepEqual(await readdir(dataDirectory), ['pg17'])
})

test.serial('the error for an invalid setting has the message of PostgreSQL', async t => {
  const error = await t.throwsAsync(
    startEmbedded({dataDirectory: await filledFolder(t), settings: {max_connections: 'many'}}),
    {instanceOf: Refusal},
  )

  t.regex(error?.message ?? '', /PostgreSQL did not start on .*invalid value for parameter "max_connections": "many"/)
})

async function startOwner(dataDirectory: string) {
  const program = programParameters('test/life/fixtures/embedded.ts')
  const owner = spawn(process.execPath, [...program, dataDirectory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(owner.stdout, 'data')
  return {owner, processId: Number(String(line))}
}

function isPossible(kind: 'namespace' | 'other'): boolean {
  try {
    chooseAccount([kind])
    return true
  } catch {
    return false
  }
}
