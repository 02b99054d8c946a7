/**
 * Reads documents: small ones together with those of concurrent requests, large ones in batches from one snapshot.
 *
 * The SQL functions are in sql/functions/document/read.sql and document/stream.sql.
 */
import {type Stopwatch, startStopwatch} from '../../base/stopwatch.ts'
import type {Iri, Triple} from '../../rdf/term.ts'
import type {GateShare} from '../connection/gate.ts'
import type {Database, Queryable, Transaction} from '../connection/pool.ts'
import {overtaken} from '../connection/problem-of.ts'
import {readOnly} from '../connection/transaction.ts'
import type {SqlValue} from '../connection/value.ts'
import type {LogPosition} from '../replicas/reader.ts'
import {createBatch} from './batch.ts'
import {type Askers, ask, askReader, callAsCaller, sharersOf} from './call.ts'
import {callerValue} from './caller.ts'
import {type DocumentRow, type DocumentState, documentsOf, type GraphRow, triplesOf} from './graph-codec.ts'
import {inTransaction, preconditionValues, quadLimit, type Session, type WriteConditions} from './session.ts'
import type {ChildrenPage, DocumentQuestion, ReadTogether} from './together.ts'

const batchRows = 500 // about half a megabyte if the literals are long

export type ReadOptions = {
  readonly known?: readonly string[] // entity tags of states that the client has: triples are not sent again
  readonly isHeadOnly?: boolean // leave the triples out
  readonly children?: ChildrenPage
  readonly seen?: readonly string[] // entity tags that the client knows: a replica with an older state is not used
}

/** Options for reading a document in batches. */
export type BatchedReadOptions = Pick<ReadOptions, 'children'> & {
  readonly share?: GateShare // the share of the pool's places; 'long' by default
}

type UseDocument<Result> = (
  state: DocumentState | undefined, // undefined: there is no such document
  batches: AsyncIterable<readonly Triple[]>,
) => Promise<Result>

/** Two statements, so that a large document delays at most half of the others. Node cannot use more. */
const batchLimits = {sizeMax: 16, flightMax: 2, waitMax: 1000}

/** A larger document is read on its own, so that it does not delay the others. */
const sharedQuadLimit = 500

/** Reads a document's state; undefined if there is none. Problem 401, 403: the caller may not read it. */
export async function readDocument(
  session: Session,
  iri: Iri,
  {known, isHeadOnly = false, children, seen}: ReadOptions = {},
): Promise<DocumentState | undefined> {
  const {together, caller, requestId} = session
  const limit = isHeadOnly ? 0 : quadLimit
  const state = await session.database.read<DocumentState | null>(
    session.reader,
    (server, after) => {
      const question = {iri, known, quadLimit: limit, children, caller, requestId, after}
      return together === undefined || children !== undefined
        ? readAlone({...session, database: server}, question)
        : together.read(server)(question)
    },
    {isEnough: state => isAsNewAs(state, seen)},
  )
  return state ?? explainMissing(session, iri)
}

/** Reads a document in batches from one snapshot, which lasts while `use` runs. */
export function streamDocument<Result>(
  session: Session,
  iri: Iri,
  {children, share}: BatchedReadOptions,
  use: UseDocument<Result>,
): Promise<Result> {
  let isUsed = false
  const {caller, requestId} = session
  const work = async (transaction: Transaction) => {
    const inside = inTransaction(session, transaction)
    const found = await readAlone(inside, {iri, quadLimit: 0, children, caller, requestId})
    const state = found ?? (await explainMissing(inside, iri))
    isUsed = true
    const result = await use(state, state === undefined ? noBatches() : graphBatches(transaction, state.id, session))
    if (!session.isShifting || state === undefined) return result
    const now = await readAlone(inside, {iri, quadLimit: 0, caller, requestId})
    if (now?.etag !== state.etag) throw overtaken() // the graph may be that of a later state
    return result
  }
  const read = (server: Database, after: LogPosition | undefined) => readOnly(server, work, {after, share})
  return session.database.read(session.reader, read, {isSent: () => isUsed})
}

/**
 * Whether a document with this IRI exists. Also true if the caller may not read it, and so must not learn whether it
 * is missing. Problem 401, 403: the caller may not make the request.
 */
export async function hasDocument(session: Session, iri: Iri): Promise<boolean> {
  const call = callAsCaller(session, 'has_document', [iri, session.least])
  const text = `select d.found from ${call.from} as d (found)`
  const isFound = (row?: {readonly found: boolean}) => row?.found === true
  return isFound(await askReader<{readonly found: boolean}>(session, {text, ...call}, isFound))
}

/**
 * Checks existence and preconditions without a write: Problem 404 `document-exists`, 412 `etag-mismatch`. Without
 * preconditions it checks nothing for a caller that may not read the document.
 */
export async function checkPrecondition(session: Session, iri: Iri, conditions: WriteConditions): Promise<void> {
  const call = callAsCaller(session, 'check_precondition', [iri, ...preconditionValues(conditions), session.least])
  await ask(session, 'read', {text: `select from ${call.from}`, ...call})
}

