/**
 * Starts the service from a Config, and stops it.
 *
 * It starts in the order database, migrations, port, dataset, application. It stops in reverse order, also if one of
 * these steps fails.
 */
import type {AddressInfo} from 'node:net'
import {isIPv6} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'
import {createKeyUses} from './authentication/key-uses.ts'
import {observe} from './base/observation.ts'
import {Refusal} from './base/refusal.ts'
import {createSpoolSpace} from './base/spool-space.ts'
import {usualThreads} from './base/thread.ts'
import {createWorkerPool} from './base/worker-pool.ts'
import {build, version} from './build.ts'
import {createChecksumPool} from './checksum/pool.ts'
import {answersOfCaller} from './db/connection/gate.ts'
import {quoteIdentifier} from './db/connection/identifier.ts'
import {openDataset, readVocabulary, storedBase} from './db/store/dataset.ts'
import {noteKeyUses} from './db/store/keys.ts'
import {migrate} from './db/store/migrate.ts'
import {createBodies} from './ldp/bodies.ts'
import type {Iri} from './rdf/term.ts'
import {refuseUnguarded} from './settings/access.ts'
import type {Config} from './settings/config.ts'
import {sqlDirectory} from './sql-directory.ts'
import {openStorage} from './storage.ts'
import {startTelemetry, type Telemetry} from './telemetry/start.ts'
import {startTextIndex} from './text-index.ts'
import {createApp} from './web/app.ts'
import {createWebServer, type ServerOptions, type WebServer} from './web/server/server.ts'
import type {TurnOptions} from './web/server/turns.ts'
import {alone, type Member} from './workers/member.ts'

export type RunningService = {
  readonly url: string // the address on which it listens
  readonly port: number
  readonly base: Iri // the root document, as clients address it
  readonly readyLine: string
  readonly failed?: Promise<Error> // resolves when the service cannot continue
  /**
   * Finishes running requests, refuses new ones, closes the database and stops the embedded server.
   *
   * @param hurry  aborts the requests that still run, as DRAIN_TIMEOUT_MS does
   */
  readonly stop: (hurry?: AbortSignal) => Promise<void>
}

const lastDefaultPort = 8099

/** Limits of the threads that compile long queries: waiting queries, and the heap of one thread in megabytes. */
const [waitingMax, heapMax] = [100, 512]
const waitingGraphs = 1000 // graphs that may wait for their checksum

/**
 * Starts the service, or one worker process of a service.
 *
 * @param config  for a worker process, with its part of the limits (`workers/share.ts`)
 * @param member  the state that the processes share
 * @throws        Refusal: the reason why it cannot start; it leaves nothing running
 */
export async function start(config: Config, member: Member = alone(config)): Promise<RunningService> {
  const {schema} = config.database
  refuseUnguarded(config.host, config.access)
  const storage = await openStorage(config, 'service')
  const {database, replicated} = storage
  const {checksums, bodies, threads, closeThreads} = openThreads(config)
  const spools = createSpoolSpace(config.spool)
  const web = createWebServer(serverOptionsOf(config, member))
  const keyUses = createKeyUses(uses => noteKeyUses(database, schema, uses))
  let telemetry: Telemetry | undefined
  let endTextIndex: (() => Promise<void>) | undefined
  async function stop(hurry?: AbortSignal): Promise<void> {
    const {drainDelayMs} = config.operation
    const tell = () => observe({kind: 'draining', requests: web.running()})
    web.leave()
    if (drainDelayMs > 0) {
      tell()
      await pause(drainDelayMs, hurry)
    }
    const timeout = AbortSignal.timeout(config.limits.drainTimeoutMs)
    const drained = web.drain(hurry === undefined ? timeout : AbortSignal.any([hurry, timeout]))
    if (drainDelayMs === 0) tell() // the port is closed: a client that reads the log is refused, not reset
    await drained
    await close()
  }
  async function close(): Promise<void> {
    await keyUses.flush()
    await telemetry?.close()
    await endTextIndex?.()
    await closeThreads()
    await storage.close()
  }
  try {
    if (!member.isMigrated) await migrate(database, {schema, directory: sqlDirectory})
    const port = member.isPortOpen ? config.port : await listen(web, config, await storedBase(database, schema))
    const defaultBase = `http://localhost:${port}/`
    const {base} = await openDataset(database, {...config, schema, defaultBase})
    const vocabulary = await readVocabulary(database, schema)
    endTextIndex = startTextIndex(config)
    const queryTimeoutMs = config.database.statementTimeoutMs
    const {isDraining, running} = web
    const sources = {build, pool: database.load, spool: spools.load, running, replicas: replicated?.states}
    telemetry = await startTelemetry(config, sources, member.joinMetrics)
    const askDatabase = () => storage.probe.query(`select from ${quoteIdentifier(schema)}.dataset`)
    const facts = {base, vocabulary, build, isDraining, askDatabase, metrics: telemetry.page, threads, keyUses}
    const {quotaOf} = member
    const options = {...config, ...facts, limits: webLimits(config), quotaOf, turns: turnsOf(config), spools}
    const app = createApp({...options, database, replicated, schema, queryTimeoutMs, checksums, bodies})
    web.answerWith(app.callback())
    if (member.isPortOpen) await listen(web, config, base)
    const url = `http://${isIPv6(config.host) ? `[${config.host}]` : config.host}:${port}/`
    const readyLine = `Quadstead ${version} is ready at ${url} (base ${base}, ${storage.description}, schema ${schema})`
    return {url, port, base, readyLine, stop}
  } catch (error) {
    await web.drain(AbortSignal.abort())
    await close()
    throw error
  }
}

