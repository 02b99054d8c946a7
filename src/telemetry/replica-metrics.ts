/**
 * Metrics of replicas: their state and the queries that they answer.
 *
 * Part of metrics.ts. The metrics have no samples if there are no replicas.
 */
import {Counter, Gauge, type Registry} from 'prom-client'
import type {ReadObservation} from '../base/observation.ts'
import type {ReplicaState} from '../db/replicas/replica.ts'

export function replicaMetrics(
  registry: Registry,
  states: () => readonly ReplicaState[],
): (read: ReadObservation) => void {
  const registers = [registry]
  const gauge = (name: string, help: string, aggregator: 'min' | 'max', value: (state: ReplicaState) => number) =>
    new Gauge({
      name,
      help,
      aggregator, // over processes: the worst value
      labelNames: ['replica'],
      registers,
      collect() {
        for (const state of states()) this.set({replica: state.name}, value(state))
      },
    })
  gauge('quadstead_replica_up', '1 for a replica that answers reads, 0 for one that is left out.', 'min', ({isIn}) =>
    isIn ? 1 : 0,
  )
  gauge('quadstead_replica_lag_seconds', 'How far a replica is behind, at most.', 'max', ({lag}) => lag.ms / 1000)
  gauge('quadstead_replica_lag_bytes', 'How much of the log a replica has not replayed.', 'max', ({lag}) => lag.bytes)
  const reads = new Counter({
    name: 'quadstead_reads_total',
    help: 'Reads that might go to a replica, by who answered.',
    labelNames: ['server'],
    registers,
  })
  const fallbacks = new Counter({
    name: 'quadstead_read_fallbacks_total',
    help: 'Reads that the primary answered for a replica, by reason: none, behind, older, lost, conflict.',
    labelNames: ['reason'],
    registers,
  })
  return ({server, fallback}) => {
    reads.inc({server})
    if (fallback !== undefined) fallbacks.inc({reason: fallback})
  }
}
