/**
 * Describes observations as lines for stderr.
 *
 * stdout has only results: the line that says the service is ready, and the output of commands.
 */
import type {
  DatasetObservation,
  FollowObservation,
  Observation,
  PoolObservation,
  ProxyObservation,
  ReplicaObservation,
  RequestObservation,
  SpoolObservation,
  StatementObservation,
  WebhookObservation,
  WorkerObservation,
} from '../base/observation.ts'
import type {Stage} from '../base/stopwatch.ts'
import {isLoopback} from '../http/host.ts'

type FailedFollow = Extract<FollowObservation, {readonly kind: 'follow-failed'}>
type StoppedWebhook = Extract<WebhookObservation, {readonly kind: 'webhook-stopped'}>

/** The line of an observation; undefined if it has none. */
export function sentenceOf(observation: Observation): string | undefined {
  switch (observation.kind) {
    case 'database-notice':
    case 'database-awaited':
    case 'database-unavailable':
      return databaseLine(observation)
    case 'migrated':
      return `schema ${observation.schema} took ${observation.applied.join(', ')}`
    case 'embedded-created':
    case 'embedded-untuned':
    case 'embedded-adopted':
    case 'embedded-lost':
      return embeddedLine(observation)
    case 'origin-refused':
      return `a page of ${observation.origin} may not use this service: CORS_ORIGINS does not name it`
    case 'connection-refused':
    case 'address-refused':
      return refusalLine(observation)
    case 'proxy-undeclared':
      return proxyLine(observation)
    case 'traces-unavailable':
      return tracesLine(observation.packages)
    case 'draining':
      return `stopping: ${observation.requests} ${observation.requests === 1 ? 'request' : 'requests'} to finish`
    case 'worker-started':
    case 'worker-ended':
      return workerLine(observation)
    case 'replica-joined':
    case 'replica-left':
      return replicaLine(observation)
    case 'webhook-stopped':
    case 'follow-failed':
      return remoteLine(observation)
    case 'pool-waited':
      return waitLine(observation)
    case 'spool-failed':
    case 'spool-full':
    case 'answer-cut':
      return spoolLine(observation)
    case 'request':
      return requestLine(observation)
    case 'statement':
      return statementLine(observation)
    case 'query':
      return `query: ${observation.outcome} after ${whole(observation.ms)} ms ${stagesText(observation.stages)}`
    case 'failure':
      return failureText(observation.error)
    case 'dataset-moved':
    case 'dataset-failed':
    case 'datasets-migrated':
    case 'registry-unreadable':
      return datasetLine(observation)
    default:
      return undefined
  }
}

type DatabaseObservation = Extract<
  Observation,
  {readonly kind: 'database-notice' | 'database-awaited' | 'database-unavailable'}
>

function databaseLine(observation: DatabaseObservation): string | undefined {
  switch (observation.kind) {
    case 'database-notice':
      return observation.severity === 'WARNING' ? `PostgreSQL warns: ${observation.message}` : undefined
    case 'database-awaited':
      return `waiting for PostgreSQL at ${observation.address}: ${observation.reason}`
    case 'database-unavailable':
      return `the database does not answer: ${observation.reason}`
  }
}

type EmbeddedObservation = Extract<
  Observation,
  {readonly kind: 'embedded-created' | 'embedded-untuned' | 'embedded-adopted' | 'embedded-lost'}
>

function embeddedLine(observation: EmbeddedObservation): string {
  switch (observation.kind) {
    case 'embedded-created':
      return `made a PostgreSQL ${observation.version} cluster in ${observation.directory}`
    case 'embedded-untuned':
      return untuned(observation)
    case 'embedded-adopted':
      return `PostgreSQL (process ${observation.processId}) still ran on ${observation.directory}: adopted`
    case 'embedded-lost':
      return `PostgreSQL (process ${observation.processId}) on ${observation.directory} is gone: starting it again`
  }
}

function workerLine(observation: WorkerObservation): string {
  const {worker} = observation
  return observation.kind === 'worker-started'
    ? `worker ${worker} (process ${observation.processId}) serves`
    : `worker ${worker} is started again in ${observation.againMs} ms: ${observation.reason}`
}

