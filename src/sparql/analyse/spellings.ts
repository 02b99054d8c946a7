/**
 * Constants of patterns that match more than one term: the tag of a literal matches in several spellings, and the store
 * may hold more than one.
 *
 * Pure. Sources: docs/sparql.md (literals); RDF 1.1 Concepts §3.3 (language tags).
 */
import type {TriplePattern} from '../algebra.ts'

/** Whether equal solutions of a pattern may come from different triples. */
export function hasSpellings({object}: TriplePattern): boolean {
  return object.termType === 'Literal' && object.language !== ''
}
