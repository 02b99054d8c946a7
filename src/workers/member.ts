/**
 * The state that the processes of one service share, as an interface for each of them.
 *
 * A service of one process holds the state itself (`alone`). A worker calls the keeper (`process.ts`).
 */
import {type ConnectionCount, createConnectionCount} from '../base/connection-count.ts'
import {type CallerQuota, createOwnQuota, type QuotaOptions} from '../base/quota.ts'
import type {Config} from '../settings/config.ts'
import type {Metrics} from '../telemetry/metrics.ts'
import type {QuotaName, RequestQuota} from '../web/server/request-quota.ts'

export type Member = {
  readonly isMigrated: boolean // the schema is up to date
  readonly isPortOpen: boolean // other workers may serve it; this one listens when it is ready
  /** The quota of this name and size. Callers of several datasets must differ in their keys. */
  readonly quotaFor: (limits: NamedQuota) => CallerQuota
  /** The part of this process in the settings of a dataset. */
  readonly shareOf: (config: Config) => Config
  readonly connections: ConnectionCount
  /** Adds the metrics of this process to the sum. Returns a function that reads the metrics of all processes. */
  readonly joinMetrics: (own: Metrics) => ReadMetrics
}

export type ReadMetrics = {
  readonly read: () => Promise<string>
  readonly hasOwnPort: boolean // whether this process serves METRICS_PORT
}

const callersMax = 50_000 // some 10 MB

export type NamedQuota = RequestQuota & {readonly name: QuotaName}

/**
 * Keeps quotas by name and size.
 *
 * @param create  makes a quota that does not exist yet
 */
export function createQuotas<Quota>(
  create: (options: QuotaOptions, limits: NamedQuota) => Quota,
): (limits: NamedQuota) => Quota {
  const quotas = new Map<string, Quota>()
  return limits => {
    const {name, requests: amount, windowMs} = limits
    const key = `${name} ${amount} ${windowMs}`
    const quota = quotas.get(key) ?? create({amount, windowMs, callersMax}, limits)
    quotas.set(key, quota)
    return quota
  }
}

export function countConnectionsOf({callers}: Config): ConnectionCount {
  return createConnectionCount({all: callers.connections, ofPlace: callers.connectionsPerAddress})
}

/** The member of a service with one process. */
export function alone(config: Config): Member {
  return {
    isMigrated: false,
    isPortOpen: false,
    quotaFor: createQuotas(createOwnQuota),
    shareOf: own => own,
    connections: countConnectionsOf(config),
    joinMetrics: ({read}) => ({read, hasOwnPort: true}),
  }
}