function remoteLine(observation: StoppedWebhook | FailedFollow): string {
  if (observation.kind === 'follow-failed') {
    const {follow, source, reason, waitMs} = observation
    return `follow ${follow} of ${source} failed, and tries again in ${whole(waitMs)} ms: ${reason}`
  }
  const {webhook, url, state, reason} = observation
  return `webhook ${webhook} to ${url} is ${state}: ${reason} ("quadstead hooks retry ${webhook}" lets it go on)`
}

function replicaLine(observation: ReplicaObservation): string {
  const {replica} = observation
  return observation.kind === 'replica-joined'
    ? `the replica ${replica} answers reads`
    : `the replica ${replica} is left out: ${observation.reason}`
}

const spoolSettings = {
  answer: 'SPOOL_LIMIT_BYTES',
  caller: 'SPOOL_LIMIT_CALLER_BYTES',
  total: 'SPOOL_LIMIT_TOTAL_BYTES',
  folder: 'SPOOL_DIR',
}

function spoolLine(observation: SpoolObservation): string {
  switch (observation.kind) {
    case 'spool-failed':
      return `answers cannot wait for slow clients in ${observation.directory} (SPOOL_DIR): ${observation.reason}`
    case 'spool-full':
      return `an answer found no room to wait for its slow client (${spoolSettings[observation.limit]})`
    case 'answer-cut':
      return `an answer was cut off: it had no room to wait in, and its client was slow for ${observation.waitedMs} ms`
  }
}

function waitLine({isServed, ms, share}: PoolObservation): string | undefined {
  return isServed ? undefined : `no connection to PostgreSQL was free for ${whole(ms)} ms (share: ${share})`
}

function failureText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function tracesLine(packages: readonly string[]): string {
  return (
    'OTEL_EXPORTER_OTLP_ENDPOINT asks for traces, which need packages that are not installed: ' +
    `npm install ${packages.join(' ')}`
  )
}

type RefusedObservation = Extract<Observation, {readonly kind: 'connection-refused' | 'address-refused'}>

function refusalLine(refused: RefusedObservation): string {
  if (refused.kind === 'connection-refused')
    return `a connection was refused: there are ${refused.connections} already (CONNECTION_LIMIT)`
  const {address, connections} = refused
  return `a connection of ${address} was refused: it has ${connections} already (CONNECTION_LIMIT_PER_ADDRESS)`
}

function proxyLine({address, header, isTrusted, isHeaderDeclared}: ProxyObservation): string {
  const network = isLoopback(address) ? 'loopback' : address
  const needed = [
    ...(isTrusted ? [] : [`TRUSTED_PROXIES=${network}`]),
    ...(isHeaderDeclared ? [] : [`FORWARDED_HEADER=${header}`]),
  ]
  return (
    `requests come from ${address} with the header ${header}, as a proxy sends them, and all count as those of one ` +
    `caller: if a proxy is there, set ${needed.join(' and ')}`
  )
}

function requestLine({method, path, status, ms, bytes, isWhole, id}: RequestObservation): string {
  return `${method} ${path} ${status} ${ms.toFixed(1)} ms ${bytes} bytes ${id}${isWhole ? '' : ' (cut off)'}`
}

function statementLine({name, isAnswered, ms, stages, requestIds}: StatementObservation): string {
  const outcome = isAnswered ? 'answered' : 'failed'
  return [`statement: ${name} ${outcome} after ${whole(ms)} ms ${stagesText(stages)}`, ...requestIds].join(' ')
}

function stagesText(stages: readonly Stage[]): string {
  return `(${stages.map(({name, ms}) => `${name} ${whole(ms)}`).join(', ')})`
}

function whole(ms: number): string {
  return ms.toFixed(0)
}

function untuned({directory}: Extract<Observation, {kind: 'embedded-untuned'}>): string {
  return `PostgreSQL in ${directory} runs with its own defaults: the machine refused the shared memory for better ones`
}

type ToldOfDatasets = Exclude<DatasetObservation, {kind: 'dataset-opened' | 'dataset-closed'}>

function datasetLine(observation: ToldOfDatasets): string {
  switch (observation.kind) {
    case 'dataset-moved':
      return `the dataset of schema ${observation.schema} is on ${observation.node} now`
    case 'dataset-failed':
      return `dataset ${observation.dataset} cannot be served: ${observation.reason}`
    case 'datasets-migrated': {
      const {datasets, failed} = observation
      return `${datasets} of ${datasets + failed} datasets that were behind are up to date now`
    }
    case 'registry-unreadable':
      return `the registry of datasets cannot be read, its last known state is used: ${observation.reason}`
  }
}
