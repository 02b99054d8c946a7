/**
 * What calls of a dataset's SQL functions have in common.
 */
import type {Iri} from '../../rdf/term.ts'
import type {Database, Transaction} from '../connection/pool.ts'
import type {WorkKind} from '../connection/transaction.ts'
import type {Value} from '../connection/value.ts'
import type {Reader} from '../replicas/reader.ts'
import type {Access} from './access.ts'

/** Where the functions are, and what reading their answers needs. */
export type Session = {
  readonly database: Database
  readonly inSchema: string // prefix of every name in SQL text
  readonly vocabulary: ReadonlyMap<string, Iri> // terms by id that rows leave out
  readonly requestId?: string // on whose behalf the calls are made
  readonly caller?: string | undefined // who takes turns with others for a connection
  readonly reader?: Reader | undefined // who may be answered by a replica; undefined: only the primary's state counts
  /** What to do after a collision: `retry`; inside a transaction nothing, which goes down as a whole. */
  readonly retry: <Result>(kind: WorkKind, work: () => Promise<Result>) => Promise<Result>
  readonly access?: Access // absent: everybody may do everything, and nothing is written down
}

/** The same but for what is changed. It inherits the rest, which costs next to nothing: every request has its own. */
export function changed<Kind extends Session>(session: Kind, changes: Partial<Kind>): Kind {
  return Object.assign(Object.create(session), changes)
}

/** The same inside a transaction. */
export function within<Kind extends Session>(session: Kind, transaction: Transaction): Kind {
  const database: Database = {
    ...session.database,
    ...transaction,
    begin: (_, inner) => inner(transaction),
    read: (_, inner) => inner(database, undefined),
  }
  return changed<Session>(session, {database, retry: (_, once) => once()}) as Kind
}

/** A document of more triples than this is read in batches. */
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
