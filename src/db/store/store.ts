/**
 * The store of one dataset: a typed method for each of its SQL functions.
 *
 * It contains no logic: sql/functions/ implements documents and their integrity, src/ldp/ decides what requests may do.
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
     * Runs several calls on a document in one transaction, in which no other writer can change it.
     *
     * @param work  must use the store that it is given; it is run again from its beginning after a collision
     * @throws      Problem 404 `document-exists`
     */
    readonly holdDocument: <Result>(iri: Iri, work: (held: Store) => Promise<Result>) => Promise<Result>
    /** The store for one request, whose id PostgreSQL and the log show with its calls. Callers take turns. */
    readonly forRequest: (id: string, caller: string | undefined) => Store
    /** The store with reads that a replica may answer. */
    readonly forReader: (reader: Reader | undefined) => Store
    /** The store on behalf of a caller. */
    readonly as: (access: Access) => Store
  }

/** @param vocabulary  the result of `readVocabulary` for the same schema */
export function createStore(database: Database, schema: string, vocabulary: ReadonlyMap<string, Iri>): Store {
  const session: Session = {database, inSchema: `${quoteIdentifier(schema)}.`, vocabulary, retry}
  const together = {
    readTogether: batches(session, createDocumentBatch),
    createTogether: batches(session, createCreateBatch),
  }
  return {...session, ...together, ...reads, ...writes, ...pageReads, ...grants, ...keys, ...others}
}

/** Creates a batch per server, because a batch is one statement on one server. */
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
      const createTogether = () => async () => undefined // a failed batch would fail the transaction
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
