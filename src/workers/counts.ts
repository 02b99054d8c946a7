/**
 * Counts client connections and callers' requests in the keeper, for all workers together.
 */
import type {ConnectionLimit} from '../base/connection-count.ts'
import type {LoanRequest} from '../base/lent-quota.ts'
import {createQuota, type Loan} from '../base/quota.ts'
import type {Config} from '../settings/config.ts'
import type {OpenedConnection} from './channel.ts'
import {countConnectionsOf, createQuotas, type NamedQuota} from './member.ts'

export type WorkerCounts = {
  readonly lend: (limits: NamedQuota, requests: readonly LoanRequest[]) => readonly Loan[]
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
  const quotaFor = createQuotas(createQuota)
  const connections = countConnectionsOf(config)
  return {
    lend(limits, requests) {
      const now = performance.now()
      const quota = quotaFor(limits)
      return requests.map(({caller, most}) => quota.lend(caller, now, most))
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
