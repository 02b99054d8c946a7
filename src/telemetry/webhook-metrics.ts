/**
 * Metrics of webhooks: their number by state, and the attempts to post to them.
 *
 * Part of metrics.ts. With a registry, a process knows the webhooks of the datasets that it has open.
 */
import {Gauge, Histogram, type Registry} from 'prom-client'
import type {Observation} from '../base/observation.ts'
import {webhookStates} from '../db/store/webhooks.ts'

/** @param buckets  of the histogram, in seconds */
export function webhookMetrics(registry: Registry, buckets: readonly number[]): (observation: Observation) => void {
  const attempts = new Histogram({
    name: 'quadstead_webhook_attempt_duration_seconds',
    help: 'Attempts to post a change to a webhook, by their outcome: delivered, failed, gone.',
    labelNames: ['outcome'],
    buckets: [...buckets],
    registers: [registry],
  })
  const counted = new Map<string | undefined, Readonly<Record<string, number>>>()
  new Gauge({
    name: 'quadstead_webhooks',
    help: 'Webhooks by state: active, dead, gone.',
    labelNames: ['state'],
    aggregator: 'max', // every process counts all
    registers: [registry],
    collect() {
      for (const state of webhookStates)
        this.set(
          {state},
          [...counted.values()].reduce((sum, counts) => sum + (counts[state] ?? 0), 0),
        )
    },
  })
  return observation => {
    if (observation.kind === 'webhooks-counted') counted.set(observation.dataset, observation.counts)
    if (observation.kind === 'webhook-attempt') attempts.observe({outcome: observation.outcome}, observation.ms / 1000)
  }
}
