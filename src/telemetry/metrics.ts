/**
 * Counts observations as metrics and prints them in Prometheus' text format.
 *
 * docs/operations.md lists the metrics, and a test compares. Labels have few values, so a path is never a label.
 * Sources: Prometheus, "Metric and label naming"; OpenMetrics 1.0.
 */
import {Counter, collectDefaultMetrics, Gauge, Histogram, Registry} from 'prom-client'
import {type Observation, type QueryObservation, queryOutcomes, type RequestObservation} from '../base/observation.ts'
import type {SpoolLoad} from '../base/spool-space.ts'
import {type GateLoad, shareNames} from '../db/connection/gate.ts'
import type {ReplicaState} from '../db/replicas/replica.ts'
import type {Build} from '../web/service/platform.ts'
import {beginAtZero} from './begin-at-zero.ts'
import {changeMetrics} from './change-metrics.ts'
import {type DatasetCounts, datasetMetrics} from './dataset-metrics.ts'
import {followMetrics} from './follow-metrics.ts'
import {replicaMetrics} from './replica-metrics.ts'
import {spoolMetrics} from './spool-metrics.ts'
import {webhookMetrics} from './webhook-metrics.ts'

export type Metrics = {
  readonly hear: (observation: Observation) => void
  readonly read: () => Promise<string>
  readonly readValues: () => Promise<MetricValues>
}

export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE

/** Metrics as data, to add to those of other processes. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export type MetricsSources = {
  readonly build: Build
  readonly pool: () => GateLoad
  readonly spool: () => SpoolLoad
  readonly running: () => number // number of running requests
  readonly replicas?: (() => readonly ReplicaState[]) | undefined // undefined: no replicas
  readonly datasets?: (() => DatasetCounts) | undefined // undefined: one dataset, without a registry
}

const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] // seconds
const stageBuckets = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]
const waitBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15]
/** Observations are counted together: the code for it takes a third of the time if it has just run. */
const mostKept = 64
const cacheResults = ['hit', 'miss']
const methods = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'MOVE', 'COPY'])

export function createMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({register: registry})
  chooseAggregators(registry)
  observeState(registry, sources)
  const count = createCounter(registry, sources)
  const kept: Observation[] = []
  const countKept = () => {
    for (const observation of kept.splice(0)) count(observation)
  }
  return {
    hear(observation) {
      if (kept.push(observation) === mostKept) countKept()
    },
    read() {
      countKept()
      return registry.metrics()
    },
    readValues() {
      countKept()
      return registry.getMetricsAsJSON()
    },
  }
}

/** Creates the metrics of all observations. Returns a function that counts one. */
function createCounter(registry: Registry, sources: MetricsSources): Metrics['hear'] {
  const hearRead = replicaMetrics(registry, sources.replicas ?? (() => []))
  const hearSpool = spoolMetrics(registry, sources.spool)
  const hearRequest = requestMetrics(registry)
  const hearListener = changeMetrics(registry)
  const hearQuery = queryMetrics(registry)
  const {repeated, lost, statements, waits, refusals} = databaseMetrics(registry)
  const failures = failureMetrics(registry)
  const hearChecksums = checksumMetrics(registry)
  const refusedConnections = connectionMetrics(registry)
  const parts = [
    datasetMetrics(registry, sources.datasets),
    webhookMetrics(registry, waitBuckets),
    followMetrics(registry),
  ]
  return observation => {
    for (const countPart of parts) countPart(observation)
    switch (observation.kind) {
      case 'request':
        return hearRequest(observation)
      case 'query':
        return hearQuery(observation)
      case 'read':
        return hearRead(observation)
      case 'spool-failed':
      case 'spool-full':
      case 'answer-cut':
        return hearSpool(observation)
      case 'listener-joined':
      case 'listener-left':
      case 'changes-sent':
        return hearListener(observation)
      case 'statement':
        return statements.observe({statement: observation.name}, observation.ms / 1000)
      case 'checksums':
        return hearChecksums(observation)
      case 'pool-waited':
        if (!observation.isServed) refusals.inc({share: observation.share})
        return waits.observe({share: observation.share}, observation.ms / 1000)
      case 'transaction-repeated':
        return repeated.inc({code: observation.code})
      case 'database-unavailable':
        return lost.inc()
      case 'connection-refused':
      case 'address-refused':
        return refusedConnections.inc({limit: observation.kind === 'address-refused' ? 'address' : 'all'})
      case 'failure':
        return failures.inc()
    }
  }
}

/** Sets how prom-client aggregates its default metrics over processes: the worst event loop, the oldest process. */
function chooseAggregators(registry: Registry): void {
  for (const metric of registry.getMetricsAsArray()) {
    if (/^nodejs_eventloop_lag_(?:seconds|p\d+_seconds)$/.test(metric.name)) metric.aggregator = 'max'
    if (metric.name === 'process_start_time_seconds') metric.aggregator = 'min'
  }
}

export const lostWorkersMetric = {
  name: 'quadstead_workers_lost_total',
  help: 'Worker processes that ended by themselves.',
}

function failureMetrics(registry: Registry) {
  return new Counter({
    name: 'quadstead_failures_total',
    help: 'Faults of the service, each answered with a 500 or a cut-off answer.',
    registers: [registry],
  })
}

