/**
 * A service of several processes: starts workers that serve one port, and keeps what they must have in common.
 *
 * This process, the keeper, serves nobody. It owns the embedded PostgreSQL, applies migrations, opens the port
 * and hands its connections to workers in turn (node:cluster, round robin). It counts connections and requests of
 * callers for all of them, adds up their metrics, and starts a worker again that has ended. When the keeper ends, its
 * workers do, too.
 */
import cluster from 'node:cluster'
import {setTimeout as delay} from 'node:timers/promises'
import {observe} from '../base/observation.ts'
import {Refusal} from '../base/refusal.ts'
import {version} from '../build.ts'
import {migrate} from '../db/store/migrate.ts'
import type {Service} from '../serve.ts'
import {refuseUnguarded} from '../settings/access.ts'
import type {Config} from '../settings/config.ts'
import {sqlDirectory} from '../sql-directory.ts'
import {openStorage, type Storage} from '../storage.ts'
import {metricsContentType} from '../telemetry/metrics.ts'
import {serveMetrics} from '../telemetry/start.ts'
import type {Assignment} from './channel.ts'
import {createWorkerCounts} from './counts.ts'
import {findFreePort} from './free-port.ts'
import {type Launched, type Listening, launch} from './launch.ts'
import {createWorkerMetrics} from './metrics.ts'

/**
 * Starts the service; it is ready when all workers listen.
 *
 * @throws  Refusal: why it cannot start; nothing is left running
 */
export async function startWorkers(config: Config): Promise<Service> {
  refuseUnguarded(config.host, config.access)
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({serialization: 'advanced'}) // metrics hold NaN, which JSON has not
  const storage = await openStorage(config, 'keeper')
  const crew = createCrew(config, storage)
  try {
    await migrate(storage.database, {schema: config.database.schema, directory: sqlDirectory})
    const {url, port, base} = await crew.start()
    const place = `${storage.description}, schema ${config.database.schema}, ${config.workers} workers`
    const readyLine = `Quadstead ${version} is ready at ${url} (base ${base}, ${place})`
    return {url, port, base, readyLine, failed: crew.failed, stop: crew.stop}
  } catch (error) {
    await crew.stop(AbortSignal.abort())
    throw error
  }
}

type Crew = {
  readonly start: () => Promise<Listening>
  readonly failed: Promise<Error>
  readonly stop: (hurry?: AbortSignal) => Promise<void>
}

function createCrew(config: Config, storage: Storage): Crew {
  const counts = createWorkerCounts(config)
  const metrics = createWorkerMetrics()
  const live = new Set<Launched>()
  const stopping = new AbortController()
  const embedded = config.database.address === undefined ? storage.address : undefined
  let assignment: Assignment = {port: undefined, address: embedded}
  let fail: (error: Error) => void
  const failed = new Promise<Error>(resolve => {
    fail = resolve
  })
  let closeMetrics: () => void | Promise<void> = () => undefined
  const reopenLogs = () => {
    for (const {signal} of live) signal('SIGHUP')
  }

  function run(number: number): Launched {
    const launched = launch(number, {assign: () => assignment, counts, metrics})
    live.add(launched)
    void launched.ended.then(() => live.delete(launched))
    return launched
  }

  async function startFirst(number: number): Promise<Listening> {
    const launched = run(number)
    const result = await Promise.race([launched.listening, launched.ended])
    if ('reason' in result) throw new Refusal(`Worker ${number}: ${result.reason}`, {exitCode: result.exitCode})
    void keepRunning(number, launched, {run, metrics, stopping: stopping.signal}).catch(error => fail(error))
    return result
  }

  return {
    failed,
    async start() {
      process.on('SIGHUP', reopenLogs)
      // Workers share what they open under the same number, so 0 would mean another port once all of them have ended.
      if (config.isPortGiven && config.port === 0) assignment = {...assignment, port: await findFreePort(config.host)}
      const service = await startFirst(1)
      assignment = {...assignment, port: service.port}
      await Promise.all(Array.from({length: config.workers - 1}, (_, index) => startFirst(index + 2)))
      const page = config.operation.metrics
      if (page?.port !== undefined) {
        const contents = {path: page.path, read: metrics.read, contentType: metricsContentType}
        closeMetrics = await serveMetrics(contents, page.port, config.host)
      }
      return service
    },
    async stop(hurry) {
      stopping.abort()
      await stopAll([...live], config, hurry)
      process.off('SIGHUP', reopenLogs)
      metrics.close()
      await closeMetrics()
      await storage.close()
    },
  }
}

type Keeping = {
  readonly run: (number: number) => Launched
  readonly metrics: {readonly countLost: () => void}
  readonly stopping: AbortSignal
}

const stableMs = 10_000 // a worker that served for so long is started again at once
const [firstPauseMs, longestPauseMs] = [100, 10_000]
const startsMax = 5 // in a row that end before the worker listens

/**
 * Starts a worker again whenever it ends.
 *
 * @throws  Refusal: it ended before it listened, several times in a row
 */
async function keepRunning(number: number, first: Launched, {run, metrics, stopping}: Keeping): Promise<void> {
  let [launched, quick, silent] = [first, 0, 0]
  for (;;) {
    const {reason, servedMs} = await launched.ended
    if (stopping.aborted) return
    metrics.countLost()
    quick = servedMs >= stableMs ? 0 : quick + 1
    silent = servedMs > 0 ? 0 : silent + 1
    if (silent >= startsMax) {
      throw new Refusal(`Worker ${number} could not start ${startsMax} times in a row. The last time: ${reason}`)
    }
    const againMs = quick < 2 ? 0 : Math.min(firstPauseMs * 2 ** (quick - 2), longestPauseMs)
    observe({kind: 'worker-ended', worker: number, reason, againMs})
    await delay(againMs, undefined, {signal: stopping}).catch(() => undefined)
    if (stopping.aborted) return
    launched = run(number)
  }
}

const graceMs = 10_000 // for a worker to close what it holds

/** Lets workers finish what runs, each within the limits of the settings; one that takes longer is killed. */
async function stopAll(live: readonly Launched[], {operation, limits}: Config, hurry?: AbortSignal): Promise<void> {
  const cut = () => {
    for (const worker of live) worker.hurry(graceMs)
  }
  for (const worker of live) worker.stop(operation.drainDelayMs + limits.drainTimeoutMs + graceMs)
  if (hurry?.aborted) cut()
  hurry?.addEventListener('abort', cut, {once: true})
  await Promise.all(live.map(({ended}) => ended))
  hurry?.removeEventListener('abort', cut)
}
