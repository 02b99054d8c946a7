/**
 * What the processes of one service share, as one of them sees it.
 *
 * A service of one process keeps everything itself (`alone`); a worker asks the process that started it
 * (`process.ts`).
 */
import {type ConnectionCount, createConnectionCount} from '../base/connection-count.ts'
import {createOwnQuota, type QuotaOptions} from '../base/quota.ts'
import type {Config} from '../settings/config.ts'
import type {Metrics} from '../telemetry/metrics.ts'
import type {QuotaOf} from '../web/server/request-quota.ts'

export type Member = {
  readonly isMigrated: boolean // the schema is up to date
  readonly isPortOpen: boolean // other workers may serve it: this one listens when it can answer
  readonly quotaOf: QuotaOf
  readonly connections: ConnectionCount
  /** Gives the metrics of this process to all, and returns how to read those of all. */
  readonly joinMetrics: (own: Metrics) => ReadMetrics
}

export type ReadMetrics = {
  readonly read: () => Promise<string>
  readonly hasOwnPort: boolean // whether this process serves METRICS_PORT
}

const callersMax = 50_000 // some 10 MB

/** The size of the quotas that a service keeps for its callers. */
export function quotaOptionsOf({callers}: Config): QuotaOptions {
  return {amount: callers.requests, windowMs: callers.windowMs, callersMax}
}

export function countConnectionsOf({callers}: Config): ConnectionCount {
  return createConnectionCount({all: callers.connections, ofPlace: callers.connectionsPerAddress})
}

/** A service of one process. */
export function alone(config: Config): Member {
  return {
    isMigrated: false,
    isPortOpen: false,
    quotaOf: () => createOwnQuota(quotaOptionsOf(config)),
    connections: countConnectionsOf(config),
    joinMetrics: ({read}) => ({read, hasOwnPort: true}),
  }
}
