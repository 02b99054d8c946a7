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
import {retry} from './transaction.ts'

export type Store = ReturnType<typeof createReads> &
  ReturnType<typeof createWrites> &
  ReturnType<typeof createPageReads> & {
    /**
     * Does work of several calls on a document that nobody else writes meanwhile, in one transaction.
     *
     * @param work  with the store it is given; after a collision it is done again from its beginning
     * @throws      Problem 404 `document-exists`
     */
    readonly holdDocument: <Result>(iri: Iri, work: (held: Store) => Promise<Result>) => Promise<Result>
  }

/** @param vocabulary  `readVocabulary` of the same schema */
export function createStore(database: Database, schema: string, vocabulary: ReadonlyMap<string, Iri>): Store {
  const session: Session = {database, inSchema: `${quoteIdentifier(schema)}.`, vocabulary, retry}
  return storeOf(session, (iri, work) =>
    retry('write', () =>
      database.begin('read committed', async transaction => {
        await transaction.query(`select ${session.inSchema}hold_document($1)`, [iri])
        const inside: Database = {
          ...database,
          ...transaction,
          begin: (_, inner) => inner(transaction),
          read: (_, inner) => inner(inside, undefined),
        }
        const held = storeOf({...session, database: inside, retry: (_, once) => once()}, (_, inner) => inner(held))
        return work(held)
      }),
    ),
  )
}

function storeOf(session: Session, holdDocument: Store['holdDocument']): Store {
  return {...createReads(session), ...createWrites(session), ...createPageReads(session), holdDocument}
}
