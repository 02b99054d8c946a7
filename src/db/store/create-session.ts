/**
 * Creates sessions: the first argument of every function of the store.
 */
import type {Iri} from '../../rdf/term.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database} from '../connection/pool.ts'
import {retry} from '../connection/transaction.ts'
import {readVocabulary} from './dataset.ts'
import {createCreateBatch} from './document-creates.ts'
import {createReadBatch} from './document-reads.ts'
import type {Session} from './session.ts'
import {createTermMemory} from './term-memory.ts'

/**
 * Creates a session of the operator, who may do everything.
 *
 * @param vocabulary  the result of `readVocabulary` for the same schema
 */
export function createSession(database: Database, schema: string, vocabulary: ReadonlyMap<string, Iri>): Session {
  const alone: Session = {
    database,
    inSchema: `${quoteIdentifier(schema)}.`,
    terms: createTermMemory(vocabulary),
    caller: undefined,
    least: 'read',
    requestId: undefined,
    turn: undefined,
    reader: undefined,
    isShifting: false,
    together: undefined,
    retry,
  }
  const together = {read: perServer(alone, createReadBatch), create: perServer(alone, createCreateBatch)}
  return {...alone, together}
}

/** Creates a session of the operator for a schema whose vocabulary is not known yet. */
export async function openSession(database: Database, schema: string): Promise<Session> {
  return createSession(database, schema, await readVocabulary(database, schema))
}

/** Creates a batch per server, because a batch is one statement on one server. */
function perServer<Batch extends object>(session: Session, create: (session: Session) => Batch) {
  const known = new WeakMap<Database, Batch>()
  return (server: Database): Batch => {
    const batch = known.get(server) ?? create({...session, database: server})
    known.set(server, batch)
    return batch
  }
}
