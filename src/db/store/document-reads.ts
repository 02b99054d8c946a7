/**
 * Reads documents: small ones in one round trip, large ones in batches from one snapshot.
 *
 * The SQL functions are in sql/functions/55_read.sql and 57_stream.sql.
 */
import {Problem} from '../../base/problem.ts'
import type {Iri, Triple} from '../../rdf/term.ts'
import type {Share} from '../connection/gate.ts'
import type {Database, Queryable, Transaction} from '../connection/pool.ts'
import {readOnly} from '../connection/transaction.ts'
import type {Value} from '../connection/value.ts'
import type {LogPosition} from '../replicas/reader.ts'
import {ask, askReader} from './call.ts'
import {type DocumentState, type StateRow, stateOf} from './document-state.ts'
import {createDecoder, type StoredGraph} from './graph-codec.ts'
import {type Checked, checked} from './guard.ts'
import {conditionValues, quadLimit, type Session, type WriteConditions, within} from './session.ts'

const batchRows = 500 // about half a megabyte if the literals are long

export type ReadOptions = {
  readonly known?: readonly string[] // entity tags of states that the client has: triples are not sent again
  readonly isHeadOnly?: boolean // leave the triples out
  readonly children?: {readonly after: string; readonly limit: number} // a page of children, and of members
  readonly seen?: readonly string[] // entity tags that the client knows: a replica with an older state is not used
}

/** Options for reading a document in batches. */
export type StreamOptions = Pick<ReadOptions, 'children'> & {
  readonly share?: Share // the share of the pool's places; 'long' by default
}

type UseDocument<Result> = (
  state: DocumentState | undefined, // undefined: there is no such document
  batches: AsyncIterable<readonly Triple[]>,
) => Promise<Result>

/** Reads a document's state; undefined if there is none. Problem 401, 403: the caller may not read it. */
export async function readDocument(
  session: Session,
  iri: Iri,
  {known, isHeadOnly = false, children, seen}: ReadOptions = {},
): Promise<DocumentState | undefined> {
  const {together} = session
  const limit = isHeadOnly ? 0 : quadLimit
  const grantees = session.caller?.grantees
  const question = {iri, known: known ?? [], quadLimit: limit, requestId: session.requestId, grantees}
  const state = await session.database.read<DocumentState | undefined>(
    session.reader,
    async (server, after) => {
      if (children === undefined && together !== undefined)
        return (await together.read(server)({...question, after})) ?? undefined
      const values = [iri, known ?? null, limit, children?.after ?? '0', children?.limit ?? 0]
      return readState({...session, database: server}, values, after)
    },
    {isEnough: state => isAsNewAs(state, seen)},
  )
  if (state === undefined) await explainMissing(session, iri)
  return state
}

/** Reads a document in batches from one snapshot, which lasts while `use` runs. */
export function streamDocument<Result>(
  session: Session,
  iri: Iri,
  {children, share}: StreamOptions,
  use: UseDocument<Result>,
): Promise<Result> {
  let isUsed = false
  const work = async (transaction: Transaction) => {
    const inside = within(session, transaction)
    const state = await readState(inside, [iri, null, 0, children?.after ?? '0', children?.limit ?? 0])
    isUsed = true
    return use(state, state === undefined ? noBatches() : graphBatches(transaction, state.id, session))
  }
  const read = (server: Database, after: LogPosition | undefined) => readOnly(server, work, {after, share})
  return session.database.read(session.reader, read, {isTold: () => isUsed})
}

/**
 * Whether a document with this IRI exists. Also true if the caller may not read it, and so must not learn whether it
 * is missing. Problem 401, 403: the caller may not make the request.
 */
export async function hasDocument(session: Session, iri: Iri): Promise<boolean> {
  const call = checked(session, [iri], {modes: [session.least]})
  const found = call.before === '' ? `has_document(${call.iri})` : `has_document_for(${call.iri}, ${call.grantees})`
  const text = selectCall(call, `${session.inSchema}${found}`, 'found')
  const isFound = (row?: {readonly found: boolean}) => row?.found === true
  const asked = {name: 'has_document', text, values: call.values}
  return isFound(await orNothing(askReader<{readonly found: boolean}>(session, asked, isFound)))
}

