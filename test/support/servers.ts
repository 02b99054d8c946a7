/**
 * Starts the PostgreSQL servers of a test run: the embedded one, and an older one if the machine has it.
 *
 * Their data is temporary, so they do not wait for the disk.
 */
import {execFileSync} from 'node:child_process'
import {existsSync} from 'node:fs'
import {mkdtemp, readdir, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {openDatabase} from '../../src/db/connection/connect.ts'
import {createPool} from '../../src/db/connection/pool.ts'
import {startEmbedded} from '../../src/db/embedded/embedded.ts'
import {migrate} from '../../src/db/store/migrate.ts'
import {
  type CitusCluster,
  closeDatabase,
  distribute,
  findCitus,
  findCitusBinaries,
  inNode,
  joinNodes,
  startCitus,
} from './citus.ts'
import {processorSeconds} from './costs.ts'
import {templateName, testSchema} from './postgres.ts'

export type TestServer = {
  readonly version: string
  readonly environment?: Readonly<Record<string, string>> // further variables for the tests
  readonly url: string // of the database `postgres`
  readonly processorSeconds: () => number // so far, of backends that have ended
  readonly stop: () => Promise<void>
}

const settings = {fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200'}
const oldestMajor = 15

/** Starts a server with a folder of its own and creates the template database. */
export async function startTestServer(binaryDirectory?: string): Promise<TestServer> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'quadstead-test-'))
  const embedded = await startEmbedded({
    dataDirectory,
    settings,
    ...(binaryDirectory === undefined ? {} : {binaryDirectory}),
  })
  const stop = async () => {
    await embedded.stop()
    await rm(dataDirectory, {recursive: true, force: true})
  }
  try {
    const url = urlOf(embedded.address.socketPath ?? '')
    await makeTemplate(url)
    return {version: embedded.version, url, processorSeconds: () => processorSeconds(embedded.processId()), stop}
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Starts a Citus cluster, or uses that of TEST_CITUS_URL. Datasets of tests are distributed, and all on one worker.
 *
 * @param entry  the node that services are given: 'coordinator', or 'worker' for the one without the datasets
 */
export async function startCitusServer(entry: string): Promise<TestServer> {
  const {coordinator, workers, stop} = await startOrFindCitus()
  try {
    const nodes = [coordinator, ...workers]
    for (const node of nodes) await inNode(node, 'postgres', sql => sql.query(`create database ${templateName}`))
    await joinNodes(templateName, coordinator, workers)
    const {group} = await distribute(coordinator, templateName, testSchema)
    for (const node of nodes) await closeDatabase(node, templateName)
    const home = nodes[group] ?? coordinator
    const other = entry === 'coordinator' ? coordinator : workers.find(node => node !== home)
    const environment = {
      TEST_CITUS_ENTRY: other?.url ?? '',
      TEST_CITUS_NODES: nodes.map(({url}) => url).join(' '),
    }
    return {version: `of Citus, by ${entry}`, url: home.url, environment, processorSeconds: () => 0, stop}
  } catch (error) {
    await stop()
    throw error
  }
}

/** Turns off the rounds of Citus, in each database and on each node, for distributed transactions: there are none. */
const withoutRounds = {'citus.distributed_deadlock_detection_factor': '-1', 'citus.recover_2pc_interval': '-1'}

async function startOrFindCitus(): Promise<CitusCluster> {
  const {TEST_CITUS_URL: url} = process.env
  if (url !== undefined) return findCitus(url)
  const binaries = await findCitusBinaries()
  if (binaries !== undefined) return startCitus(binaries, withoutRounds)
  throw new Error('TEST_CITUS needs a PostgreSQL with the extension Citus here, or a cluster at TEST_CITUS_URL')
}

/** The oldest supported PostgreSQL of the machine; undefined if there is none. */
export async function findOlderBinaries(): Promise<string | undefined> {
  const debian = '/usr/lib/postgresql'
  const majors = (await readdir(debian).catch(() => [])).map(Number).filter(major => major >= oldestMajor)
  const candidates = [...majors.sort((a, b) => a - b).map(major => join(debian, String(major), 'bin')), ...configured()]
  return candidates.find(directory => existsSync(join(directory, 'initdb')) && existsSync(join(directory, 'postgres')))
}

function configured(): readonly string[] {
  try {
    const version = execFileSync('pg_config', ['--version'], {encoding: 'utf8'})
    if (Number.parseInt(version.replace(/^\D+/, ''), 10) < oldestMajor) return []
    return [execFileSync('pg_config', ['--bindir'], {encoding: 'utf8'}).trim()]
  } catch {
    return []
  }
}

function urlOf(socketPath: string): string {
  const directory = socketPath.slice(0, socketPath.lastIndexOf('/'))
  return `postgres://quadstead@localhost/postgres?host=${encodeURIComponent(directory)}`
}

async function makeTemplate(url: string): Promise<void> {
  const options = {connectionMax: 1, prepare: false, statementTimeoutMs: 0, waitMs: 0} as const
  const {database} = await openDatabase(parseDatabaseUrl(url), options)
  await database.query(`create database ${templateName}`)
  await database.end()
  const template = createPool({...parseDatabaseUrl(url), database: templateName}, {...options, isPooled: false})
  try {
    await migrate(template, {schema: testSchema, directory: 'sql'})
  } finally {
    await template.end()
  }
}
