/**
 * The store of one dataset: its SQL functions, a typed function each.
 *
 * Floor 3. No logic: what a document is and who may change what is said in sql/functions/ and decided in src/ldp/.
 */
import type {Iri} from '../rdf/term.ts'
import type {Access} from './access.ts'
import {createDocumentReader, type DocumentReader} from './document-batch.ts'
import {createReads} from './document-reads.ts'
import {createWrites} from './document-writes.ts'
import {createGrants} from './grants.ts'
import {checked} from './guard.ts'
import {quoteIdentifier} from './identifier.ts'
import {createPageReads} from './page-reads.ts'
import type {Database} from './pool.ts'
import type {Session} from './session.ts'
import {retry} from './transaction.ts'

export type Store = ReturnType<typeof createReads> &
  ReturnType<typeof createWrites> &
  ReturnType<typeof createPageReads> &
  ReturnType<typeof createGrants> & {
    /**
     * Does work of several calls on a document that nobody else writes meanwhile, in one transaction.
     *
     * @param work  with the store it is given; after a collision it is done again from its beginning
     * @throws      Problem 404 `document-exists`
     */
    readonly holdDocument: <Result>(iri: Iri, work: (held: Store) => Promise<Result>) => Promise<Result>
    /** The same store on behalf of somebody. */
    readonly as: (access: Access) => Store
  }

/** @param vocabulary  `readVocabulary` of the same schema */
export function createStore(database: Database, schema: string, vocabulary: ReadonlyMap<string, Iri>): Store {
  const session: Session = {database, inSchema: `${quoteIdentifier(schema)}.`, vocabulary, retry}
  return storeFor(session, createDocumentReader(session))
}

function storeFor(session: Session, together: DocumentReader): Store {
  const {database, inSchema} = session
  const as = (access: Access) => storeFor({...session, access}, together)
  return storeOf(session, together, as, (iri, work) =>
    retry('write', () =>
      database.begin('read committed', async transaction => {
        const {before, iri: place, values} = checked(session, [iri], {modes: ['write']})
        const call = `${inSchema}hold_document(${place})`
        await transaction.query(before === '' ? `select ${call}` : `select from ${before}${call}`, values)
        const inside: Database = {...database, ...transaction, begin: (_, inner) => inner(transaction)}
        const own = {...session, database: inside, retry: <Result>(_: unknown, once: () => Promise<Result>) => once()}
        const held = storeOf(own, createDocumentReader(own), as, (_, inner) => inner(held))
        return work(held)
      }),
    ),
  )
}

function storeOf(
  session: Session,
  together: DocumentReader,
  as: Store['as'],
  holdDocument: Store['holdDocument'],
): Store {
  const reads = createReads(session, together)
  return {...reads, ...createWrites(session), ...createPageReads(session), ...createGrants(session), holdDocument, as}
}
