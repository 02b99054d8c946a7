/**
 * The state that the processes of one service share, as an interface for each of them.
 *
 * A service of one process holds the state itself (`alone`). A worker calls the keeper (`process.ts`).
 */
import {type ConnectionCount, createConnectionCount} from '../base/connection-count.ts'
import {createOwnQuota, type QuotaOptions} from '../base/quota.ts'
import type {Config} from '../settings/config.ts'
import type {Metrics} from '../telemetry/metrics.ts'
import type {QuotaOf} from '../web/server/request-quota.ts'

export type Member = {
  readonly isMigrated: boolean // the schema is up to date
  readonly isPortOpen: boolean // other workers may serve it; this one listens when it is ready
  readonly quotaOf: QuotaOf
  readonly connections: ConnectionCount
  /** Adds the metrics of this process to the sum. Returns a function that reads the metrics of all processes. */
  readonly joinMetrics: (own: Metrics) => ReadMetrics
}

export type ReadMetrics = {
  readonly read: () => Promise<string>
  readonly hasOwnPort: boolean // whether this process serves METRICS_PORT
}

const callersMax = 50_000 // some 10 MB

/** The options of the quotas that a service keeps for its callers. */
export function quotaOptionsOf({callers}: Config): QuotaOptions {
  return {amount: callers.requests, windowMs: callers.windowMs, callersMax}
}

export function countConnectionsOf({callers}: Config): ConnectionCount {
  return createConnectionCount({all: callers.connections, ofPlace: callers.connectionsPerAddress})
}

/** The member of a service with one process. */
export function alone(config: Config): Member {
  return {
    isMigrated: false,
    isPortOpen: false,
    quotaOf: () => createOwnQuota(quotaOptionsOf(config)),
    connections: countConnectionsOf(config),
    joinMetrics: ({read}) => ({read, hasOwnPort: true}),
  }
}
