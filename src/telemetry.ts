/**
 * What is measured while the service runs, and where it can be read.
 *
 * Floor 6. Made before the application, which shows the metrics when they have no port of their own.
 */
import {once} from 'node:events'
import {subscribe} from './base/observation.ts'
import {Refusal} from './base/refusal.ts'
import type {Config} from './config.ts'
import {createMetrics, type MetricsSources} from './metrics.ts'
import {isTraced, openTraces} from './traces.ts'
import {createMetricsServer, type MetricsPage} from './web/metrics.ts'

export type Telemetry = {
  readonly page: MetricsPage | undefined // for the application to show
  readonly close: () => Promise<void>
}

type End = () => void | Promise<void>

/** @throws Refusal: METRICS_PORT cannot be opened */
export async function startTelemetry(config: Config, sources: MetricsSources): Promise<Telemetry> {
  const ends: End[] = []
  const close = async () => {
    for (const end of ends.splice(0)) await end()
  }
  try {
    return {page: await startMetrics(config, sources, ends), close: await startTraces(sources, ends).then(() => close)}
  } catch (error) {
    await close()
    throw error
  }
}

async function startMetrics({operation, host}: Config, sources: MetricsSources, ends: End[]) {
  const {metrics} = operation
  if (metrics === undefined) return undefined
  const {hear, read, contentType} = createMetrics(sources)
  const page = {path: metrics.path, read, contentType}
  ends.push(subscribe(hear))
  if (metrics.port === undefined) return page
  ends.push(await serveMetrics(page, metrics.port, host))
  return undefined
}

async function startTraces({build}: MetricsSources, ends: End[]): Promise<void> {
  if (!isTraced(process.env)) return
  const traces = await openTraces(build.version)
  if (traces !== undefined) ends.push(subscribe(traces.hear), traces.close)
}

/** @returns what ends it */
async function serveMetrics(page: MetricsPage, port: number, host: string): Promise<End> {
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
