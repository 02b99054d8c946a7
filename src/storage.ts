/**
 * Opens the database of the settings: that of DATABASE_URL, or the embedded PostgreSQL.
 */
import {relative} from 'node:path'
import {observe} from './base/observation.ts'
import {Refusal} from './base/refusal.ts'
import {type DatabaseAddress, describeAddress} from './db/connection/address.ts'
import {type OpenOptions, openDatabase} from './db/connection/connect.ts'
import {isDriverPatched} from './db/connection/driver.ts'
import {createPool, type Database} from './db/connection/pool.ts'
import {ownerOf} from './db/embedded/directory-lock.ts'
import {runningEmbedded, startEmbedded} from './db/embedded/embedded.ts'
import {thisMachine, tuningFor} from './db/embedded/tuning.ts'
import {openReplicas, type Replicated} from './db/replicas/replicas.ts'
import type {Config} from './settings/config.ts'

/**
 * service  serves requests; owns the embedded server
 * command  may run beside a service that owns the embedded server, and then leaves that server running
 * keeper   the main process of a service with workers: owns the embedded server, has one connection, serves no requests
 */
export type Role = 'service' | 'command' | 'keeper'

export type Storage = {
  readonly database: Database
  readonly probe: Database // the same database on a separate connection, so a probe never queues
  readonly replicated?: Replicated // if the settings name replicas
  readonly address: DatabaseAddress
  readonly description: string // 'PostgreSQL 18.4 embedded in ./data'
  readonly isPooled?: boolean // connected through a pooler in transaction mode
  readonly close: () => Promise<void>
}

/**
 * Opens the database. Starts the embedded server if DATABASE_URL is not set.
 *
 * @throws  Refusal: the reason why it cannot be opened
 */
export async function openStorage(config: Config, role: Role): Promise<Storage> {
  const storage = await openPrimary(config, role)
  const {replicas} = config.database
  if (replicas.length === 0 || role !== 'service') return storage
  const guardedSchema = config.access.isGuarded ? config.database.schema : undefined
  const replicated = await openReplicas(storage.database, replicas, {
    ...config.database,
    ...roleLimits(config, role),
    guardedSchema,
  })
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

async function openPrimary(config: Config, role: Role): Promise<Storage> {
  if (!isDriverPatched()) observe({kind: 'driver-unpatched'})
  const {address} = config.database
  if (address !== undefined) {
    const {server, ...connections} = await connect(address, {...config.database, ...roleLimits(config, role)})
    const pooler = server.isPooled ? ', through a pooler' : ''
    return {
      ...connections,
      address,
      description: `PostgreSQL ${server.version} at ${describeAddress(address)}${pooler}`,
      isPooled: server.isPooled,
    }
  }
  const owner = role === 'command' ? await ownerOf(config.dataDirectory) : undefined
  return owner === undefined ? startOwn(config, role) : joinRunning(config)
}

async function startOwn(config: Config, role: Role): Promise<Storage> {
  const {dataDirectory, workers} = config
  const connectionMax = Math.max(100, config.database.connectionMax + workers + 20)
  const embedded = await startEmbedded({
    dataDirectory,
    settings: {max_connections: String(connectionMax)},
    tuning: directory => tuningFor(thisMachine(directory)),
  })
  try {
    const limits = roleLimits(config, role === 'command' ? 'service' : role)
    const connections = await connect(embedded.address, {...config.database, ...limits, waitMs: 10_000})
    return {
      ...connections,
      address: embedded.address,
      description: `PostgreSQL ${embedded.version} embedded in ${shorten(dataDirectory)}`,
      async close() {
        await connections.close()
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
  const {server, ...connections} = await connect(address, {...config.database, waitMs: 0})
  return {...connections, address, description: `PostgreSQL ${server.version} embedded in ${shorten(dataDirectory)}`}
}

const probeMs = 5000 // time limit of a probe

async function connect(address: DatabaseAddress, options: OpenOptions) {
  const {database, server} = await openDatabase(address, options)
  const {isPooled} = server
  const limits = {statementTimeoutMs: probeMs, answerWithinMs: probeMs, queueWaitMs: probeMs}
  const probe = createPool(address, {connectionMax: 1, isPooled, prepare: false, ...limits})
  const close = async () => {
    await Promise.all([database.end(1000), probe.end(1000)])
  }
  return {database, probe, server, close}
}

const graceMs = 5000 // for the rollback of a statement that reached its limit

/**
 * The limits that stop requests from holding connections for long. `answerWithinMs` is longer than PostgreSQL's
 * statement_timeout, so it ends only connections on which the server or the network hangs. Commands have no such
 * limits: they lift statement_timeout and do not share their connections. A keeper serves no requests.
 */
function roleLimits({database}: Config, role: Role) {
  if (role === 'command') return {}
  if (role === 'keeper') return {connectionMax: 1}
  const {statementTimeoutMs, totalTimeoutMs} = database
  const answer = statementTimeoutMs === 0 ? {} : {answerWithinMs: statementTimeoutMs + graceMs}
  return {hasShares: true, totalTimeoutMs, ...answer}
}

/** The shorter of a path and its form relative to the working directory. */
function shorten(path: string): string {
  const short = relative('.', path)
  return short === '' || short.startsWith('..') ? path : `./${short}`
}
