/**
 * Events inside the service that are worth recording: one sum type, a function to report them and one to subscribe.
 *
 * Logs, metrics, traces and tests subscribe; this file knows none of them. A listener must not throw. If one does, the
 * observed code goes on.
 */
import {isPassing} from './problem.ts'
import type {TimedStage} from './stages.ts'
import type {Stage} from './stopwatch.ts'

export type Observation =
  | {readonly kind: 'database-notice'; readonly severity: string; readonly message: string}
  | {readonly kind: 'database-awaited'; readonly address: string; readonly reason: string}
  | {readonly kind: 'database-unavailable'; readonly reason: string}
  | {readonly kind: 'transaction-repeated'; readonly code: string; readonly attempt: number}
  | {readonly kind: 'migrated'; readonly schema: string; readonly applied: readonly string[]}
  | {readonly kind: 'embedded-created'; readonly directory: string; readonly version: string}
  | {readonly kind: 'embedded-started'; readonly directory: string; readonly processId: number}
  | {readonly kind: 'embedded-untuned'; readonly directory: string; readonly reason: string}
  | {readonly kind: 'embedded-adopted'; readonly directory: string; readonly processId: number}
  | {readonly kind: 'embedded-lost'; readonly directory: string; readonly processId: number}
  | {readonly kind: 'embedded-stopped'; readonly directory: string}
  | {readonly kind: 'origin-refused'; readonly origin: string} // once for each origin
  | {readonly kind: 'connection-refused'; readonly connections: number} // the limit
  | {readonly kind: 'address-refused'; readonly address: string; readonly connections: number} // limit of an address
  | ProxyObservation
  | {readonly kind: 'traces-unavailable'; readonly packages: readonly string[]; readonly reason: string}
  | {readonly kind: 'draining'; readonly requests: number}
  | WorkerObservation
  | DatasetObservation
  | PoolObservation
  | SpoolObservation
  | ListenerObservation
  | ReplicaObservation
  | WebhookObservation
  | FollowObservation
  | ReadObservation
  | {readonly kind: 'checksums'; readonly kept: number; readonly computed: number} // of the documents in one answer
  | RequestObservation
  | StatementObservation
  | QueryObservation
  | {readonly kind: 'failure'; readonly error: unknown; readonly requestId?: string}

/** A worker process of the service. */
export type WorkerObservation =
  | {readonly kind: 'worker-started'; readonly worker: number; readonly processId: number}
  /** It ended by itself, and is started again. */
  | {readonly kind: 'worker-ended'; readonly worker: number; readonly reason: string; readonly againMs: number}

/** One of the datasets of a registry. */
export type DatasetObservation =
  | {readonly kind: 'dataset-opened'; readonly dataset: string; readonly ms: number}
  | {readonly kind: 'dataset-closed'; readonly dataset: string}
  | {readonly kind: 'dataset-failed'; readonly dataset: string; readonly reason: string}
  /** The schemas that were behind when the service started. */
  | {readonly kind: 'datasets-migrated'; readonly datasets: number; readonly failed: number}
  | {readonly kind: 'registry-unreadable'; readonly reason: string}
  /** To another node of a cluster. */
  | {readonly kind: 'dataset-moved'; readonly schema: string; readonly node: string}

export type ReplicaObservation =
  | {readonly kind: 'replica-joined'; readonly replica: string}
  | {readonly kind: 'replica-left'; readonly replica: string; readonly reason: string}

export type WebhookObservation =
  /** A change was posted, or could not be. */
  | {
      readonly kind: 'webhook-attempt'
      readonly webhook: string // its id
      readonly outcome: 'delivered' | 'failed' | 'gone'
      readonly ms: number
    }
  /** How many webhooks a dataset has, by state. All are 0 when this process closes the dataset. */
  | {
      readonly kind: 'webhooks-counted'
      readonly dataset: string | undefined // its name; undefined: the only one
      readonly counts: Readonly<Record<string, number>>
    }
  /** No more attempts are made. */
  | {
      readonly kind: 'webhook-stopped'
      readonly webhook: string
      readonly url: string
      readonly state: string
      readonly reason: string
    }

/** The copy of another store, by the IRI of the followed document there. */
export type FollowObservation =
  /** A page of documents or changes was applied, or there was none. */
  | {
      readonly kind: 'follow-progress'
      readonly source: string
      readonly behind: number // positions
      readonly currentAt: Date | undefined // when the copy last had all; undefined: it has all now
      readonly applied: number // documents or changes
    }
  /** The source did not answer, or cannot be followed. */
  | {
      readonly kind: 'follow-failed'
      readonly follow: string // its id
      readonly source: string
      readonly reason: string
      readonly failures: number // in a row
      readonly waitMs: number // until the next attempt
    }
  /** This process does not follow it any more. */
  | {readonly kind: 'follow-left'; readonly source: string}

