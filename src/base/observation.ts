/**
 * Everything worth knowing that happens inside: one sum type, told by whoever sees it, heard by whoever subscribed.
 *
 * Floor 0. Knows neither loggers nor metrics nor traces: they subscribe, and so do tests.
 * A listener must not throw; one that does is not allowed to break what it listens to.
 */
import type {TimedStage} from './stages.ts'
import type {Stage} from './stopwatch.ts'

export type Observation =
  | {readonly kind: 'driver-unpatched'}
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
  | {readonly kind: 'origin-refused'; readonly origin: string} // once an origin
  | {readonly kind: 'connection-refused'; readonly connections: number} // as many as there may be
  | {readonly kind: 'address-refused'; readonly address: string; readonly connections: number} // as many as it may have
  | ProxyObservation
  | {readonly kind: 'traces-unavailable'; readonly packages: readonly string[]; readonly reason: string}
  | {readonly kind: 'draining'; readonly requests: number}
  | PoolObservation
  | SpoolObservation
  | {readonly kind: 'replica-joined'; readonly replica: string}
  | {readonly kind: 'replica-left'; readonly replica: string; readonly reason: string}
  | ReadObservation
  | {readonly kind: 'checksums'; readonly kept: number; readonly computed: number} // of documents, for an answer
  | RequestObservation
  | StatementObservation
  | QueryObservation
  | {readonly kind: 'failure'; readonly error: unknown; readonly requestId?: string}

/** A wait for a connection to PostgreSQL. */
export type PoolObservation = {
  readonly kind: 'pool-waited'
  readonly ms: number
  readonly isServed: boolean
  readonly share: string // what the connection was for
}

/** Answers that wait for their readers. */
export type SpoolObservation =
  /** A temporary file could not be opened, written or read. */
  | {readonly kind: 'spool-failed'; readonly directory: string; readonly reason: string}
  /** An answer found no room, and goes on as its reader takes it; once an answer. */
  | {readonly kind: 'spool-full'; readonly limit: SpoolLimit}
  /** An answer that found no room was cut off, because its reader was too slow. */
  | {readonly kind: 'answer-cut'; readonly waitedMs: number}

/** What an answer that waits for its reader finds in its way; folder: files cannot be written. */
export type SpoolLimit = 'answer' | 'caller' | 'total' | 'folder'

/** A proxy whose clients count as one caller, for the settings do not say to believe it; once. */
export type ProxyObservation = {
  readonly kind: 'proxy-undeclared'
  readonly address: string
  readonly header: string // in which it names its clients
  readonly isTrusted: boolean // TRUSTED_PROXIES names it
  readonly isHeaderDeclared: boolean // FORWARDED_HEADER names its header
}

/** A read that might go to a replica. */
export type ReadObservation = {
  readonly kind: 'read'
  readonly server: string // 'primary', or the replica's address
  /** Why not a replica: none is well; not far enough; its answer was too old; it was lost; it met what it replays. */
  readonly fallback: 'none' | 'behind' | 'older' | 'lost' | 'conflict' | undefined
}

/** A request that is over. */
export type RequestObservation = {
  readonly kind: 'request'
  readonly id: string
  readonly method: string
  readonly path: string // as sent, without the query
  readonly route: string // of a few: what answers it
  readonly status: number
  readonly ms: number // until the last byte was handed over, or the client went
  readonly bytes: number // sent, head and body
  readonly isWhole: boolean // the answer was sent to its end
  readonly trace: RequestTrace | undefined // undefined: nobody draws it
}

export type RequestTrace = {
  readonly beganMs: number // since 1970
  readonly stages: readonly TimedStage[]
  readonly parent: string | undefined // traceparent, as the client sent it
  readonly state: string | undefined // tracestate
}

/** A statement that read or wrote documents, and is over. */
export type StatementObservation = {
  readonly kind: 'statement'
  readonly name: string // of the SQL function
  readonly requestIds: readonly string[] // reads that come together share a statement, creates another
  readonly ms: number
  readonly stages: readonly Stage[] // a stage comes again when the statement was repeated
  readonly isAnswered: boolean // false: it failed, or was refused
}

/** A SPARQL query that is over. */
export type QueryObservation = {
  readonly kind: 'query'
  readonly requestId: string | undefined
  readonly outcome: 'answered' | 'cancelled' | 'timeout' | 'refused' | 'failed'
  readonly ms: number
  readonly stages: readonly Stage[]
  readonly isPlanned: boolean // its text was parsed before
  readonly text: string
  readonly sql: string | undefined // undefined: it was not compiled
}

const listeners = new Set<(observation: Observation) => void>()

/** Tells every subscriber. */
export function observe(observation: Observation): void {
  for (const listener of listeners) {
    try {
      listener(observation)
    } catch (error) {
      process.stderr.write(`an observer failed on ${observation.kind}: ${String(error)}\n`)
    }
  }
}

/**
 * Hears every observation from now on.
 *
 * @returns  a function that ends the subscription
 */
export function subscribe(listener: (observation: Observation) => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
