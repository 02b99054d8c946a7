/**
 * Metrics of the copies of other stores (src/follow).
 *
 * The lag is computed when it is read, so that it grows while the source does not answer.
 */
import {Counter, Gauge, type Registry} from 'prom-client'
import type {Observation} from '../base/observation.ts'

/** Creates the metrics. @returns  a function that updates them, and ignores other observations */
export function followMetrics(registry: Registry): (observation: Observation) => void {
  const registers = [registry]
  const currentAt = new Map<string, number | undefined>() // by source; undefined: it has all now
  new Gauge({
    name: 'quadstead_follow_lag_seconds',
    help: 'Time since the copy of another store had all that the store had; 0 if it has, by the followed document.',
    labelNames: ['source'],
    aggregator: 'max',
    registers,
    collect() {
      this.reset()
      for (const [source, at] of currentAt)
        this.set({source}, at === undefined ? 0 : Math.max(0, Date.now() - at) / 1000)
    },
  })
  const behind = new Gauge({
    name: 'quadstead_follow_behind_positions',
    help: 'Positions of the change log of the source that its copy has not read, by the followed document.',
    labelNames: ['source'],
    aggregator: 'max',
    registers,
  })
  const applied = new Counter({
    name: 'quadstead_follow_changes_total',
    help: 'Changes and listed documents of other stores that were applied to copies, by the followed document.',
    labelNames: ['source'],
    registers,
  })
  const failures = new Counter({
    name: 'quadstead_follow_failures_total',
    help: 'Failed attempts to follow another store, by the followed document.',
    labelNames: ['source'],
    registers,
  })
  return observation => {
    switch (observation.kind) {
      case 'follow-progress': {
        const {source} = observation
        currentAt.set(source, observation.currentAt?.getTime())
        behind.set({source}, observation.behind)
        return applied.inc({source}, observation.applied)
      }
      case 'follow-failed': {
        const {source} = observation
        if (currentAt.get(source) === undefined) currentAt.set(source, Date.now())
        return failures.inc({source})
      }
      case 'follow-left':
        currentAt.delete(observation.source)
        return behind.remove({source: observation.source})
    }
  }
}
