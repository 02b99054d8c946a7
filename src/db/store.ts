/**
 * The store of one dataset: its SQL functions, a typed function each.
 *
 * Floor 3. No logic: what a document is and who may change what is said in sql/functions/ and decided in src/ldp/.
 */
import type {Iri} from '../rdf/term.ts'
import {createReads} from './document-reads.ts'
import {createWrites} from './document-writes.ts'
import {quoteIdentifier} from './identifier.ts'
import {createPageReads} from './page-reads.ts'
import type {Database} from './pool.ts'
import type {Session} from './session.ts'

export type Store = ReturnType<typeof createStore>

/** @param vocabulary  `readVocabulary` of the same schema */
export function createStore(database: Database, schema: string, vocabulary: ReadonlyMap<string, Iri>) {
  const session: Session = {database, inSchema: `${quoteIdentifier(schema)}.`, vocabulary}
  return {...createReads(session), ...createWrites(session), ...createPageReads(session)}
}
