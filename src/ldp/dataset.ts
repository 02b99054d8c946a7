/**
 * What every use case is given: the store, the names it goes by and the limits.
 *
 * Floor 4. Types only.
 */
import type {Store} from '../db/store.ts'
import type {PackedTriples} from '../rdf/packed-triples.ts'
import type {Iri, Triple} from '../rdf/term.ts'
import type {PlatformVocabulary} from '../rdf/vocabulary.ts'
import type {Bodies} from './bodies.ts'

export type Dataset = {
  readonly store: Store
  readonly base: Iri // the root document
  readonly platform: PlatformVocabulary
  /** c:checksum of a document with these triples; Problem 422 `checksum-work`, 503 `checksum-time`. */
  readonly checksum: (triples: readonly Triple[] | PackedTriples) => Promise<string>
  readonly bodies: Bodies // what reads the bodies of requests
}
