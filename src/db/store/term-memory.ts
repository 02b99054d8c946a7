/**
 * Caches terms that documents share, by id: the service's vocabulary, and terms used as predicates and classes.
 *
 * Bounded: a full cache is cleared. Terms of a single document are not cached: they would displace the shared ones and
 * burden the garbage collector for no benefit. A move may rename a term, so an entry is used only if the row has the
 * same text (docs/decisions/0020-moves-rename-terms.md); it saves objects, not look-ups. The id of a committed literal
 * is never reused. That of an uncommitted one may be reused after a crash of PostgreSQL: see `recallOnly`.
 */
import {type Iri, namedNode, type Term} from '../../rdf/term.ts'

export type TermMemory = {
  readonly recall: (id: string) => Term | undefined
  readonly remember: (id: string, term: Term) => void
}

const termLimit = 20_000

/** @param vocabulary  the terms with ids below 1000, which rows leave out */
export function createTermMemory(vocabulary: ReadonlyMap<string, Iri>): TermMemory {
  const own = [...vocabulary].map(([id, iri]): [string, Term] => [id, namedNode(iri)])
  let terms = new Map<string, Term>(own)
  return {
    recall: id => terms.get(id),
    remember(id, term) {
      if (terms.size >= termLimit) terms = new Map(own)
      terms.set(id, term)
    },
  }
}

/** Returns the memory without new entries, for terms that are not committed yet. */
export function recallOnly({recall}: TermMemory): TermMemory {
  return {recall, remember: () => undefined}
}
