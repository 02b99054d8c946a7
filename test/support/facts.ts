/** Facts for tests that compile queries without a database. */
import type {Facts} from '../../src/sparql/compile.ts'

/** What is known of a store without triples. Tests replace what they are about. */
export const emptyStore: Facts = {
  hasDocuments: false,
  memberRelations: [],
  extents: new Map(),
  uncopied: new Set(),
  frequencies: {triples: 0, predicates: new Map(), values: new Map()},
}
