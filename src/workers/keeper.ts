/**
 * The keeper: the main process of a service with several processes. It starts the workers, which serve one port, and
 * holds their shared state.
 *
 * The keeper serves no requests. It owns the embedded PostgreSQL, applies migrations, opens the port and distributes
 * connections to workers (node:cluster, round robin). It counts connections and callers' requests for all workers, adds
 * up their metrics, and restarts a worker that has ended. The workers end when the keeper ends.
 */
import cluster from 'node:cluster'
import {setTimeout as delay} from 'node:timers/promises'
import {observe} from '../base/observation.ts'
import {Refusal} from '../base/refusal.ts'
import {version} from '../build.ts'
import {createMigrations} from '../datasets/migrations.ts'
import {createServers} from '../datasets/servers.ts'
import {hasRegistry, isListed, openRegistry} from '../db/registry/registry.ts'
import {migrate} from '../db/store/migrate.ts'
import type {RunningService} from '../serve.ts'
import {refuseUnguarded} from '../settings/access.ts'
import type {Config} from '../settings/config.ts'
import {registryDirectory, sqlDirectory} from '../sql-directory.ts'
import {openStorage, type Storage} from '../storage.ts'
import {metricsContentType} from '../telemetry/metrics.ts'
import {serveMetrics} from '../telemetry/start.ts'
import type {Assignment} from './channel.ts'
import {createWorkerCounts} from './counts.ts'
import {findFreePort} from './free-port.ts'
import {type Launched, type Listening, launch} from './launch.ts'
import {createWorkerMetrics} from './metrics.ts'

/**
 * Starts the service. Resolves when all workers listen.
 *
 * @throws  Refusal: the reason why it cannot start; it leaves nothing running
 */
export async function startWorkers(config: Config): Promise<RunningService> {
  refuseUnguarded(config.host, config.access)
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({serialization: 'advanced'}) // metrics contain NaN, which JSON cannot represent
  const storage = await openStorage(config, 'keeper')
  const crew = createCrew(config, storage)
  let migrating: Migrating | undefined
  async function stop(hurry?: AbortSignal): Promise<void> {
    await migrating?.close()
    await crew.stop(hurry)
  }
  try {
    migrating = await beginMigrations(config, storage)
    const {url, port, base} = await crew.start()
    const {datasets} = migrating
    const which = datasets === undefined ? `base ${base}` : `${datasets} datasets`
    const schema = datasets === undefined ? `schema ${config.database.schema}` : `registry ${config.datasets.schema}`
    const place = `${storage.description}, ${schema}, ${config.workers} workers`
    const readyLine = `Quadstead ${version} is ready at ${url} (${which}, ${place})`
    return {url, port, base, readyLine, failed: crew.failed, stop}
  } catch (error) {
    await stop(AbortSignal.abort())
    throw error
  }
}

type Migrating = {
  readonly datasets: number | undefined // of the registry; undefined: there is none
  readonly close: () => Promise<void>
}

/** Brings the schema of the only dataset up to date; or that of the registry, and in the background its datasets. */
async function beginMigrations(config: Config, storage: Storage): Promise<Migrating> {
  const {database} = storage
  const {schema} = config.datasets
  if (!(await hasRegistry(database, schema))) {
    await migrate(database, {schema: config.database.schema, directory: sqlDirectory})
    return {datasets: undefined, close: async () => undefined}
  }
  await migrate(database, {schema, directory: registryDirectory})
  const registry = openRegistry(database, schema)
  const migrations = await createMigrations(registry)
  const entries = (await registry.changedAfter('0')).filter(isListed)
  migrations.begin(() => entries, createServers(config, storage, 'keeper'))
  return {datasets: entries.length, close: () => migrations.close()}
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
      // Workers share a socket by port number. With port 0 they would get another port after all of them have ended.
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

const stableMs = 10_000 // a worker that served this long is restarted at once
const [firstPauseMs, longestPauseMs] = [100, 10_000]
const startsMax = 5 // consecutive starts that fail before the worker listens

/**
 * Restarts a worker whenever it ends.
 *
 * @throws  Refusal: the worker ended before it listened, `startsMax` times in a row
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

const graceMs = 10_000 // for a worker to close its connections and files

/** Lets workers finish running requests within the limits of the settings. Kills a worker that takes longer. */
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
