/**
 * What the use cases of this folder need of a dataset: the store, its base and vocabulary, checksums and body readers.
 *
 * Types only.
 */
import type {Session} from '../db/store/session.ts'
import type {PackedTriples} from '../rdf/packed-triples.ts'
import type {Iri, Triple} from '../rdf/term.ts'
import type {PlatformVocabulary} from '../rdf/vocabulary.ts'
import type {Bodies} from './bodies.ts'

export type Dataset = {
  readonly session: Session
  readonly base: Iri // the root document
  readonly platform: PlatformVocabulary
  /** The c:checksum of a document with these triples. @throws Problem 422 `checksum-work` · 503 `checksum-time` */
  readonly checksum: (triples: readonly Triple[] | PackedTriples) => Promise<string>
  readonly bodies: Bodies // reads the bodies of requests
}