/**
 * Checks existence and preconditions without a write: Problem 404 `document-exists`, 412 `etag-mismatch`. Without
 * preconditions it checks nothing for a caller that may not read the document.
 */
export async function checkPrecondition(session: Session, iri: Iri, conditions: WriteConditions): Promise<void> {
  const values = [iri, ...conditionValues(conditions)]
  const least = session.least
  const hasConditions = values.slice(1).some(value => value !== null)
  const call = checked(session, values, {modes: hasConditions ? [least, 'read'] : [least]})
  const own = `${call.iri}, $2, $3, $4`
  const met = call.before === '' ? `check_precondition(${own})` : `check_precondition_for(${own}, ${call.grantees})`
  const text = selectCall(call, `${session.inSchema}${met}`, 'met')
  await ask(session, 'read', {name: 'check_precondition', text, values: call.values})
}

/** Why a document was not returned, if the caller may know that it exists. */
async function explainMissing(session: Session, iri: Iri): Promise<void> {
  const {caller} = session
  if (caller?.grantees === undefined || caller.isHidden) return
  const {before, values} = checked(session, [iri], {modes: ['read']})
  await ask(session, 'read', {name: 'require_access', text: `select from ${before}(select) as nothing`, values})
}

function selectCall({before}: Checked, call: string, name: string): string {
  return before === '' ? `select ${call} as ${name}` : `select f.${name} from ${before}${call} as f (${name})`
}

/** Returns nothing for a document that is hidden from the caller, as if it did not exist. */
async function orNothing<Row>(row: Promise<Row>): Promise<Row | undefined> {
  return row.catch((error: unknown) => {
    if (error instanceof Problem && error.rule === 'document-exists') return undefined
    throw error
  })
}

/**
 * Whether a replica's answer is recent enough. A missing document may be new, and the client may know a later state.
 */
function isAsNewAs(state: DocumentState | undefined, seen: readonly string[] = []): boolean {
  if (state === undefined) return false
  const revision = BigInt(state.etag)
  return seen.every(tag => revisionOf(tag) <= revision)
}

/** The revision in an entity tag, including that of a listing or page (`12-…`); 0 for any other tag. */
function revisionOf(tag: string): bigint {
  const [, digits] = /^([0-9]{1,19})(?:-|$)/.exec(tag) ?? []
  return BigInt(digits ?? 0)
}

async function readState(
  session: Session,
  values: readonly Value[],
  after?: LogPosition,
): Promise<DocumentState | undefined> {
  const {inSchema} = session
  const {before, iri, grantees, values: all} = checked(session, values, {modes: ['read']})
  const text =
    before === ''
      ? `select * from ${inSchema}read_document($1, $2, $3, $4, $5)`
      : `select (d.state).*, d.own_modes, d.public_modes
           from ${before}${inSchema}read_document_for(${iri}, $2, $3, $4, $5, ${grantees}) as d`
  const rows = await orNothing(ask<StateRow>(session, 'read', {name: 'read_document', text, values: all, after}))
  const [row] = rows ?? []
  return row === undefined || row.id === null ? undefined : stateOf(row, session.vocabulary)
}

/** Sorts a graph as documents are written: the document's own triples first, then by subject. */
async function* graphBatches(
  transaction: Queryable,
  id: string,
  {inSchema, vocabulary}: Session,
): AsyncIterable<readonly Triple[]> {
  const [opened] = await transaction.query<{rows: string}>(`select ${inSchema}open_graph($1)::text as rows`, [id])
  if (opened === undefined) throw new Error('open_graph gave no row')
  for (;;) {
    const text = `select * from ${inSchema}read_graph($1::text::refcursor, $2)`
    const [batch] = await transaction.query<StoredGraph>(text, [opened.rows, batchRows])
    if (batch === undefined || batch.subjects.length === 0) return
    yield createDecoder(vocabulary)(batch)
  }
}

async function* noBatches(): AsyncIterable<readonly Triple[]> {}
