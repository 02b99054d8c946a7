/**
 * The PostgreSQL servers of the datasets.
 *
 * A dataset is in the database of the registry, or in one of its own. Datasets with the same connection URI share its
 * connections. `serverOf` is the one place that knows which server has a dataset.
 */

import {parseDatabaseUrl} from '../db/connection/address.ts'
import type {Database} from '../db/connection/pool.ts'
import type {DatasetEntry} from '../db/registry/registry.ts'
import type {Config} from '../settings/config.ts'
import {openServer, type Role, type Storage} from '../storage.ts'
import {withSecrets} from './dataset-config.ts'

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
  readonly serverOf: (dataset: Pick<DatasetEntry, 'databaseUrl' | 'schema'>) => Promise<Lease>
  /** The databases that are open, besides that of the registry. */
  readonly others: () => readonly Database[]
}

type Shared = {readonly opening: Promise<Storage>; leases: number; database: Database | undefined}

/**
 * @param own   the storage of the registry; it stays open
 * @param role  of the connections to other databases
 */
export function createServers(config: Config, own: Storage, role: Role): Servers {
  const shared = new Map<string, Shared>()

  /** The datasets of such a database are looked up in its cluster by `serverOf`, if it is one. */
  async function open(databaseUrl: string): Promise<Storage> {
    const address = parseDatabaseUrl(withSecrets(databaseUrl, process.env))
    return openServer({...config, database: {...config.database, address, replicas: [], waitMs: 0}}, role)
  }
  async function share(databaseUrl: string): Promise<Lease> {
    const server: Shared = shared.get(databaseUrl) ?? {opening: open(databaseUrl), leases: 0, database: undefined}
    shared.set(databaseUrl, server)
    server.leases += 1
    let isLent = true
    async function release(): Promise<void> {
      if (!isLent) return
      isLent = false
      server.leases -= 1
      if (server.leases > 0) return
      shared.delete(databaseUrl)
      await server.opening.then(({close}) => close()).catch(() => undefined)
    }
    try {
      const storage = await server.opening
      server.database = storage.database
      return {storage, release}
    } catch (error) {
      await release()
      throw error
    }
  }

  return {
    async serverOf({databaseUrl, schema}) {
      const lease = databaseUrl === null ? {storage: own, release: async () => undefined} : await share(databaseUrl)
      const storage = await lease.storage.inCluster?.(schema)
      if (storage === undefined) return lease
      return {storage, release: () => storage.close().then(lease.release)}
    },
    others: () => [...shared.values()].flatMap(({database}) => database ?? []),
  }
}
