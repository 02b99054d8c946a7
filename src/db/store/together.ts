/**
 * Small calls of concurrent requests that become one statement on one server.
 *
 * Types only.
 */
import type {Iri, Triple} from '../../rdf/term.ts'
import type {Database} from '../connection/pool.ts'
import type {LogPosition} from '../replicas/reader.ts'
import type {Caller} from './caller.ts'
import type {DocumentState} from './document-state.ts'

export type Together = {
  readonly read: (server: Database) => ReadTogether
  readonly create: (server: Database) => CreateTogether
}

export type DocumentQuestion = {
  readonly iri: Iri
  readonly known: readonly string[] // entity tags of states that the client has: triples are not sent again
  readonly quadLimit: number // larger documents are returned without their triples
  readonly requestId: string | undefined // the request that asks
  readonly after?: LogPosition | undefined // see QueryOptions
  readonly grantees?: readonly string[] | undefined // names that match the caller in grants; undefined: may read all
}

/**
 * Reads one document together with others that are requested at the same time.
 *
 * @returns  null if there is none or the caller may not read it
 */
export type ReadTogether = (question: DocumentQuestion) => Promise<DocumentState | null>

export type NewDocument = {
  readonly iri: Iri
  readonly parent: Iri
  readonly triples: readonly Triple[]
  readonly requestId: string | undefined // the request that asks
  readonly caller: Caller | undefined
}

export type Made = {
  readonly etag: string
  readonly modified: Date
  readonly labels: ReadonlyMap<string, string> // blank node labels: as sent, as stored
}

/** Creates one document together with others; undefined if nothing was done and it must be created on its own. */
export type CreateTogether = (document: NewDocument) => Promise<Made | undefined>
