/**
 * Opens the database of the settings: that of DATABASE_URL, or the embedded PostgreSQL.
 */
import {relative} from 'node:path'
import {Refusal} from './base/refusal.ts'
import {type Distributed, openDistributed} from './db/citus/followed.ts'
import {shareNodes} from './db/citus/node-connections.ts'
import {type CitusNode, isOfCluster, readCluster} from './db/citus/place.ts'
import {nodeParameters} from './db/citus/prepare.ts'
import {atHost, type DatabaseAddress, describeAddress} from './db/connection/address.ts'
import {awaitServer, type OpenOptions, openDatabase} from './db/connection/connect.ts'
import {isDriverPatched} from './db/connection/driver.ts'
import {createPool, type Database} from './db/connection/pool.ts'
import {ownerOf} from './db/embedded/directory-lock.ts'
import {runningEmbedded, startEmbedded} from './db/embedded/embedded.ts'
import {thisMachine, tuningFor} from './db/embedded/tuning.ts'
import {hasRegistry} from './db/registry/registry.ts'
import {openReplicas, type Replicated} from './db/replicas/replicas.ts'
import type {Config} from './settings/config.ts'
import {sqlDirectory} from './sql-directory.ts'

/**
 * service  serves requests; owns the embedded server
 * command  for one dataset; may run beside a service that owns the embedded server, and then leaves it running
 * keeper   the main process of a service with workers: owns the embedded server, has one connection, serves no requests
 * registry a command for the registry of datasets. In a Citus cluster the registry is where DATABASE_URL leads, and not
 *          where the dataset of the settings is
 */
export type Role = 'service' | 'command' | 'keeper' | 'registry'

export type Storage = {
  readonly database: Database
  readonly probe: Database // the same database on a separate connection, so a probe never queues
  readonly replicated?: Replicated // if the settings name replicas
  readonly distributed?: Distributed // if the dataset is in a Citus cluster
  /** Opens a dataset of the Citus cluster that the database is part of; undefined: the dataset is not distributed. */
  readonly inCluster?: (schema: string) => Promise<Storage | undefined>
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
  const guardedSchema = config.access.isGuarded ? config.database.schema : undefined
  return withReplicas(await openPrimary(config, role), {config, role, guardedSchema})
}

/** Opens the database of the settings for work on one dataset that may take long: statements have no time limit. */
export function openForLongWork(config: Config): Promise<Storage> {
  return openStorage({...config, database: {...config.database, statementTimeoutMs: 0}}, 'command')
}

/**
 * Opens the database of the settings as a server of several datasets. `inCluster` and `forDataset` of its replicas give
 * each its own part. The replicas of a Citus cluster are those of its nodes, so each dataset has its own.
 */
export async function openServer(config: Config, role: Role): Promise<Storage> {
  const options = {config, role, guardedSchema: undefined}
  const storage = await openPrimary(config, role, {isOfMany: true})
  const {inCluster} = storage
  if (inCluster === undefined) return withReplicas(storage, options)
  return {
    ...storage,
    async inCluster(schema) {
      const own = await inCluster(schema)
      return own === undefined ? undefined : withReplicas(own, options)
    },
  }
}

type ReplicasOf = {readonly config: Config; readonly role: Role; readonly guardedSchema: string | undefined}

