/**
 * The store of one dataset: its SQL functions, a typed function each.
 *
 * Floor 3. No logic: what a document is and who may change what is said in sql/functions/ and decided in src/ldp/.
 */
import type {Iri} from '../rdf/term.ts'
import {ask} from './call.ts'
import {createDocumentBatch, type ReadTogether} from './document-batch.ts'
import {createReads} from './document-reads.ts'
import {createWrites} from './document-writes.ts'
import {quoteIdentifier} from './identifier.ts'
import {createPageReads} from './page-reads.ts'
import type {Database} from './pool.ts'
import {type Session, within} from './session.ts'
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
    /** The same store; PostgreSQL and the log tell of its calls that this request made them. */
    readonly forRequest: (id: string) => Store
  }

/** @param vocabulary  `readVocabulary` of the same schema */
export function createStore(database: Database, schema: string, vocabulary: ReadonlyMap<string, Iri>): Store {
  const session: Session = {database, inSchema: `${quoteIdentifier(schema)}.`, vocabulary, retry}
  return storeOf(session, createDocumentBatch(session))
}

function storeOf(session: Session, readTogether: ReadTogether): Store {
  return {
    ...createReads(session, readTogether),
    ...createWrites(session),
    ...createPageReads(session),
    holdDocument: (iri, work) => holdDocument(session, iri, work),
    forRequest: requestId => storeOf({...session, requestId}, readTogether),
  }
}

function holdDocument<Result>(session: Session, iri: Iri, work: (held: Store) => Promise<Result>): Promise<Result> {
  const text = `select ${session.inSchema}hold_document($1)`
  return retry('write', () =>
    session.database.begin('read committed', async transaction => {
      const inside = within(session, transaction)
      await ask(inside, 'write', {name: 'hold_document', text, values: [iri]})
      const held: Store = {...storeOf(inside, createDocumentBatch(inside)), holdDocument: (_, inner) => inner(held)}
      return work(held)
    }),
  )
}
