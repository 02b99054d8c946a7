/**
 * Holds a document: several calls in one transaction, in which no other writer can change it.
 */
import type {Iri} from '../../rdf/term.ts'
import type {Transaction} from '../connection/pool.ts'
import {ask} from './call.ts'
import {checked} from './guard.ts'
import {type Session, within} from './session.ts'

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
  const {database, inSchema, retry, turn} = session
  const {before, iri: place, values} = checked(session, [iri], {modes: ['edit']})
  const call = `${inSchema}hold_document(${place})`
  const text = before === '' ? `select ${call}` : `select from ${before}${call}`
  const hold = async (transaction: Transaction) => {
    const held = within(session, transaction)
    await ask(held, 'write', {name: 'hold_document', text, values})
    return work(held)
  }
  return retry('write', () => database.begin('read committed', hold, {caller: turn}))
}
