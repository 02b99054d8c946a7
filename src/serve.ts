/**
 * Starts the service from a Config, and stops it.
 *
 * It serves the datasets of the registry if there is one, otherwise the dataset of the settings. It starts in the order
 * database, migrations, port, dataset, and stops in reverse order, also if one of these steps fails.
 */
import type {RequestListener} from 'node:http'
import {isIPv6} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'
import {observe} from './base/observation.ts'
import {build, version} from './build.ts'
import {startDataset} from './dataset.ts'
import {type ServedDatasets, serveDatasets} from './datasets/serve-datasets.ts'
import {hasRegistry} from './db/registry/registry.ts'
import {storedBase} from './db/store/dataset.ts'
import {migrate} from './db/store/migrate.ts'
import {type Host, openHost} from './host.ts'
import {listen} from './port.ts'
import type {Iri} from './rdf/term.ts'
import {refuseUnguarded} from './settings/access.ts'
import type {Config} from './settings/config.ts'
import {registryDirectory, sqlDirectory} from './sql-directory.ts'
import {startTelemetry, type Telemetry} from './telemetry/start.ts'
import type {MetricsPage} from './web/service/metrics.ts'
import {alone, type Member} from './workers/member.ts'

export type RunningService = {
  readonly url: string // the address on which it listens
  readonly port: number
  readonly base: Iri // the root document, as clients address it; with several datasets the same as `url`
  readonly readyLine: string
  readonly failed?: Promise<Error> // resolves when the service cannot continue
  /**
   * Finishes running requests, refuses new ones, closes the database and stops the embedded server.
   *
   * @param hurry  aborts the requests that still run, as DRAIN_TIMEOUT_MS does
   */
  readonly stop: (hurry?: AbortSignal) => Promise<void>
}

/**
 * Starts the service, or one worker process of a service.
 *
 * @param config  for a worker process, with its part of the limits (`workers/share.ts`)
 * @param member  the state that the processes share
 * @throws        Refusal: the reason why it cannot start; it leaves nothing running
 */
export async function start(config: Config, member: Member = alone(config)): Promise<RunningService> {
  refuseUnguarded(config.host, config.access)
  const host = await openHost(config, member)
  const {web, storage} = host
  let telemetry: Telemetry | undefined
  let served: Served | undefined
  async function close(): Promise<void> {
    await served?.stop()
    await telemetry?.close()
    await host.close()
  }
  try {
    const isOfMany = await hasRegistry(storage.database, config.datasets.schema)
    const serve = isOfMany ? serveMany : serveOne
    served = await serve(config, {
      host,
      member,
      async openTelemetry(datasets) {
        telemetry = await openTelemetry(config, {host, member, datasets})
        return telemetry.page
      },
    })
    const {port} = served
    web.answerWith(served.answer)
    if (member.isPortOpen) await listen(web, config, served.base)
    const url = urlOf(config, port)
    const readyLine = `Quadstead ${version} is ready at ${url} (${served.description(storage.description)})`
    return {url, port, base: served.base ?? url, readyLine, stop: hurry => stop({config, host, close}, hurry)}
  } catch (error) {
    await web.drain(AbortSignal.abort())
    await close()
    throw error
  }
}

/** What answers the requests: one dataset, or all of a registry. */
type Served = {
  readonly port: number
  readonly base: Iri | undefined // undefined: several
  readonly answer: RequestListener
  readonly description: (storage: string) => string
  readonly stop: () => Promise<void>
}

type Serving = {
  readonly host: Host
  readonly member: Member
  /** Starts metrics and traces. Returns the page of metrics that the application serves, if it does. */
  readonly openTelemetry: (datasets?: Pick<ServedDatasets, 'count' | 'replicas'>) => Promise<MetricsPage | undefined>
}

/** Serves the dataset of the settings. */
async function serveOne(config: Config, {host, member, openTelemetry}: Serving): Promise<Served> {
  const {storage, web} = host
  const {database} = storage
  const {schema} = config.database
  if (!member.isMigrated) await migrate(database, {schema, directory: sqlDirectory})
  const port = member.isPortOpen ? config.port : await listen(web, config, await storedBase(database, schema))
  const metrics = await openTelemetry()
  const {base, answer, stop} = await startDataset(config, {
    name: undefined,
    defaultBase: `http://localhost:${port}/`,
    storage,
    resources: host,
    quotaOf: name => member.quotaFor({...config.callers, name}),
    isDraining: web.isDraining,
    draining: web.draining,
    metrics,
  })
  return {port, base, answer, stop, description: place => `base ${base}, ${place}, schema ${schema}`}
}

/** Serves the datasets of the registry. */
async function serveMany(config: Config, {host, member, openTelemetry}: Serving): Promise<Served> {
  const {storage, web} = host
  const {schema} = config.datasets
  if (!member.isMigrated) await migrate(storage.database, {schema, directory: registryDirectory})
  const port = member.isPortOpen ? config.port : await listen(web, config, undefined)
  const datasets = await serveDatasets(config, {host, member})
  datasets.setMetrics(await openTelemetry(datasets))
  const {answer, count, stop} = datasets
  const {ready, behind, failed, paused} = count()
  const number = ready + behind + failed + paused
  return {port, base: undefined, answer, stop, description: place => `${number} datasets, ${place}, registry ${schema}`}
}

function urlOf({host}: Config, port: number): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}/`
}

type Observed = Pick<Serving, 'host' | 'member'> & {
  readonly datasets: Pick<ServedDatasets, 'count' | 'replicas'> | undefined
}

function openTelemetry(config: Config, {host, member, datasets}: Observed): Promise<Telemetry> {
  const {storage, spools, web} = host
  const {database, replicated} = storage
  const {running} = web
  const replicas = () => [...(replicated?.states() ?? []), ...(datasets?.replicas() ?? [])]
  const sources = {build, pool: database.load, spool: spools.load, running, replicas, datasets: datasets?.count}
  return startTelemetry(config, sources, member.joinMetrics)
}

type Stopping = {readonly config: Config; readonly host: Host; readonly close: () => Promise<void>}

async function stop({config, host: {web}, close}: Stopping, hurry: AbortSignal | undefined): Promise<void> {
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

/** @param hurry  ends the pause early */
function pause(ms: number, hurry: AbortSignal | undefined): Promise<void> {
  return delay(ms, undefined, hurry === undefined ? {} : {signal: hurry}).catch(() => undefined)
}
