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
import {createMetricsServer, type MetricsPage} from './web/metrics.ts'

export type Telemetry = {
  readonly page: MetricsPage | undefined // for the application to show
  readonly close: () => Promise<void>
}

/** @throws Refusal: METRICS_PORT cannot be opened */
export async function startTelemetry({operation, host}: Config, sources: MetricsSources): Promise<Telemetry> {
  const {metrics} = operation
  if (metrics === undefined) return {page: undefined, close: async () => {}}
  const {hear, read, contentType} = createMetrics(sources)
  const page = {path: metrics.path, read, contentType}
  const endServer = metrics.port === undefined ? undefined : await serveMetrics(page, metrics.port, host)
  const endHearing = subscribe(hear)
  return {
    page: endServer === undefined ? page : undefined,
    async close() {
      endHearing()
      await endServer?.()
    },
  }
}

/** @returns what ends it */
async function serveMetrics(page: MetricsPage, port: number, host: string): Promise<() => Promise<void>> {
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
