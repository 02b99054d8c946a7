/**
 * What every use case is given: the store, the names it goes by and the limits.
 *
 * Floor 4. Types only.
 */
import type {Store} from '../db/store.ts'
import type {Iri} from '../rdf/term.ts'
import type {PlatformVocabulary} from '../rdf/vocabulary.ts'

export type Dataset = {
  readonly store: Store
  readonly base: Iri // the root document
  readonly platform: PlatformVocabulary
}