async function withReplicas(storage: Storage, {config, role, guardedSchema}: ReplicasOf): Promise<Storage> {
  const {replicas} = config.database
  if (replicas.length === 0 || role !== 'service' || storage.inCluster !== undefined) return storage
  const {database, distributed} = storage
  const addresses = distributed === undefined ? replicas : replicas.map(onNode)
  const replicated = await openReplicas(database, addresses, {
    ...config.database,
    ...roleLimits(config, role),
    guardedSchema,
    stayText: distributed?.stayText,
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

async function openPrimary(config: Config, role: Role, {isOfMany = role === 'registry'} = {}): Promise<Storage> {
  if (!isDriverPatched()) throw new Refusal(unpatched)
  const {address} = config.database
  if (address !== undefined) {
    const isShared = (probe: Database) => isOfMany || (role !== 'command' && hasRegistry(probe, config.datasets.schema))
    return openAt(address, {...config.database, ...roleLimits(config, role)}, isShared)
  }
  const owner = role === 'command' || role === 'registry' ? await ownerOf(config.dataDirectory) : undefined
  return owner === undefined ? startOwn(config, role) : joinRunning(config)
}

type AddressLimits = OpenOptions & {readonly schema: string}

/**
 * Opens the database at an address. In a Citus cluster, this is the node that holds the dataset.
 *
 * @param isShared  whether several datasets are served, which may be on several nodes
 */
async function openAt(
  address: DatabaseAddress,
  limits: AddressLimits,
  isShared: (probe: Database) => boolean | Promise<boolean>,
): Promise<Storage> {
  const {server, ...connections} = await connect(address, limits)
  const open = await openCluster(connections.probe, {address, limits, version: server.version})
  const inCluster = (await isShared(connections.probe)) ? undefined : await open?.(limits.schema)
  const isLocal = open !== undefined && inCluster === undefined && !server.isPooled
  if (isLocal || inCluster !== undefined) await connections.close()
  if (inCluster !== undefined) {
    const node = inCluster.distributed?.place()
    try {
      if (node !== undefined) await awaitServer(addressIn(address, node), limits.waitMs)
    } catch (error) {
      await inCluster.close()
      throw error
    }
    return inCluster
  }
  const pooler = server.isPooled ? ', through a pooler' : ''
  return {
    ...(isLocal ? openOnNode(onNode(address), limits) : connections), // Citus leaves alone what is not distributed
    address,
    description: `PostgreSQL ${server.version} at ${describeAddress(address)}${pooler}`,
    isPooled: server.isPooled,
    ...(open === undefined ? {} : {inCluster: open}),
  }
}

type ClusterAddress = {readonly address: DatabaseAddress; readonly limits: OpenOptions; readonly version: string}

/**
 * The function that opens datasets of a Citus cluster, each on the node that holds it. Datasets on one node share its
 * connections. Nodes are addressed as Citus does.
 *
 * @returns  undefined if the database is not part of a cluster
 */
async function openCluster(probe: Database, options: ClusterAddress): Promise<Storage['inCluster']> {
  if (!(await isOfCluster(probe))) return undefined
  const {address, limits} = options
  const open = shareNodes(node => openOnNode(addressIn(address, node), limits))
  return async schema => {
    const one = {connectionMax: 1, isPooled: false, prepare: false, statementTimeoutMs: 0}
    const known = createPool(address, one)
    const cluster = await readCluster(known, schema).finally(() => known.end(1000))
    if (cluster?.place === undefined && cluster?.isNewDistributed !== true) return undefined
    const distributed = openDistributed(cluster, {
      schema,
      directory: sqlDirectory,
      open,
      connect: node => createPool(addressIn(address, node), one),
    })
    const description = `PostgreSQL ${options.version} with Citus at ${describeAddress(address)}`
    return {...distributed, distributed, address, description}
  }
}

function addressIn(address: DatabaseAddress, {host, port}: CitusNode): DatabaseAddress {
  return onNode(atHost(address, host, port))
}

/** The address with the settings of our sessions on a node. */
function onNode(address: DatabaseAddress): DatabaseAddress {
  return {...address, parameters: {...address.parameters, ...nodeParameters}}
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
    const limits = roleLimits(config, role === 'keeper' ? role : 'service')
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

const unpatched =
  'The driver "postgres" lacks our patch, or has an older one (are install scripts off?). Run "npx patch-package".'

const probeMs = 5000 // time limit of a probe

async function connect(address: DatabaseAddress, options: OpenOptions) {
  const {database, server} = await openDatabase(address, options)
  return {...withProbe(database, address, server.isPooled), server}
}

function openOnNode(address: DatabaseAddress, limits: OpenOptions) {
  const database = createPool(address, {...limits, isPooled: false, prepare: limits.prepare !== false})
  return withProbe(database, address, false)
}

function withProbe(database: Database, address: DatabaseAddress, isPooled: boolean) {
  const limits = {statementTimeoutMs: probeMs, answerWithinMs: probeMs, queueWaitMs: probeMs}
  const probe = createPool(address, {connectionMax: 1, isPooled, prepare: false, ...limits})
  const close = async () => {
    await Promise.all([database.end(1000), probe.end(1000)])
  }
  return {database, probe, close}
}

const graceMs = 5000 // for the rollback of a statement that reached its limit

/**
 * The limits that stop requests from holding connections for long. `answerWithinMs` is longer than PostgreSQL's
 * statement_timeout, so it ends only connections on which the server or the network hangs. Commands have no such
 * limits: they lift statement_timeout and do not share their connections. A keeper serves no requests.
 */
function roleLimits({database}: Config, role: Role) {
  if (role === 'command' || role === 'registry') return {}
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
