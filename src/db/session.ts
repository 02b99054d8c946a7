/**
 * What calls of a dataset's SQL functions have in common.
 *
 * Floor 3.
 */
import type {Iri} from '../rdf/term.ts'
import type {Access} from './access.ts'
import type {Database} from './pool.ts'
import type {WorkKind} from './transaction.ts'
import type {Value} from './value.ts'

/** Where the functions are, and what reading their answers needs. */
export type Session = {
  readonly database: Database
  readonly inSchema: string // prefix of every name in SQL text
  readonly vocabulary: ReadonlyMap<string, Iri> // terms by id that rows leave out
  /** What to do after a collision: `retry`; inside a transaction nothing, which goes down as a whole. */
  readonly retry: <Result>(kind: WorkKind, work: () => Promise<Result>) => Promise<Result>
  readonly access?: Access // absent: everybody may do everything, and nothing is written down
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
