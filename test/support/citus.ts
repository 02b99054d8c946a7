/** Starts a Citus cluster on this machine, if it has a PostgreSQL with the extension: a coordinator and two workers. */
import {existsSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Place} from '../../src/db/citus/place.ts'
import {parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {createPool, type Database} from '../../src/db/connection/pool.ts'
import {type Embedded, startEmbedded} from '../../src/db/embedded/embedded.ts'
import {migrate} from '../../src/db/store/migrate.ts'
import {readConfig} from '../../src/settings/config.ts'
import {openStorage} from '../../src/storage.ts'
import {freePort} from './machine.ts'
import {distributesNew, templateName} from './postgres.ts'
import {findOlderBinaries} from './servers.ts'

export type CitusNode = {
  readonly port: number
  readonly url: string // of the database `postgres`
  readonly processId: () => number
}

export type CitusCluster = {
  readonly coordinator: CitusNode
  readonly workers: readonly CitusNode[]
  readonly stop: () => Promise<void>
}

export const citusSettings = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical', // moves replicate shards
  listen_addresses: '127.0.0.1',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '1000',
  max_prepared_transactions: '100',
  max_worker_processes: '500', // one for each test database, besides those of moves
  shared_buffers: '64MB',
  'citus.enable_statistics_collection': 'off',
}

/** The folder of the programs of a PostgreSQL that can load Citus; undefined if there is none. */
export async function findCitusBinaries(): Promise<string | undefined> {
  const directory = await findOlderBinaries()
  if (directory === undefined) return undefined
  const library = join(directory, '..', 'lib', 'citus.so')
  return existsSync(library) ? directory : undefined
}

/**
 * Starts a cluster in a temporary folder, with the extension and the nodes in the database `postgres`.
 *
 * @param more  settings of the nodes, besides `citusSettings`
 */
export async function startCitus(
  binaryDirectory: string,
  more: Readonly<Record<string, string>> = {},
): Promise<CitusCluster> {
  const root = await mkdtemp(join(tmpdir(), 'quadstead-citus-'))
  const started: Embedded[] = []
  async function stop(): Promise<void> {
    await Promise.all(started.map(server => server.stop()))
    await rm(root, {recursive: true, force: true})
  }
  try {
    const nodes: CitusNode[] = []
    for (const name of ['coordinator', 'worker1', 'worker2']) {
      const port = await freePort()
      const dataDirectory = join(root, name)
      const server = await startEmbedded({
        dataDirectory,
        binaryDirectory,
        settings: {...citusSettings, ...more, port: String(port)},
      })
      started.push(server)
      nodes.push({port, url: `postgres://quadstead@127.0.0.1:${port}/postgres`, processId: server.processId})
    }
    const [coordinator, ...workers] = nodes as [CitusNode, ...CitusNode[]]
    await joinNodes('postgres', coordinator, workers)
    return {coordinator, workers, stop}
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Uses a running cluster, whose nodes have at least the settings `citusSettings`.
 *
 * @param url  of a database of its coordinator, as a superuser; all nodes accept the user and password
 */
export async function findCitus(url: string): Promise<CitusCluster> {
  const processId = () => 0 // on another machine
  const database = decodeURIComponent(new URL(url).pathname.slice(1))
  const nodes = await inNode({url, port: 0, processId}, database, sql =>
    sql.query<{host: string; port: number}>(
      `select nodename as host, nodeport as port from pg_dist_node
        where noderole = 'primary' and isactive order by groupid`,
    ),
  )
  const [coordinator, ...workers] = nodes.map(({host, port}) => {
    const own = new URL(url)
    own.host = `${host}:${port}`
    own.pathname = '/postgres'
    return {port, url: own.href, processId}
  })
  if (coordinator === undefined || workers.length < 2)
    throw new Error('the cluster needs a coordinator and two workers')
  const all = [coordinator, ...workers]
  async function stop(): Promise<void> {
    for (const node of all)
      await inNode(node, 'postgres', sql => sql.query(`drop database if exists ${templateName} with (force)`))
  }
  await stop() // what an earlier run may have left
  return {coordinator, workers, stop}
}

/** Creates the extension in a database of all nodes, and makes them one cluster. */
export async function joinNodes(name: string, coordinator: CitusNode, workers: readonly CitusNode[]): Promise<void> {
  for (const node of [coordinator, ...workers]) await inNode(node, name, sql => sql.query('create extension citus'))
  const place = ({url, port}: CitusNode) => [new URL(url).hostname, port]
  await inNode(coordinator, name, async sql => {
    await sql.query('select citus_set_coordinator_host($1, $2)', place(coordinator))
    for (const worker of workers) await sql.query('select citus_add_node($1, $2)', place(worker))
  })
}

/** Runs work on a database of a node. */
export async function inNode<Result>(
  {url}: CitusNode,
  name: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const address = {...parseDatabaseUrl(url), database: name}
  const database = createPool(address, {connectionMax: 1, isPooled: false, prepare: false, statementTimeoutMs: 60_000})
  try {
    return await work(database)
  } finally {
    await database.end(1000)
  }
}

/** Creates a distributed dataset in a database of a cluster. */
export async function distribute(entry: CitusNode, name: string, schema: string): Promise<Place> {
  await inNode(entry, name, sql => sql.query(distributesNew(name)))
  const url = new URL(entry.url)
  url.pathname = `/${name}`
  const config = readConfig({DATABASE_URL: url.href, DATABASE_SCHEMA: schema})
  const storage = await openStorage(config, 'command')
  try {
    await migrate(storage.database, {schema, directory: 'sql'})
    const place = storage.distributed?.place()
    if (place === undefined) throw new Error('the dataset was not distributed')
    return place
  } finally {
    await storage.close()
  }
}

/** Keeps everybody out of a database, so that it can be copied. The processes of Citus end with the sessions. */
export async function closeDatabase(node: CitusNode, name: string): Promise<void> {
  await inNode(node, 'postgres', async sql => {
    await sql.query(`alter database ${name} allow_connections false`)
    await sql.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  })
}