function webLimits({limits, callers, database: {statementTimeoutMs}}: Config) {
  const {keyLastsMs, batchRequests, batchBytes} = callers
  const slowReaderMs = statementTimeoutMs === 0 ? Number.POSITIVE_INFINITY : statementTimeoutMs
  return {...limits, slowReaderMs, writeTimeoutMs: statementTimeoutMs, keyLastsMs, batchRequests, batchBytes}
}

function serverOptionsOf({limits, callers}: Config, {connections}: Member): ServerOptions {
  return {
    headerBytes: limits.headerBytes + limits.uriBytes,
    requestMs: limits.bodyTimeoutMs,
    answerMs: callers.answerMs,
    counted: {
      count: connections,
      limits: {all: callers.connections, address: callers.connectionsPerAddress},
      proxies: callers.proxies,
    },
  }
}

/** Opens the pools of threads. The processes of a service divide the threads and the places in their queues. */
function openThreads({workers: processes, limits}: Config) {
  const {bodyTriples: tripleLimit, bodyTimeoutMs: limitMs, bodyBytes} = limits
  const threads = usualThreads(processes)
  const bodies = createBodies({tripleLimit, limitMs, bodyBytes, processes})
  const checksums = createChecksumPool({threads, queueLimit: Math.ceil(waitingGraphs / processes)})
  const queries = createWorkerPool({threads, queueMax: Math.ceil(waitingMax / processes), heapMb: heapMax})
  async function closeThreads(): Promise<void> {
    await Promise.all([checksums.close(), bodies.close(), queries.close()])
  }
  return {checksums, bodies, threads: queries, closeThreads}
}

/** The limit of concurrent long answers per caller. If there is one, it is below the number that the pool allows. */
function turnsOf({callers, database}: Config): TurnOptions {
  const {queriesAtOnce} = callers
  const isLimited = queriesAtOnce !== Number.POSITIVE_INFINITY
  const places = isLimited ? Math.min(queriesAtOnce, answersOfCaller(database.connectionMax)) : queriesAtOnce
  return {places, waitingMax: database.queueMax, waitMs: database.queueWaitMs}
}

/** @param hurry  ends the pause early */
function pause(ms: number, hurry: AbortSignal | undefined): Promise<void> {
  return delay(ms, undefined, hurry === undefined ? {} : {signal: hurry}).catch(() => undefined)
}

/**
 * Opens the port: the one that is set. If none is set, the port of the stored base, or 8080, or the next free one.
 *
 * @returns  the number of the port
 */
async function listen(
  web: WebServer,
  {port, isPortGiven, host, base}: Config,
  stored: Iri | undefined,
): Promise<number> {
  if (isPortGiven) return tryListen(web, port, host).catch(error => refusePort(port, host, error))
  const preferred = base === undefined ? localPort(stored) : undefined
  const candidates = [...(preferred === undefined ? [] : [preferred]), ...range(port, lastDefaultPort)]
  for (const candidate of candidates) {
    try {
      return await tryListen(web, candidate, host)
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') refusePort(candidate, host, error)
    }
  }
  throw new Refusal(`The ports ${port} to ${lastDefaultPort} of ${host} are all taken. Set PORT to a free one.`)
}

function tryListen({server}: WebServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({port, host}, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

function refusePort(port: number, host: string, error: unknown): never {
  const reason =
    codeOf(error) === 'EADDRINUSE'
      ? `Port ${port} of ${host} is taken by another program. Stop it, or set PORT to a free one (or to ` +
        'nothing, to have one chosen).'
      : `Port ${port} of ${host} cannot be opened: ${error instanceof Error ? error.message : String(error)}.`
  throw new Refusal(reason, {cause: error})
}

/** The port of a base http://localhost:N/; undefined for any other base. */
function localPort(base: Iri | undefined): number | undefined {
  const [, port] = /^http:\/\/localhost:(\d+)\/$/.exec(base ?? '') ?? []
  return port === undefined ? undefined : Number(port)
}

function range(first: number, last: number): readonly number[] {
  return Array.from({length: last - first + 1}, (_, index) => first + index)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