/**
 * Checks that a document can be created with an IRI: Problem 412 `etag-mismatch`, 404 `parent-exists`, 400
 * `segment-usable`, 409 `document-iri-free`.
 */
export async function requireFreeIri(session: Session, iri: Iri): Promise<void> {
  const call = callAsCaller(session, 'require_free_iri', [iri])
  await ask(session, 'read', {text: `select from ${call.from}`, ...call})
}

/** Reads documents for concurrent requests with one statement. */
export function createReadBatch(session: Session): ReadTogether {
  const askTogether = createBatch<DocumentQuestion & {readonly watch: Stopwatch}, DocumentState | null>(
    batchLimits,
    asked => readDocuments(session, asked, sharersOf(asked)),
  )
  return async question => {
    const limit = Math.min(question.quadLimit, sharedQuadLimit)
    const state = await askTogether({watch: startStopwatch(), ...question, quadLimit: limit})
    const isEnough = question.quadLimit === limit || state === null || state.triples !== undefined
    if (isEnough || question.known?.includes(state.etag)) return state
    return readAlone({...session, requestId: question.requestId}, question)
  }
}

async function readAlone(session: Session, question: DocumentQuestion): Promise<DocumentState | null> {
  const [state = null] = await readDocuments(session, [question])
  return state
}

/** @returns  for each question a state; null if there is no such document or its caller may not read it */
async function readDocuments(
  session: Session,
  questions: readonly DocumentQuestion[],
  askers?: Askers,
): Promise<(DocumentState | null)[]> {
  const values = [
    questions.map(({iri}) => iri),
    columnOf(questions, ({known}) => tagsText(known)),
    questions.map(question => question.quadLimit),
    columnOf(questions, ({children}) => children?.after ?? null),
    columnOf(questions, ({children}) => children?.limit ?? null),
    columnOf(questions, ({caller, requestId}) => callerValue(caller, requestId)),
  ]
  const text = `select * from ${session.inSchema}read_documents($1, $2, $3, $4, $5, $6)`
  const call = {name: 'read_documents', text, values, after: latest(questions)}
  return documentsOf(await ask<DocumentRow>(session, 'read', call, askers), session.terms)
}

/** An array parameter with a value for each question; null if all are. */
function columnOf(
  questions: readonly DocumentQuestion[],
  cellOf: (question: DocumentQuestion) => SqlValue,
): readonly SqlValue[] | null {
  const values = questions.map(cellOf)
  return values.every(value => value === null) ? null : values
}

/** If a replica is not far enough, each question is asked on its own. */
function latest(questions: readonly DocumentQuestion[]): LogPosition | undefined {
  return questions.reduce<LogPosition | undefined>(
    (most, {after}) => (most === undefined || (after !== undefined && after > most) ? after : most),
    undefined,
  )
}

/** Our entity tags are revisions. Any other tag matches nothing. */
function tagsText(tags: readonly string[] = []): string | null {
  const revisions = tags.filter(tag => /^[0-9]+$/.test(tag))
  return revisions.length === 0 ? null : `{${revisions.join(',')}}`
}

/** Throws if the caller may not read the document but may know that it exists: Problem 401, 403. */
async function explainMissing(session: Session, iri: Iri): Promise<undefined> {
  const {caller} = session
  if (caller?.grantees !== undefined && !caller.isHidden) await hasDocument({...session, least: 'read'}, iri)
  return undefined
}

/**
 * Whether a replica's answer is recent enough. A missing document may be new, and the client may know a later state.
 */
function isAsNewAs(state: DocumentState | null, seen: readonly string[] = []): boolean {
  if (state === null) return false
  const revision = BigInt(state.etag)
  return seen.every(tag => revisionOf(tag) <= revision)
}

/** The revision in an entity tag, including that of a listing or page (`12-…`); 0 for any other tag. */
function revisionOf(tag: string): bigint {
  const [, digits] = /^([0-9]{1,19})(?:-|$)/.exec(tag) ?? []
  return BigInt(digits ?? 0)
}

/** Sorts a graph as documents are written: the document's own triples first, then by subject. */
async function* graphBatches(
  transaction: Queryable,
  id: string,
  {inSchema, terms}: Session,
): AsyncIterable<readonly Triple[]> {
  const [opened] = await transaction.query<{rows: string}>(`select ${inSchema}open_graph($1)::text as rows`, [id])
  if (opened === undefined) throw new Error('open_graph gave no row')
  for (;;) {
    const text = `select * from ${inSchema}read_graph($1::text::refcursor, $2)`
    const [batch] = await transaction.query<GraphRow>(text, [opened.rows, batchRows])
    if (batch === undefined || batch.subjects.length === 0) return
    yield triplesOf(batch, terms)
  }
}

async function* noBatches(): AsyncIterable<readonly Triple[]> {}
