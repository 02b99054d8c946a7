/**
 * Counts client connections and callers' requests in the keeper, for all workers together.
 */
import type {ConnectionLimit} from '../base/connection-count.ts'
import type {LoanRequest} from '../base/lent-quota.ts'
import {createQuota, type Loan} from '../base/quota.ts'
import type {Config} from '../settings/config.ts'
import type {QuotaName} from '../web/server/request-quota.ts'
import type {OpenedConnection} from './channel.ts'
import {countConnectionsOf, quotaOptionsOf} from './member.ts'

export type WorkerCounts = {
  readonly lend: (name: QuotaName, requests: readonly LoanRequest[]) => readonly Loan[]
  /**
   * Starts to count the connections of one worker.
   *
   * @param refuse  called for each connection above a limit
   */
  readonly join: (refuse: (id: number, limit: ConnectionLimit) => void) => {
    readonly count: (opened: readonly OpenedConnection[], closed: readonly number[]) => void
    readonly leave: () => void // the worker has ended, which closes its connections
  }
}

export function createWorkerCounts(config: Config): WorkerCounts {
  const quotas = {requests: createQuota(quotaOptionsOf(config)), credentials: createQuota(quotaOptionsOf(config))}
  const connections = countConnectionsOf(config)
  return {
    lend(name, requests) {
      const now = performance.now()
      return requests.map(({caller, most}) => quotas[name].lend(caller, now, most))
    },
    join(refuse) {
      const closes = new Map<number, () => void>()
      return {
        count(opened, closed) {
          for (const {id, place} of opened)
            closes.set(
              id,
              connections.open(place, limit => refuse(id, limit)),
            )
          for (const id of closed) {
            closes.get(id)?.()
            closes.delete(id)
          }
        },
        leave() {
          for (const close of closes.values()) close()
          closes.clear()
        },
      }
    },
  }
}
