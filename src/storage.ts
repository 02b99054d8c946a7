/**
 * The database the settings ask for: the one of DATABASE_URL, or the one that comes with us.
 *
 * Floor 6.
 */
import {relative} from 'node:path'
import {observe} from './base/observation.ts'
import {Refusal} from './base/refusal.ts'
import type {Config} from './config.ts'
import {describeAddress} from './db/address.ts'
import {openDatabase} from './db/connect.ts'
import {ownerOf} from './db/directory-lock.ts'
import {isDriverPatched} from './db/driver.ts'
import {runningEmbedded, startEmbedded} from './db/embedded.ts'
import type {Database} from './db/pool.ts'
import {openReplicas, type Replicated} from './db/replicas.ts'
import {thisMachine, tuningFor} from './db/server-tuning.ts'

export type Storage = {
  readonly database: Database
  readonly replicated?: Replicated // when there are replicas
  readonly description: string // 'PostgreSQL 18.4 embedded in ./data'
  readonly isPooled?: boolean // a pooler in transaction mode stands between
  readonly close: () => Promise<void>
}

/**
 * Opens the database; starts it when it is the embedded one.
 *
 * @param role  'command': may run beside a service that owns the embedded one, and then leaves it running
 * @throws      Refusal
 */
export async function openStorage(config: Config, role: 'service' | 'command'): Promise<Storage> {
  const storage = await openPrimary(config, role)
  const {replicas} = config.database
  if (replicas.length === 0 || role === 'command') return storage
  const guardedSchema = config.access.isGuarded ? config.database.schema : undefined
  const replicated = await openReplicas(storage.database, replicas, {...config.database, guardedSchema})
  return {
    ...storage,
    database: replicated.database,
    replicated,
    description: `${storage.description}, ${replicas.length} to read from`,
    async close() {
      await replicated.close()
      await storage.close()
    },
  }
}

async function openPrimary(config: Config, role: 'service' | 'command'): Promise<Storage> {
  if (!isDriverPatched()) observe({kind: 'driver-unpatched'})
  const {address} = config.database
  if (address !== undefined) {
    const {database, server} = await openDatabase(address, {...config.database, ...deadline(config, role)})
    const pooler = server.isPooled ? ', through a pooler' : ''
    return {
      database,
      description: `PostgreSQL ${server.version} at ${describeAddress(address)}${pooler}`,
      isPooled: server.isPooled,
      close: () => database.end(1000),
    }
  }
  const owner = role === 'command' ? await ownerOf(config.dataDirectory) : undefined
  return owner === undefined ? startOwn(config) : joinRunning(config)
}

async function startOwn(config: Config): Promise<Storage> {
  const {dataDirectory} = config
  const connections = Math.max(100, config.database.connectionMax + 20)
  const embedded = await startEmbedded({
    dataDirectory,
    settings: {max_connections: String(connections)},
    tuning: directory => tuningFor(thisMachine(directory)),
  })
  try {
    const {database} = await openDatabase(embedded.address, {
      ...config.database,
      ...deadline(config, 'service'),
      waitMs: 10_000,
    })
    return {
      database,
      description: `PostgreSQL ${embedded.version} embedded in ${shorten(dataDirectory)}`,
      async close() {
        await database.end(1000)
        await embedded.stop()
      },
    }
  } catch (error) {
    await embedded.stop()
    throw error
  }
}

async function joinRunning(config: Config): Promise<Storage> {
  const {dataDirectory} = config
  const address = await runningEmbedded(dataDirectory)
  if (address === undefined) {
    throw new Refusal(`A Quadstead is starting or stopping in ${shorten(dataDirectory)}; try again in a moment.`)
  }
  const {database, server} = await openDatabase(address, {...config.database, waitMs: 0})
  return {
    database,
    description: `PostgreSQL ${server.version} embedded in ${shorten(dataDirectory)}`,
    close: () => database.end(1000),
  }
}

const graceMs = 5000 // for what a statement that reached its limit has to undo

/**
 * How long the service waits for PostgreSQL to say anything: longer than PostgreSQL lets a statement run, so that only
 * a server or a network that is stuck is met. Commands wait: they lift the limit of statements.
 */
function deadline({database}: Config, role: 'service' | 'command'): {readonly answerWithinMs?: number} {
  const {statementTimeoutMs} = database
  return role === 'command' || statementTimeoutMs === 0 ? {} : {answerWithinMs: statementTimeoutMs + graceMs}
}

/** The path as people would write it from here. */
function shorten(path: string): string {
  const short = relative('.', path)
  return short === '' || short.startsWith('..') ? path : `./${short}`
}
