/**
 * Moves and copies documents. Each call is one SQL function, one transaction and one round trip.
 *
 * The SQL functions, in sql/functions/move, document their errors; problem-of.ts translates them to Problems.
 */
import {Problem} from '../../base/problem.ts'
import type {Iri} from '../../rdf/term.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Transaction} from '../connection/pool.ts'
import {databaseCodeOf} from '../connection/problem-of.ts'
import type {SqlValue} from '../connection/value.ts'
import {ask, askReader, callAsCaller} from './call.ts'
import {preconditionValues, type Session, type WriteConditions} from './session.ts'

export type Destination = {
  readonly iri: Iri
  readonly overwrites: boolean // delete a document there first, with everything below it
}

export type Moved = {
  readonly isCreated: boolean // false: a document at the destination was deleted
  readonly state: {readonly etag: string; readonly modified: Date} | undefined // undefined: the caller may not read it
}

type MovedRow = {readonly is_created: boolean; readonly etag: string | null; readonly modified: Date | null}

/** @param redirectSeconds  how long requests for the old IRIs are redirected; 0: not at all */
export function moveDocument(
  session: Session,
  iri: Iri,
  conditions: WriteConditions,
  {iri: target, overwrites, redirectSeconds}: Destination & {readonly redirectSeconds: number},
): Promise<Moved> {
  const redirects = redirectSeconds === 0 ? null : `${redirectSeconds} seconds`
  return send(session, 'move_document', [iri, ...preconditionValues(conditions), target, overwrites, redirects])
}

/**
 * @param isDeep  with everything below it
 * @throws        Problem 409 `document-iri-free`: another request has created a document there at the same time
 */
export async function copyDocument(
  session: Session,
  iri: Iri,
  conditions: WriteConditions,
  {iri: target, overwrites, isDeep}: Destination & {readonly isDeep: boolean},
): Promise<Moved> {
  try {
    return await send(session, 'copy_document', [iri, ...preconditionValues(conditions), target, isDeep, overwrites])
  } catch (error) {
    if (databaseCodeOf(error) !== '23505') throw error
    const message = `Another request has just created a document at <${target}> or below it.`
    throw new Problem(409, 'document-iri-free', message, {cause: error})
  }
}

async function send(session: Session, name: string, values: readonly SqlValue[]): Promise<Moved> {
  const call = callAsCaller(session, name, values)
  const [row] = await ask<MovedRow>(session, 'write', {text: `select * from ${call.from}`, ...call})
  if (row === undefined) throw new Error(`${name} gave no row`)
  const {is_created: isCreated, etag, modified} = row
  return {isCreated, state: etag === null || modified === null ? undefined : {etag, modified}}
}

/**
 * Gives the dataset another base. The transaction is that of a command, without time limits.
 *
 * @returns  the number of IRIs that were renamed
 * @throws   Problem 409 `document-iri-free` · 503 `busy`
 */
export async function rebaseDataset(transaction: Transaction, schema: string, base: Iri): Promise<number> {
  const text = `select ${quoteIdentifier(schema)}.rebase_dataset($1)::float8 as renamed`
  const [row] = await transaction.query<{readonly renamed: number}>(text, [base])
  return row?.renamed ?? 0
}

/** The new IRI of a document that has moved; undefined if it has not, or if the caller may not read it. */
export async function readMovedTo(session: Session, iri: Iri): Promise<Iri | undefined> {
  const call = callAsCaller(session, 'moved_to', [iri])
  const row = await askReader<{readonly iri: Iri | null}>(session, {
    ...call,
    text: `select m.iri from ${call.from} as m (iri)`,
  })
  return row?.iri ?? undefined
}
