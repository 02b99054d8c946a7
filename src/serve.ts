/**
 * A Config to a running service, and its end.
 *
 * Floor 6. In this order: database, migrations, port, dataset, application; the other way round when it ends or when
 * one of them fails.
 */
import type {AddressInfo} from 'node:net'
import {isIPv6} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'
import {refuseUnguarded} from './access-settings.ts'
import {observe} from './base/observation.ts'
import {Refusal} from './base/refusal.ts'
import {build, version} from './build.ts'
import {createChecksumPool} from './checksum/pool.ts'
import type {Config} from './config.ts'
import {openDataset, readVocabulary, storedBase} from './db/dataset.ts'
import {migrate} from './db/migrate.ts'
import {createBodies} from './ldp/bodies.ts'
import type {Iri} from './rdf/term.ts'
import {sqlDirectory} from './sql-directory.ts'
import {openStorage} from './storage.ts'
import {startTelemetry, type Telemetry} from './telemetry.ts'
import {createApp} from './web/app.ts'
import {createWebServer, type WebServer} from './web/server.ts'

export type Service = {
  readonly url: string // where it listens
  readonly base: Iri // root document, as clients see it
  readonly readyLine: string
  /**
   * Finishes running requests, refuses new ones, closes the database and stops the embedded one.
   *
   * @param hurry  cuts off what still runs; DRAIN_TIMEOUT_MS does so too
   */
  readonly stop: (hurry?: AbortSignal) => Promise<void>
}

const lastDefaultPort = 8099

/**
 * Starts the service.
 *
 * @throws  Refusal: why it cannot start; nothing is left running
 */
export async function start(config: Config): Promise<Service> {
  const {schema} = config.database
  refuseUnguarded(config.host, config.access)
  const storage = await openStorage(config, 'service')
  const {database, replicated} = storage
  const checksums = createChecksumPool()
  const {bodyTriples: tripleLimit, bodyTimeoutMs: limitMs, bodyBytes} = config.limits
  const bodies = createBodies({tripleLimit, limitMs, bodyBytes})
  const web = createWebServer({
    headerBytes: config.limits.headerBytes + config.limits.uriBytes,
    requestMs: config.limits.bodyTimeoutMs,
    answerMs: config.callers.answerMs,
    connectionMax: config.callers.connections,
    perAddress: {connectionMax: config.callers.connectionsPerAddress, proxies: config.callers.proxies},
  })
  let telemetry: Telemetry | undefined
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
    if (drainDelayMs === 0) tell() // the port is closed: whoever reads it and asks is refused, and not reset
    await drained
    await telemetry?.close()
    await Promise.all([checksums.close(), bodies.close()])
    await storage.close()
  }
  try {
    await migrate(database, {schema, directory: sqlDirectory})
    const {host} = config
    const port = await listen(web, config, await storedBase(database, schema))
    const defaultBase = `http://localhost:${port}/`
    const {base} = await openDataset(database, {...config, schema, defaultBase})
    const vocabulary = await readVocabulary(database, schema)
    const queryTimeoutMs = config.database.statementTimeoutMs
    const {isDraining, running} = web
    telemetry = await startTelemetry(config, {build, pool: database.load, running, replicas: replicated?.states})
    const facts = {base, vocabulary, build, isDraining, metrics: telemetry.page}
    const {queueMax, queueWaitMs} = config.database
    const turns = {places: config.callers.queriesAtOnce, waitingMax: queueMax, waitMs: queueWaitMs}
    const app = createApp({...config, ...facts, database, replicated, schema, queryTimeoutMs, checksums, bodies, turns})
    web.answerWith(app.callback())
    const url = `http://${isIPv6(host) ? `[${host}]` : host}:${port}/`
    const readyLine = `Quadstead ${version} is ready at ${url} (base ${base}, ${storage.description}, schema ${schema})`
    return {url, base, readyLine, stop}
  } catch (error) {
    await web.drain(AbortSignal.abort())
    await telemetry?.close()
    await Promise.all([checksums.close(), bodies.close()])
    await storage.close()
    throw error
  }
}

/** @param hurry  ends it early */
function pause(ms: number, hurry: AbortSignal | undefined): Promise<void> {
  return delay(ms, undefined, hurry === undefined ? {} : {signal: hurry}).catch(() => undefined)
}

/**
 * Takes a port: the one given, or else the one that the stored base names, or 8080, or the next that is free.
 *
 * @returns  its number
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

/** The port of http://localhost:N/. */
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
