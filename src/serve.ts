/**
 * Starts the service from a Config, and stops it.
 *
 * It starts in the order database, migrations, port, dataset. It stops in reverse order, also if one of these steps
 * fails.
 */
import {isIPv6} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'
import {observe} from './base/observation.ts'
import {build, version} from './build.ts'
import {type RunningDataset, startDataset} from './dataset.ts'
import {storedBase} from './db/store/dataset.ts'
import {migrate} from './db/store/migrate.ts'
import {type Host, openHost} from './host.ts'
import {listen} from './port.ts'
import type {Iri} from './rdf/term.ts'
import {refuseUnguarded} from './settings/access.ts'
import type {Config} from './settings/config.ts'
import {sqlDirectory} from './sql-directory.ts'
import {startTelemetry, type Telemetry} from './telemetry/start.ts'
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
  let dataset: RunningDataset | undefined
  async function close(): Promise<void> {
    await dataset?.stop()
    await telemetry?.close()
    await host.close()
  }
  try {
    const {database} = storage
    const {schema} = config.database
    if (!member.isMigrated) await migrate(database, {schema, directory: sqlDirectory})
    const port = member.isPortOpen ? config.port : await listen(web, config, await storedBase(database, schema))
    telemetry = await openTelemetry(config, host, member)
    dataset = await startDataset(config, {
      name: undefined,
      defaultBase: `http://localhost:${port}/`,
      storage,
      resources: host,
      quotaOf: member.quotaOf,
      isDraining: web.isDraining,
      metrics: telemetry.page,
    })
    const {base} = dataset
    web.answerWith(dataset.answer)
    if (member.isPortOpen) await listen(web, config, base)
    const url = `http://${isIPv6(config.host) ? `[${config.host}]` : config.host}:${port}/`
    const readyLine = `Quadstead ${version} is ready at ${url} (base ${base}, ${storage.description}, schema ${schema})`
    return {url, port, base, readyLine, stop: hurry => stop({config, host, close}, hurry)}
  } catch (error) {
    await web.drain(AbortSignal.abort())
    await close()
    throw error
  }
}

function openTelemetry(config: Config, {storage, spools, web}: Host, {joinMetrics}: Member): Promise<Telemetry> {
  const {database, replicated} = storage
  const {running} = web
  const sources = {build, pool: database.load, spool: spools.load, running, replicas: replicated?.states}
  return startTelemetry(config, sources, joinMetrics)
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
