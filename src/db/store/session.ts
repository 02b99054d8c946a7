/**
 * The context in which functions of the store are called: database, schema, request and caller.
 *
 * A session is a plain object. Others are derived by a spread: `{...session, caller}`.
 */
import type {Database, Transaction} from '../connection/pool.ts'
import type {StepsMode} from '../connection/steps.ts'
import type {WorkKind} from '../connection/transaction.ts'
import type {SqlValue} from '../connection/value.ts'
import type {Reader} from '../replicas/reader.ts'
import type {Caller, Mode} from './caller.ts'
import {recallOnly, type TermMemory} from './term-memory.ts'
import type {Together} from './together.ts'

export type Session = {
  readonly database: Database
  readonly inSchema: string // prefix of every name in SQL text
  readonly terms: TermMemory // terms by id that rows leave out or that documents share
  readonly caller: Caller | undefined // undefined: the operator, who may do everything and is not audited
  readonly least: Mode // the least mode that the request needs, whatever other errors it has
  readonly requestId: string | undefined // the request that makes the calls
  readonly turn: string | undefined // the agent or the address that takes turns with others for a connection
  readonly reader: Reader | undefined // allows reads from a replica; undefined: only from the primary
  readonly isShifting: boolean // calls of one transaction may see different states of the store
  readonly together: Together | undefined // shares statements; undefined: every call is a statement of its own
  /** `retry` of transaction.ts. Inside a transaction it runs work once, because the transaction fails as a whole. */
  readonly retry: <Result>(kind: WorkKind, work: () => Promise<Result>) => Promise<Result>
}

/** Returns the session with its calls inside a transaction. */
export function inTransaction(session: Session, transaction: Transaction): Session {
  const database: Database = {
    ...session.database,
    ...transaction,
    begin: (_, inner) => inner(transaction),
    read: (_, inner) => inner(database, undefined),
  }
  return {...session, database, terms: recallOnly(session.terms), together: undefined, retry: (_, once) => once()}
}

/**
 * Runs several requests in one transaction, and again after a collision with other writers. Each call of a function is
 * a step, which succeeds or fails on its own (db/connection/steps.ts).
 *
 * @param work  must use the session that it is given; it is run again from its beginning
 */
export function inOneTransaction<Result>(
  session: Session,
  mode: StepsMode,
  work: (inside: Session) => Promise<Result>,
): Promise<Result> {
  const {database, retry, terms, turn} = session
  const run = (inside: Database) =>
    work({
      ...session,
      database: inside,
      terms: recallOnly(terms),
      isShifting: session.isShifting || mode === 'read committed',
      together: undefined,
      retry: (_, once) => once(),
    })
  return retry('write', () => database.inSteps(run, {mode, turn}))
}

/** Documents with more triples are read in batches. */
export const quadLimit = 5000

/** Preconditions of a write, as sql/functions/document/precondition.sql takes them. */
export type WriteConditions = {
  readonly ifMatch: readonly string[] | undefined // strong tags without quotes, or ['*']
  readonly ifNoneMatch: readonly string[] | undefined
  readonly ifUnmodifiedSince: Date | undefined
}

export function preconditionValues({ifMatch, ifNoneMatch, ifUnmodifiedSince}: WriteConditions): readonly SqlValue[] {
  return [ifMatch ?? null, ifNoneMatch ?? null, ifUnmodifiedSince ?? null]
}
