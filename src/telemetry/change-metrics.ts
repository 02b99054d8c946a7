/**
 * Metrics of clients that listen to changes: their number, and how late changes reach them.
 *
 * Part of metrics.ts.
 */
import {Counter, Gauge, Histogram, type Registry} from 'prom-client'
import type {ListenerObservation} from '../base/observation.ts'

const lagBuckets = [0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3600, 86_400] // seconds

export function changeMetrics(registry: Registry): (heard: ListenerObservation) => void {
  const registers = [registry]
  const listeners = new Gauge({
    name: 'quadstead_change_listeners',
    help: 'Clients that listen to changes, or read a page of them.',
    registers,
  })
  const sent = new Counter({name: 'quadstead_changes_sent_total', help: 'Changes sent, to all listeners.', registers})
  const lag = new Histogram({
    name: 'quadstead_change_lag_seconds',
    help: 'From a change to its delivery: of the last change of each page that was sent.',
    buckets: lagBuckets,
    registers,
  })
  return heard => {
    switch (heard.kind) {
      case 'listener-joined':
        return listeners.inc()
      case 'listener-left':
        return listeners.dec()
      case 'changes-sent':
        sent.inc(heard.count)
        return lag.observe(heard.lagMs / 1000)
    }
  }
}
