/**
 * The part of one dataset in what the datasets of a process share: connections, threads, space and quotas.
 */
import {createAllowance} from '../base/allowance.ts'
import type {CallerQuota} from '../base/quota.ts'
import type {DatasetParts} from '../dataset.ts'
import type {DatasetEntry} from '../db/registry/registry.ts'
import type {Host} from '../host.ts'
import type {Config} from '../settings/config.ts'
import type {Storage} from '../storage.ts'
import type {Member} from '../workers/member.ts'

export type DatasetResources = Pick<Member, 'quotaFor' | 'shareOf'> & {
  readonly host: Host
}

export type DatasetPart = {
  readonly config: Config // of the dataset
  readonly shared: DatasetResources
}

/** @returns  the parts of the dataset; `close` gives back what must be given back */
export function resourcesFor(
  {name, base}: DatasetEntry,
  storage: Storage,
  {config, shared: {host, quotaFor}}: DatasetPart,
): DatasetParts & {readonly close: () => Promise<void>} {
  const guardedSchema = config.access.isGuarded ? config.database.schema : undefined
  const replicated = storage.replicated?.forDataset(name, guardedSchema)
  const {bodies, checksums, threads, spools, heldBodies, web} = host
  const {heldBodyBytes} = config.callers
  const {bodyBytes} = config.limits
  const heldMax = Math.max(heldBodyBytes / 2, bodyBytes)
  return {
    name,
    defaultBase: base,
    storage: {database: replicated?.database ?? storage.database.forDataset(name), replicated, probe: storage.probe},
    resources: {
      bodies: bodies.forDataset(name),
      checksums: checksums.forDataset(name),
      threads: threads.forDataset(name),
      spools: spools.forDataset(),
      heldBodies: createAllowance({
        totalMax: heldMax,
        callerMax: Math.max(heldMax / 2, bodyBytes),
        within: heldBodies,
      }),
    },
    quotaOf(quota) {
      const requests = quota === 'dataset' ? config.datasets.requests : config.callers.requests
      return keyed(quotaFor({name: quota, requests, windowMs: config.callers.windowMs}), name)
    },
    isDraining: web.isDraining,
    draining: web.draining,
    metrics: undefined,
    close: async () => replicated?.close(),
  }
}

/** The quota of the callers of one dataset, apart from callers of the same name of other datasets. */
function keyed({take, look}: CallerQuota, dataset: string): CallerQuota {
  return {take: caller => take(`${dataset} ${caller}`), look: caller => look(`${dataset} ${caller}`)}
}
