/**
 * Holds documents: several calls in one transaction, in which no other writer can change them.
 */
import type {Iri} from '../../rdf/term.ts'
import type {Transaction} from '../connection/pool.ts'
import {ask, callAsCaller} from './call.ts'
import {inTransaction, type Session} from './session.ts'

/**
 * Runs several calls on a document in one transaction, in which no other writer can change it.
 *
 * @param work  must use the session that it is given; it is run again from its beginning after a collision
 * @throws      Problem 404 `document-exists`
 */
export function holdDocument<Result>(
  session: Session,
  iri: Iri,
  work: (held: Session) => Promise<Result>,
): Promise<Result> {
  const {database, retry, turn} = session
  const call = callAsCaller(session, 'hold_document', [iri])
  const hold = async (transaction: Transaction) => {
    const held = inTransaction(session, transaction)
    await ask(held, 'write', {text: `select from ${call.from}`, ...call})
    return work(held)
  }
  return retry('write', () => database.begin('read committed', hold, {turn}))
}

/**
 * Holds documents that requests are about to change, in the transaction of the session. Always takes the locks in the
 * same order, so that groups of requests do not deadlock. Ignores documents that the caller may not edit.
 */
export async function holdGroup(session: Session, iris: readonly Iri[]): Promise<void> {
  const call = callAsCaller(session, 'hold_group', [iris])
  await ask(session, 'write', {text: `select from ${call.from}`, ...call})
}

/**
 * Keeps other writers out until the transaction of the session ends, for a group with a move. A move takes this lock
 * itself, but would wait for it in a circle if the group held documents already.
 *
 * @throws  Problem 503 `busy`
 */
export async function holdAll(session: Session): Promise<void> {
  await ask(session, 'write', {name: 'change_names', text: `select from ${session.inSchema}change_names()`, values: []})
}