/** A wait for a connection to PostgreSQL. */
export type PoolObservation = {
  readonly kind: 'pool-waited'
  readonly ms: number
  readonly isServed: boolean
  readonly share: string // the kind of work that waited (db/connection/gate.ts)
  readonly dataset: string | undefined // its name; undefined: the only one
}

/** The spool of answers that wait for their readers. */
export type SpoolObservation =
  /** A temporary file could not be opened, written or read. */
  | {readonly kind: 'spool-failed'; readonly directory: string; readonly reason: string}
  /** There was no room for an answer, so it now goes at its reader's pace. Once for each answer. */
  | {readonly kind: 'spool-full'; readonly limit: SpoolLimit}
  /** An answer without room was cut off, because its reader was too slow. */
  | {readonly kind: 'answer-cut'; readonly waitedMs: number}

/** Clients that listen to changes. */
export type ListenerObservation =
  | {readonly kind: 'listener-joined'}
  | {readonly kind: 'listener-left'}
  /** A page of changes was handed to a connection. lagMs: the age of its last change. */
  | {readonly kind: 'changes-sent'; readonly count: number; readonly lagMs: number}

/** The limits that stop an answer from being spooled; folder: files cannot be written. */
export const spoolLimits = ['answer', 'caller', 'total', 'folder'] as const
export type SpoolLimit = (typeof spoolLimits)[number]

/** A proxy whose clients count as one caller, because settings do not declare it or its header. Once for each. */
export type ProxyObservation = {
  readonly kind: 'proxy-undeclared'
  readonly address: string
  readonly header: string // the header in which it names its clients
  readonly isTrusted: boolean // TRUSTED_PROXIES names it
  readonly isHeaderDeclared: boolean // FORWARDED_HEADER names its header
}

/** A read that may use a replica. */
export type ReadObservation = {
  readonly kind: 'read'
  readonly server: string // 'primary', or the replica's address
  /**
   * Why the primary was used: no replica is available; it has not replayed far enough; its result was too old; the
   * connection to it was lost; its replay conflicted with the query. Undefined: the replica answered.
   */
  readonly fallback: 'none' | 'behind' | 'older' | 'lost' | 'conflict' | undefined
}

/** A finished request. */
export type RequestObservation = {
  readonly kind: 'request'
  readonly id: string
  readonly method: string
  readonly path: string // as sent, without the query
  readonly route: string // name of the route, from a small fixed set
  readonly dataset: string | undefined // one of several; undefined: the only one, or none
  readonly status: number
  readonly ms: number // until the last byte was handed to the connection, or the client disconnected
  readonly bytes: number // sent, head and body
  readonly isWhole: boolean // the whole response was sent
  readonly trace: RequestTrace | undefined // undefined: requests are not traced
}

export type RequestTrace = {
  readonly beganMs: number // since 1970
  readonly stages: readonly TimedStage[]
  readonly parent: string | undefined // traceparent, as the client sent it
  readonly state: string | undefined // tracestate
}

/** A finished statement that read or wrote documents. */
export type StatementObservation = {
  readonly kind: 'statement'
  readonly name: string // of the SQL function
  readonly requestIds: readonly string[] // several, because reads (or creates) that arrive together share a statement
  readonly ms: number
  readonly stages: readonly Stage[] // with repeated stages if the statement was repeated
  readonly isAnswered: boolean // false: it failed, or was refused
}

export const queryOutcomes = ['answered', 'cancelled', 'timeout', 'refused', 'failed'] as const

/** A finished SPARQL query. */
export type QueryObservation = {
  readonly kind: 'query'
  readonly requestId: string | undefined
  readonly dataset: string | undefined // one of several; undefined: the only one
  readonly outcome: (typeof queryOutcomes)[number]
  readonly ms: number
  readonly stages: readonly Stage[]
  readonly isPlanned: boolean // its text was parsed before
  readonly text: string
  readonly sql: string | undefined // undefined if it was not compiled
}

const listeners = new Set<(observation: Observation) => void>()

/** Passes an observation to all subscribers. */
export function observe(observation: Observation): void {
  for (const listener of listeners) {
    try {
      listener(observation)
    } catch (error) {
      process.stderr.write(`an observer failed on ${observation.kind}: ${String(error)}\n`)
    }
  }
}

/** Reports an error of work in the background, unless it passes by itself. */
export function observeLasting(error: unknown): void {
  if (!isPassing(error)) observe({kind: 'failure', error})
}

/**
 * Calls a listener for every observation from now on.
 *
 * @returns  a function that ends the subscription
 */
export function subscribe(listener: (observation: Observation) => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