function checksumMetrics(registry: Registry) {
  const checksums = new Counter({
    name: 'quadstead_checksums_total',
    help: 'Checksums of documents that answers needed: hit, kept from before; miss, computed.',
    labelNames: ['cache'],
    registers: [registry],
  })
  beginAtZero(checksums, cacheResults)
  return ({kept, computed}: {readonly kept: number; readonly computed: number}): void => {
    checksums.inc({cache: 'hit'}, kept)
    checksums.inc({cache: 'miss'}, computed)
  }
}

function connectionMetrics(registry: Registry) {
  const refused = new Counter({
    name: 'quadstead_connections_refused_total',
    help: 'Connections closed at once, by the limit that was reached: all, address.',
    labelNames: ['limit'],
    registers: [registry],
  })
  return beginAtZero(refused, ['all', 'address'])
}

function databaseMetrics(registry: Registry) {
  const registers = [registry]
  const repeated = new Counter({
    name: 'quadstead_transactions_repeated_total',
    help: 'Transactions that were done again, by SQLSTATE or driver code.',
    labelNames: ['code'],
    registers,
  })
  const lost = new Counter({
    name: 'quadstead_database_unavailable_total',
    help: 'Statements that found no connection to PostgreSQL, or lost it.',
    registers,
  })
  const waits = new Histogram({
    name: 'quadstead_pool_wait_seconds',
    help: 'Waits for a connection to PostgreSQL, of those who had to wait.',
    labelNames: ['share'],
    buckets: waitBuckets,
    registers,
  })
  const refusals = new Counter({
    name: 'quadstead_pool_refused_total',
    help: 'Waits for a connection that were given up, or not begun because too many waited.',
    labelNames: ['share'],
    registers,
  })
  beginAtZero(refusals, shareNames)
  const statements = new Histogram({
    name: 'quadstead_statement_duration_seconds',
    help: 'Statements that read or write documents, by the SQL function they call, with the wait for a connection.',
    labelNames: ['statement'],
    buckets: stageBuckets,
    registers,
  })
  return {repeated, lost, statements, waits, refusals}
}

/** Gauges whose values are read when the metrics are read. */
function observeState(registry: Registry, {build, pool, running}: MetricsSources): void {
  const registers = [registry]
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  const labels = {version: build.version, build_date: build.date.toISOString(), node: process.version}
  new Gauge({
    name: 'quadstead_build_info',
    help: 'Always 1; which Quadstead this is.',
    labelNames: Object.keys(labels),
    aggregator: 'first',
    registers,
  }).set(labels, 1)
  gauge('quadstead_workers', 'Processes that serve the port.', () => 1)
  new Counter({...lostWorkersMetric, registers})
  gauge('quadstead_http_requests_running', 'Requests being answered.', running)
  gauge('quadstead_pool_connections_max', 'Connections to PostgreSQL there may be.', () => pool().places)
  const byShare = (name: string, help: string, values: () => GateLoad['busy']) =>
    new Gauge({
      name,
      help,
      labelNames: ['share'],
      registers,
      collect() {
        const found = values()
        for (const share of shareNames) this.set({share}, found[share])
      },
    })
  byShare('quadstead_pool_connections_busy', 'Connections to PostgreSQL at work, by share.', () => pool().busy)
  byShare(
    'quadstead_pool_waiting',
    'Requests that wait for a connection to PostgreSQL, by share.',
    () => pool().waiting,
  )
}

function requestMetrics(registry: Registry): (request: RequestObservation) => void {
  const registers = [registry]
  const requests = new Counter({
    name: 'quadstead_http_requests_total',
    help: 'Requests, by what answered them and how.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'quadstead_http_request_duration_seconds',
    help: 'From the head of a request to the last byte of its answer.',
    labelNames: ['method', 'route'],
    buckets: requestBuckets,
    registers,
  })
  const bytes = new Counter({
    name: 'quadstead_http_response_bytes_total',
    help: 'Bytes sent, heads and bodies.',
    labelNames: ['route'],
    registers,
  })
  const cutOff = new Counter({
    name: 'quadstead_http_requests_cut_off_total',
    help: 'Requests whose answer did not reach its end: the client went, or the answer broke off.',
    labelNames: ['route'],
    registers,
  })
  return request => {
    const {route, isWhole} = request
    const method = methods.has(request.method) ? request.method : 'other'
    requests.inc({method, route, status: request.status})
    durations.observe({method, route}, request.ms / 1000)
    bytes.inc({route}, request.bytes)
    if (!isWhole) cutOff.inc({route})
  }
}

function queryMetrics(registry: Registry): (query: QueryObservation) => void {
  const registers = [registry]
  const queries = new Counter({
    name: 'quadstead_queries_total',
    help: 'SPARQL queries, by how they ended: answered, cancelled, timeout, refused, failed.',
    labelNames: ['outcome'],
    registers,
  })
  beginAtZero(queries, queryOutcomes)
  const parses = new Counter({
    name: 'quadstead_query_parses_total',
    help: 'Texts of queries looked up among those parsed before: hit or miss.',
    labelNames: ['cache'],
    registers,
  })
  beginAtZero(parses, cacheResults)
  const stages = new Histogram({
    name: 'quadstead_query_stage_duration_seconds',
    help: 'Stages of SPARQL queries: parse, connect, look-up, plan, sql (to the first rows), deliver, unfinished.',
    labelNames: ['stage'],
    buckets: stageBuckets,
    registers,
  })
  return query => {
    queries.inc({outcome: query.outcome})
    parses.inc({cache: query.isPlanned ? 'hit' : 'miss'})
    for (const {name, ms} of query.stages) stages.observe({stage: name}, ms / 1000)
  }
}
