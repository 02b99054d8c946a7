/**
 * The store of one dataset: its SQL functions, a typed function each.
 *
 * No logic: what a document is and who may change what is said in sql/functions/ and decided in src/ldp/.
 */
import type {Iri} from '../../rdf/term.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database, Transaction} from '../connection/pool.ts'
import {retry} from '../connection/transaction.ts'
import type {Reader} from '../replicas/reader.ts'
import type {Access} from './access.ts'
import {ask} from './call.ts'
import {createDocumentBatch} from './document-batch.ts'
import {createCreateBatch} from './document-creates.ts'
import {type ReadingSession, reads} from './document-reads.ts'
import {type CreatingSession, writes} from './document-writes.ts'
import {grants} from './grants.ts'
import {checked} from './guard.ts'
import {keys} from './keys.ts'
import {pageReads} from './page-reads.ts'
import {changed, type Session, within} from './session.ts'

export type Store = ReadingSession &
  CreatingSession &
  typeof reads &
  typeof writes &
  typeof pageReads &
  typeof grants &
  typeof keys & {
    /**
     * Does work of several calls on a document that nobody else writes meanwhile, in one transaction.
     *
     * @param work  with the store it is given; after a collision it is done again from its beginning
     * @throws      Problem 404 `document-exists`
     */
    readonly holdDocument: <Result>(iri: Iri, work: (held: Store) => Promise<Result>) => Promise<Result>
    /** The same store; PostgreSQL and the log tell of its calls that this request made them. Callers take turns. */
    readonly forRequest: (id: string, caller: string | undefined) => Store
    /** The same store, whose reads may be answered by a replica. */
    readonly forReader: (reader: Reader | undefined) => Store
    /** The same store on behalf of somebody. */
    readonly as: (access: Access) => Store
  }

/** @param vocabulary  `readVocabulary` of the same schema */
export function createStore(database: Database, schema: string, vocabulary: ReadonlyMap<string, Iri>): Store {
  const session: Session = {database, inSchema: `${quoteIdentifier(schema)}.`, vocabulary, retry}
  const together = {
    readTogether: batches(session, createDocumentBatch),
    createTogether: batches(session, createCreateBatch),
  }
  return {...session, ...together, ...reads, ...writes, ...pageReads, ...grants, ...keys, ...others}
}

/** Each server has questions of its own under way. */
function batches<Batch extends object>(session: Session, create: (session: Session) => Batch) {
  const known = new WeakMap<Database, Batch>()
  return (server: Database): Batch => {
    const batch = known.get(server) ?? create(changed(session, {database: server}))
    known.set(server, batch)
    return batch
  }
}

const others = {
  holdDocument<Result>(this: Store, iri: Iri, work: (held: Store) => Promise<Result>): Promise<Result> {
    const {before, iri: place, values} = checked(this, [iri], {modes: ['edit']})
    const call = `${this.inSchema}hold_document(${place})`
    const text = before === '' ? `select ${call}` : `select from ${before}${call}`
    const hold = async (transaction: Transaction) => {
      const inside = within(this, transaction)
      await ask(inside, 'write', {name: 'hold_document', text, values})
      const readTogether = batches(inside, createDocumentBatch)
      const createTogether = () => async () => undefined // one that fails would take the transaction with it
      const own = {readTogether, createTogether}
      const held: Store = changed<Store>(inside, {...own, holdDocument: (_, more) => more(held)})
      return work(held)
    }
    const {caller} = this
    return this.retry('write', () => this.database.begin('read committed', hold, {caller}))
  },

  forRequest(this: Store, requestId: string, caller: string | undefined): Store {
    return changed<Store>(this, {requestId, caller})
  },

  forReader(this: Store, reader: Reader | undefined): Store {
    return reader === undefined ? this : changed<Store>(this, {reader})
  },

  as(this: Store, access: Access): Store {
    return changed<Store>(this, {access})
  },
}
