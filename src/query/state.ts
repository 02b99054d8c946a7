/**
 * The two kinds of state of queries: what lives as long as the process, and what lives as long as one request.
 *
 * Types only.
 */
import type {Stopwatch} from '../base/stopwatch.ts'
import type {ChecksumPool} from '../checksum/pool.ts'
import type {Database} from '../db/connection/pool.ts'
import type {StoredFrequencies} from '../db/query/frequencies.ts'
import type {LogPosition} from '../db/replicas/reader.ts'
import type {TermText} from '../format/results-types.ts'
import type {Iri} from '../rdf/term.ts'
import type {PlatformVocabulary} from '../rdf/vocabulary.ts'
import type {QueryLimits} from '../sparql/parse/limits.ts'
import type {HeldLimits} from './held-limits.ts'
import type {Loading} from './load.ts'
import type {CachedQuery, PlanCache} from './plan-cache.ts'
import type {Federation} from './remote-endpoint.ts'
import type {QueryThreads} from './threads.ts'

/** What all queries of one dataset have in common. It is made once, when the service starts. */
export type ProcessState = {
  readonly database: Database
  readonly schema: string
  readonly name?: string | undefined // of one of several datasets, in logs
  readonly vocabulary: ReadonlyMap<string, Iri>
  readonly cache: PlanCache // of this dataset alone: a database and a schema
  readonly timeoutMs: number // of one query; 0: no limit
  readonly limits?: QueryLimits | undefined // undefined: those of sparql/parse/limits.ts
  readonly heldLimits?: HeldLimits | undefined // undefined: those of held-limits.ts
  readonly threads?: QueryThreads | undefined // for long queries; undefined: they block the calling thread
  readonly federation?: Federation | undefined // undefined: SERVICE is off
  readonly loading?: Loading | undefined // undefined: LOAD is off
  readonly frequencies?: (() => Promise<StoredFrequencies>) | undefined // replaces the counts of the store
  readonly avoidsTextIndex?: boolean | undefined // undefined: it is used if it exists
  readonly hasSearch?: boolean | undefined // false: text:query is refused
  readonly sampledFromMs?: number | undefined // a query of such length has its joins sampled; undefined: 10
  readonly rememberedTriples?: number | undefined // of a CONSTRUCT; with more, PostgreSQL removes duplicates
}

/** A process that answers queries, instead of only explaining them. */
export type AnsweringProcess = ProcessState & {
  readonly checksums: ChecksumPool
  readonly platform: PlatformVocabulary
}

/** What a query has while it is answered for one request, by one server. */
export type RequestState = {
  readonly server: Database // the primary, or a replica
  readonly after?: LogPosition | undefined // the replica must have replayed it
  readonly watch: Stopwatch
  readonly signal?: AbortSignal | undefined // aborts when the client disconnects
  readonly requestId?: string | undefined // PostgreSQL shows it as part of application_name
  readonly termText?: TermText | undefined // how a short answer to SELECT is written; undefined: it has terms
  readonly grantees?: readonly string[] | undefined // names of the caller in grants; undefined: may read everything
}

/** A query that is being answered: the input of every stage after `prepare`. */
export type QueryRun = {
  readonly process: ProcessState
  readonly request: RequestState
  readonly query: CachedQuery
}
