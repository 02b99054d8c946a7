/**
 * The PostgreSQL servers of the datasets.
 *
 * A dataset is in the database of the registry, or in one of its own. Datasets with the same connection URIs share the
 * connections. Only `serverOf` knows which server has a dataset.
 */

import type {DatasetEntry} from '../db/registry/registry.ts'
import type {ReplicaState} from '../db/replicas/replica.ts'
import type {Config} from '../settings/config.ts'
import {openServer, type Role, type Storage} from '../storage.ts'
import {addressesOf} from './dataset-config.ts'

type DatasetLocation = Pick<DatasetEntry, 'databaseUrl' | 'readUrl' | 'schema'>

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
  readonly serverOf: (dataset: DatasetLocation) => Promise<Lease>
  /** The replicas of the servers that are open, besides those of the registry. */
  readonly replicas: () => readonly ReplicaState[]
}

type Shared = {readonly opening: Promise<Storage | undefined>; leases: number; storage: Storage | undefined}

/** What is shared by those who lease it at the same time. It is closed after the last lease. */
type Share = {
  /** Leases what has this key, and opens it if nobody has it. undefined: it does not exist. */
  readonly lease: (key: string, open: () => Promise<Storage | undefined>) => Promise<Lease | undefined>
  readonly open: () => readonly Storage[]
}

/**
 * @param own   the storage of the registry; it stays open
 * @param role  of the connections to other databases
 */
export function createServers(config: Config, own: Storage, role: Role): Servers {
  const servers = createShare()
  const inClusters = createShare() // of one dataset each

  /** The datasets of such a database are looked up in its cluster by `serverOf`, if it is one. */
  async function open(location: DatasetLocation): Promise<Storage> {
    const addresses = addressesOf(location, process.env)
    return openServer({...config, database: {...config.database, ...addresses, waitMs: 0}}, role)
  }
  async function serverOf(location: DatasetLocation): Promise<Lease> {
    const key = JSON.stringify([location.databaseUrl, location.readUrl])
    const leased = location.databaseUrl === null ? undefined : await servers.lease(key, () => open(location))
    const lease = leased ?? {storage: own, release: async () => undefined}
    const {inCluster} = lease.storage
    if (inCluster === undefined) return lease
    try {
      const dataset = await inClusters.lease(`${key} ${location.schema}`, () => inCluster(location.schema))
      if (dataset === undefined) return lease
      return {storage: dataset.storage, release: () => dataset.release().finally(lease.release)}
    } catch (error) {
      await lease.release()
      throw error
    }
  }
  return {
    serverOf,
    replicas: () => [...servers.open(), ...inClusters.open()].flatMap(({replicated}) => replicated?.states() ?? []),
  }
}

function createShare(): Share {
  const all = new Map<string, Shared>()
  return {
    async lease(key, open) {
      const server: Shared = all.get(key) ?? {opening: open(), leases: 0, storage: undefined}
      all.set(key, server)
      server.leases += 1
      let isLent = true
      async function release(): Promise<void> {
        if (!isLent) return
        isLent = false
        server.leases -= 1
        if (server.leases > 0) return
        all.delete(key)
        await server.opening.then(storage => storage?.close()).catch(() => undefined)
      }
      try {
        const storage = await server.opening
        server.storage = storage
        if (storage !== undefined) return {storage, release}
      } catch (error) {
        await release()
        throw error
      }
      await release()
      return undefined
    },
    open: () => Array.from(all.values(), ({storage}) => storage).filter(storage => storage !== undefined),
  }
}
