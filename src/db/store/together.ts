/**
 * Small calls of concurrent requests that become one statement on one server.
 *
 * Types only.
 */
import type {Iri, Triple} from '../../rdf/term.ts'
import type {Database} from '../connection/pool.ts'
import type {LogPosition} from '../replicas/reader.ts'
import type {Caller} from './caller.ts'
import type {DocumentState} from './graph-codec.ts'

export type Together = {
  readonly read: (server: Database) => ReadTogether
  readonly create: (server: Database) => CreateTogether
}

/** A page of children, and of the members of an access point. */
export type ChildrenPage = {
  readonly after: string // id of the last one of the previous page; '0' for the first page
  readonly limit: number
}

export type DocumentQuestion = {
  readonly iri: Iri
  readonly known?: readonly string[] | undefined // entity tags of states that the client has
  readonly quadLimit: number // larger documents are returned without their triples
  readonly children?: ChildrenPage | undefined
  readonly caller: Caller | undefined
  readonly requestId: string | undefined // the request that asks
  readonly after?: LogPosition | undefined // see QueryOptions
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
