/**
 * Metrics of the datasets of a registry, with the label `dataset`.
 *
 * Part of metrics.ts. A dataset has few series, because a service may have thousands of datasets: no method, no route,
 * no histogram. Its series begin with its first request. Without a registry there are none.
 */
import {Counter, Gauge, type Registry} from 'prom-client'
import type {Observation} from '../base/observation.ts'

/** Numbers of datasets, as this process knows them. */
export type DatasetCounts = {
  readonly open: number
  readonly ready: number
  readonly behind: number // their schemas wait to be brought up to date
  readonly failed: number
  readonly paused: number
}

type Hear = (observation: Observation) => void

const none: DatasetCounts = {open: 0, ready: 0, behind: 0, failed: 0, paused: 0}

/** @param counts  undefined: there is no registry */
export function datasetMetrics(registry: Registry, counts: (() => DatasetCounts) | undefined): Hear {
  observeCounts(registry, counts ?? (() => none))
  const counter = <Label extends string>(name: string, help: string, ...labelNames: readonly Label[]) =>
    new Counter({
      name: `quadstead_dataset_${name}`,
      help,
      labelNames: ['dataset', ...labelNames],
      registers: [registry],
    })
  const requests = counter('requests_total', 'Requests to a dataset, by the class of their status.', 'status')
  const seconds = counter('request_seconds_total', 'Time that requests to a dataset took, to the last byte.')
  const bytes = counter('response_bytes_total', 'Bytes sent for a dataset, heads and bodies.')
  const queries = counter('queries_total', 'SPARQL queries of a dataset, by how they ended.', 'outcome')
  const waits = counter('pool_wait_seconds_total', 'Time that a dataset waited for connections to PostgreSQL.')
  const refusals = counter('pool_refused_total', 'Waits of a dataset for a connection that were given up.')
  return observation => {
    if (!('dataset' in observation) || observation.dataset === undefined) return
    const {dataset} = observation
    switch (observation.kind) {
      case 'request':
        requests.inc({dataset, status: `${Math.floor(observation.status / 100)}xx`})
        seconds.inc({dataset}, observation.ms / 1000)
        return bytes.inc({dataset}, observation.bytes)
      case 'query':
        return queries.inc({dataset, outcome: observation.outcome})
      case 'pool-waited':
        if (!observation.isServed) refusals.inc({dataset})
        return waits.inc({dataset}, observation.ms / 1000)
    }
  }
}

function observeCounts(registry: Registry, counts: () => DatasetCounts): void {
  new Gauge({
    name: 'quadstead_datasets',
    help: 'Datasets of the registry, by state: ready, behind, failed, paused.',
    labelNames: ['state'],
    aggregator: 'max', // every process knows all
    registers: [registry],
    collect() {
      const {open, ...states} = counts()
      for (const [state, number] of Object.entries(states)) this.set({state}, number)
    },
  })
  new Gauge({
    name: 'quadstead_datasets_open',
    help: 'Datasets that are open, in each process.',
    registers: [registry],
    collect() {
      this.set(counts().open)
    },
  })
}
