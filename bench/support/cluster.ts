/**
 * Starts a PostgreSQL for one run: durable (fsync and synchronous_commit on), with usual settings.
 *
 * Uses the machine's own if there is one (the oldest supported version; it also has pgbench), otherwise the embedded
 * one.
 */
import {existsSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {createPool, type Database} from '../../src/db/connection/pool.ts'
import {type Embedded, startEmbedded} from '../../src/db/embedded/embedded.ts'
import {findOlderBinaries} from '../../test/support/servers.ts'

export type Cluster = {
  readonly version: string
  readonly binaries: string | undefined // folder with pgbench; undefined: none
  readonly socketDirectory: string
  readonly directory: string // of the data
  readonly processId: () => number
  /** Creates an empty database. */
  readonly create: (name: string) => Promise<Place>
  /** Connects to a database again. */
  readonly open: (url: string) => Database
  readonly drop: (name: string) => Promise<void>
  readonly stop: () => Promise<void>
}

/** One database. */
export type Place = {
  readonly name: string
  readonly url: string // as DATABASE_URL
  readonly database: Database
}

/** Settings for a small server (PostgreSQL manual §20.4.1: a quarter of the memory; §30.5: rare checkpoints). */
export const settings: Readonly<Record<string, string>> = {
  shared_buffers: '1GB',
  max_wal_size: '4GB',
  max_connections: '200',
  fsync: 'on',
  synchronous_commit: 'on',
}

export async function startCluster(own: Readonly<Record<string, string>> = {}): Promise<Cluster> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'quadstead-bench-'))
  const binaries = await findOlderBinaries()
  const embedded = await startEmbedded({
    dataDirectory,
    settings: {...settings, ...own},
    ...(binaries === undefined ? {} : {binaryDirectory: binaries}),
  })
  return {
    version: embedded.version,
    binaries: binaries !== undefined && existsSync(join(binaries, 'pgbench')) ? binaries : undefined,
    socketDirectory: dirname(embedded.address.socketPath ?? ''),
    directory: embedded.directory,
    processId: embedded.processId,
    create: name => createPlace(embedded, name),
    open: url => createPool(parseDatabaseUrl(url), poolOptions),
    drop: name => asOwner(embedded, `drop database ${name}`),
    async stop() {
      await embedded.stop()
      await rm(dataDirectory, {recursive: true, force: true})
    },
  }
}

const poolOptions = {connectionMax: 2, isPooled: false, prepare: false, statementTimeoutMs: 0}

async function createPlace(embedded: Embedded, name: string): Promise<Place> {
  const directory = dirname(embedded.address.socketPath ?? '')
  const url = `postgres://quadstead@localhost/${name}?host=${encodeURIComponent(directory)}`
  await asOwner(embedded, `create database ${name}`)
  return {name, url, database: createPool(parseDatabaseUrl(url), poolOptions)}
}

async function asOwner({address}: Embedded, statement: string): Promise<void> {
  const database = createPool(address, poolOptions)
  await database.query(statement)
  await database.end(1000)
}
