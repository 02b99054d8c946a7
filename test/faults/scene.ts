/** The processes of a fault test: a PostgreSQL, a service, and perhaps a proxy between them. */
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {ExecutionContext} from 'ava'
import type {DatabaseAddress} from '../../src/db/connection/address.ts'
import {createPool} from '../../src/db/connection/pool.ts'
import {databaseCodeOf, isConnectionLost} from '../../src/db/connection/problem-of.ts'
import {runningEmbedded, startEmbedded} from '../../src/db/embedded/embedded.ts'
import {findPostmaster} from '../../src/db/embedded/postmaster.ts'
import {send} from '../support/client.ts'
import {freePort, until} from '../support/machine.ts'
import {schemaIdentifier} from '../support/postgres.ts'
import {type Program, type ProgramSettings, runProgram} from '../support/process.ts'
import {projectDirectory} from '../support/program.ts'
import {unlimited} from '../support/service.ts'
import {type DatabaseProxy, startProxy} from './proxy.ts'

export type Scene = {
  readonly base: string // root document
  readonly postmaster: () => Promise<number | undefined> // process id; undefined if none runs
  readonly proxy: DatabaseProxy | undefined
  readonly settings: ProgramSettings // of the service
  readonly service: () => Program
  readonly complaints: () => string // stderr of all services of the scene so far
  /** Starts the service again after it has ended. */
  readonly restart: () => Promise<void>
  /** Runs a statement without service and proxy. Repeats it while there is no server. */
  readonly ask: <Row extends object>(text: string) => Promise<readonly Row[]>
  readonly isReady: () => Promise<boolean>
  /** Waits until the service is ready, and everything that began before the call has ended. */
  readonly calm: () => Promise<void>
  /** Lines of `check_store` and `check_changes`. */
  readonly check: () => Promise<readonly unknown[]>
}

export type SceneOptions = {
  readonly dataDirectory?: string // of PostgreSQL
  readonly postgresSettings?: Readonly<Record<string, string>>
}

/** Limits that are short enough for a test. */
const limits: ProgramSettings = {
  ...unlimited,
  DATABASE_POOL_MAX: '6',
  DATABASE_QUEUE_WAIT_MS: '500',
  STATEMENT_TIMEOUT_MS: '1000',
  LOG_REQUESTS: 'none',
  NODE_OPTIONS: `--import=${join(projectDirectory, 'test/faults/stepped-clock.mjs')}`,
}

/** A service that connects to a PostgreSQL of the test through a proxy. It is stopped when the test ends. */
export async function setScene(t: ExecutionContext, options: SceneOptions = {}): Promise<Scene> {
  const dataDirectory = options.dataDirectory ?? (await makeDirectory(t))
  const binaryDirectory = process.env.TEST_POSTGRES_BINARIES
  const postgres = await startEmbedded({
    dataDirectory,
    ...(binaryDirectory === undefined ? {} : {binaryDirectory}),
    settings: options.postgresSettings ?? {},
  })
  t.teardown(postgres.stop)
  const proxy = await startProxy(() => postgres.address.socketPath ?? '')
  t.teardown(proxy.close)
  const postmaster = async () => (await findPostmaster(postgres.directory))?.processId
  const settings = {...limits, DATABASE_URL: `postgres://quadstead@127.0.0.1:${proxy.port}/postgres`}
  return actOn(t, {postmaster, proxy, settings, address: async () => postgres.address})
}

/** A service with its embedded PostgreSQL. */
export async function setOwnScene(t: ExecutionContext, more: ProgramSettings = {}): Promise<Scene> {
  const dataDirectory = await makeDirectory(t)
  const settings = {...limits, DATA_DIR: dataDirectory, ...more}
  const postmaster = async () => (await findPostmaster(join(dataDirectory, 'pg18')))?.processId
  t.teardown(async () => {
    if ((await postmaster()) !== undefined) throw new Error(`a PostgreSQL was left running in ${dataDirectory}`)
  })
  return actOn(t, {postmaster, proxy: undefined, settings, address: () => runningEmbedded(dataDirectory)})
}

async function makeDirectory(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'quadstead-faults-'))
  t.teardown(() => rm(directory, {recursive: true, force: true}))
  return directory
}

type Stage = Pick<Scene, 'postmaster' | 'proxy' | 'settings'> & {
  readonly address: () => Promise<DatabaseAddress | undefined>
}

async function actOn(t: ExecutionContext, stage: Stage): Promise<Scene> {
  const port = await freePort()
  const settings: ProgramSettings = {...stage.settings, PORT: String(port)}
  const started: Program[] = []
  async function restart(): Promise<void> {
    const program = runProgram(t, settings)
    started.push(program)
    t.teardown(async () => {
      program.child.kill('SIGTERM') // before the kill -9 of runProgram, so that it stops its own PostgreSQL
      await program.exit
    })
    await program.ready()
  }
  await restart()
  const service = () => started.at(-1) as Program

  const address = await stage.address()
  if (address === undefined) throw new Error('no PostgreSQL runs')
  const past = createPool(address, {connectionMax: 2, isPooled: false, prepare: false, statementTimeoutMs: 0})
  t.teardown(() => past.end(1000))
  async function ask<Row extends object>(text: string): Promise<readonly Row[]> {
    let rows: readonly Row[] = []
    await until(async () => {
      try {
        rows = await past.query<Row>(text)
        return true
      } catch (error) {
        if (isConnectionLost(databaseCodeOf(error) ?? '')) return false
        throw error
      }
    })
    return rows
  }

  const base = `http://localhost:${port}/`
  const isReady = () =>
    send(`${base}ready`).then(
      ({status}) => status === 200,
      () => false,
    )
  return {
    ...stage,
    base,
    settings,
    service,
    complaints: () => started.map(each => each.complaints()).join(''),
    restart,
    ask,
    isReady,
    async calm() {
      await until(isReady)
      const [{now} = {now: ''}] = await ask<{now: string}>('select clock_timestamp()::text as now')
      const running = `
        select from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid() and state <> 'idle'
           and coalesce(xact_start, query_start) < '${now}'`
      await until(async () => (await ask(running)).length === 0)
    },
    check: async () => [
      ...(await ask(`select * from ${schemaIdentifier}.check_store()`)),
      ...(await ask(`select * from ${schemaIdentifier}.check_changes()`)),
    ],
  }
}
