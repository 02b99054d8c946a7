/**
 * Terms that documents share, by id: the service's vocabulary, and what they use as predicates and classes.
 *
 * Bounded: when it is full it starts afresh. What only one document says is not remembered: it would push out
 * the rest and outlive many collections of garbage for nothing. An id is never given to another term, so what is
 * remembered stays true whatever is written.
 */
import {type Iri, namedNode, type Term} from '../../rdf/term.ts'

export type TermMemory = {
  readonly recall: (id: string) => Term | undefined
  readonly remember: (id: string, term: Term) => void
}

const termLimit = 20_000

/** @param vocabulary  the terms below 1000, which never travel */
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
