/**
 * Starts metrics and traces, and serves the metrics on METRICS_PORT if it is set.
 *
 * It starts before the application, which serves the metrics if they have no separate port.
 */
import {once} from 'node:events'
import {subscribe} from '../base/observation.ts'
import {Refusal} from '../base/refusal.ts'
import type {Config} from '../settings/config.ts'
import {createMetricsServer, type MetricsPage} from '../web/service/metrics.ts'
import type {Member, ReadMetrics} from '../workers/member.ts'
import {createMetrics, type Metrics, type MetricsSources, metricsContentType} from './metrics.ts'
import {isTraced, openTraces} from './traces.ts'

export type Telemetry = {
  readonly page: MetricsPage | undefined // served by the application
  readonly close: () => Promise<void>
}

type End = () => void | Promise<void>
type JoinedMetrics = ReadMetrics & {readonly own: Metrics}

/**
 * @param joinMetrics  adds the metrics of this process to those of the others
 * @throws             Refusal: METRICS_PORT cannot be opened
 */
export async function startTelemetry(
  config: Config,
  sources: MetricsSources,
  joinMetrics: Member['joinMetrics'],
): Promise<Telemetry> {
  const ends: End[] = []
  const createAndJoin = () => {
    const own = createMetrics(sources)
    return {own, ...joinMetrics(own)}
  }
  const close = async () => {
    for (const end of ends.splice(0)) await end()
  }
  try {
    const page = await startMetrics(config, createAndJoin, ends)
    await startTraces(sources, ends)
    return {page, close}
  } catch (error) {
    await close()
    throw error
  }
}

async function startMetrics({operation, host}: Config, joined: () => JoinedMetrics, ends: End[]) {
  const {metrics} = operation
  if (metrics === undefined) return undefined
  const {own, read, hasOwnPort} = joined()
  const page = {path: metrics.path, read, contentType: metricsContentType}
  ends.push(subscribe(own.hear))
  if (metrics.port === undefined) return page
  if (hasOwnPort) ends.push(await serveMetrics(page, metrics.port, host))
  return undefined
}

async function startTraces({build}: MetricsSources, ends: End[]): Promise<void> {
  if (!isTraced(process.env)) return
  const traces = await openTraces(build.version)
  if (traces !== undefined) ends.push(subscribe(traces.hear), traces.close)
}

/**
 * Serves the metrics on a separate port.
 *
 * @returns  a function that closes the port
 */
export async function serveMetrics(page: MetricsPage, port: number, host: string): Promise<End> {
  const server = createMetricsServer(page)
  const listening = once(server, 'listening')
  server.listen({port, host})
  await listening.catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Refusal(`METRICS_PORT ${port} of ${host} cannot be opened: ${reason}.`, {cause: error})
  })
  return async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}
