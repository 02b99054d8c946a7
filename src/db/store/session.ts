/**
 * The context of the calls of a dataset's SQL functions: its database, schema, request and caller.
 */
import type {Iri} from '../../rdf/term.ts'
import type {Database, Transaction} from '../connection/pool.ts'
import type {WorkKind} from '../connection/transaction.ts'
import type {Value} from '../connection/value.ts'
import type {Reader} from '../replicas/reader.ts'
import type {Access} from './access.ts'

/** What a call needs: the schema of the functions, and how to decode their results. */
export type Session = {
  readonly database: Database
  readonly inSchema: string // prefix of every name in SQL text
  readonly vocabulary: ReadonlyMap<string, Iri> // terms by id that rows leave out
  readonly requestId?: string // the request that makes the calls
  readonly caller?: string | undefined // the caller that takes turns with others for a connection
  readonly reader?: Reader | undefined // allows reads from a replica; undefined: only from the primary
  /** `retry` of transaction.ts. Inside a transaction it runs work once, because the transaction fails as a whole. */
  readonly retry: <Result>(kind: WorkKind, work: () => Promise<Result>) => Promise<Result>
  readonly access?: Access // absent: every call is allowed, and no change is recorded
}

/** Returns the session with changes. It inherits the rest by prototype, which is cheap: every request has a session. */
export function changed<Kind extends Session>(session: Kind, changes: Partial<Kind>): Kind {
  return Object.assign(Object.create(session), changes)
}

/** Returns the session with its calls inside a transaction. */
export function within<Kind extends Session>(session: Kind, transaction: Transaction): Kind {
  const database: Database = {
    ...session.database,
    ...transaction,
    begin: (_, inner) => inner(transaction),
    read: (_, inner) => inner(database, undefined),
  }
  return changed<Session>(session, {database, retry: (_, once) => once()}) as Kind
}

/** Documents with more triples are read in batches. */
export const quadLimit = 5000

/** Preconditions of a write, as sql/functions/50_precondition.sql takes them. */
export type WriteConditions = {
  readonly ifMatch: readonly string[] | undefined // strong tags without quotes, or ['*']
  readonly ifNoneMatch: readonly string[] | undefined
  readonly ifUnmodifiedSince: Date | undefined
}

export function conditionValues({ifMatch, ifNoneMatch, ifUnmodifiedSince}: WriteConditions): readonly Value[] {
  return [ifMatch ?? null, ifNoneMatch ?? null, ifUnmodifiedSince ?? null]
}
