/**
 * The PostgreSQL servers of the datasets.
 *
 * A dataset is in the database of the registry, or in one of its own. Datasets with the same connection URIs share the
 * connections. `serverOf` is the one place that knows which server has a dataset.
 */

import type {DatasetEntry} from '../db/registry/registry.ts'
import type {ReplicaState} from '../db/replicas/replica.ts'
import type {Config} from '../settings/config.ts'
import {openServer, type Role, type Storage} from '../storage.ts'
import {addressesOf} from './dataset-config.ts'

type Place = Pick<DatasetEntry, 'databaseUrl' | 'readUrl' | 'schema'>

/** A server as it is lent to one dataset. */
export type Lease = {
  readonly storage: Storage
  /** Ends the lease. A server without leases is closed. */
  readonly release: () => Promise<void>
}

export type Servers = {
  /**
   * The server that has a dataset.
   *
   * @throws  Refusal: it cannot be opened
   */
  readonly serverOf: (dataset: Place) => Promise<Lease>
  /** The replicas of the servers that are open, besides those of the registry. */
  readonly replicas: () => readonly ReplicaState[]
}

type Shared = {readonly opening: Promise<Storage>; leases: number; storage: Storage | undefined}

/**
 * @param own   the storage of the registry; it stays open
 * @param role  of the connections to other databases
 */
export function createServers(config: Config, own: Storage, role: Role): Servers {
  const shared = new Map<string, Shared>()

  /** The datasets of such a database are looked up in its cluster by `serverOf`, if it is one. */
  async function open(place: Place): Promise<Storage> {
    const addresses = addressesOf(place, process.env)
    return openServer({...config, database: {...config.database, ...addresses, waitMs: 0}}, role)
  }
  async function share(place: Place): Promise<Lease> {
    const key = JSON.stringify([place.databaseUrl, place.readUrl])
    const server: Shared = shared.get(key) ?? {opening: open(place), leases: 0, storage: undefined}
    shared.set(key, server)
    server.leases += 1
    let isLent = true
    async function release(): Promise<void> {
      if (!isLent) return
      isLent = false
      server.leases -= 1
      if (server.leases > 0) return
      shared.delete(key)
      await server.opening.then(({close}) => close()).catch(() => undefined)
    }
    try {
      const storage = await server.opening
      server.storage = storage
      return {storage, release}
    } catch (error) {
      await release()
      throw error
    }
  }

  return {
    async serverOf(place) {
      const lease = place.databaseUrl === null ? {storage: own, release: async () => undefined} : await share(place)
      const storage = await lease.storage.inCluster?.(place.schema)
      if (storage === undefined) return lease
      return {storage, release: () => storage.close().then(lease.release)}
    },
    replicas: () => [...shared.values()].flatMap(({storage}) => storage?.replicated?.states() ?? []),
  }
}
