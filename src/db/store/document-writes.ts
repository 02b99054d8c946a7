/**
 * Writes documents. Each call is one SQL function, one transaction and one round trip; small creates share a statement.
 *
 * The SQL functions document their errors; problem-of.ts translates them to Problems.
 */

import {unpackTexts} from '../../base/packed-texts.ts'
import type {Changes} from '../../ldpatch/patch.ts'
import {blankNodeLabel} from '../../rdf/id-layout.ts'
import type {Iri} from '../../rdf/term.ts'
import type {SqlValue} from '../connection/value.ts'
import {ask, callAsCaller} from './call.ts'
import {isSmall} from './document-creates.ts'
import {
  changeParameters,
  type DocumentRow,
  type DocumentState,
  documentOf,
  type GraphParameters,
  type GraphToWrite,
  graphParameters,
  isEncoded,
} from './graph-codec.ts'
import {preconditionValues, quadLimit, type Session, type WriteConditions} from './session.ts'
import {recallOnly} from './term-memory.ts'

export type GraphBody = {
  readonly triples: GraphToWrite
  readonly isReturning: boolean // the result contains the state after the write
}

export type ChangeBody = {
  readonly changes: Changes | GraphParameters
  readonly isReturning: boolean
}

/** IRIs, or the text of an array parameter of them. */
export type MemberList = readonly Iri[] | string

export type Written = {
  readonly etag: string
  readonly modified: Date
  readonly isAccessPoint: boolean
  readonly labels: Iterable<readonly [sent: string, stored: string]> // of blank nodes; '!…' marks an anonymous one
  readonly state?: DocumentState | undefined // if the call requested it
}

type WrittenRow = {
  readonly blank_nodes: string[]
  readonly etag: string
  readonly modified: Date
  readonly is_access_point: boolean
}

type MembersRow = Omit<WrittenRow, 'blank_nodes' | 'etag'> & {
  readonly etag: string | null // null: the caller may not read the document
}

/** POST: Problem 404 `parent-exists`, 409 `document-iri-free`. */
export async function createDocument(session: Session, iri: Iri, parent: Iri, body: GraphBody): Promise<Written> {
  const {database, requestId, caller, together} = session
  const {triples, isReturning} = body
  const isShared = !isReturning && !isEncoded(triples) && isSmall(triples)
  const made = isShared ? await together?.create(database)({iri, parent, triples, requestId, caller}) : undefined
  return made === undefined
    ? writeGraph(session, 'create_document', [iri, parent], body)
    : {isAccessPoint: false, ...made}
}

/** POST of an access point: Problem 404 `parent-exists`, 409 `document-iri-free`, 422 `access-point-place`. */
export function createAccessPoint(session: Session, iri: Iri, parent: Iri, body: GraphBody): Promise<Written> {
  return writeGraph(session, 'create_access_point', [iri, parent], body)
}

/** PUT: Problem 404 `document-exists`, 412 `etag-mismatch` and `reserved-kept`, 409 `containment-kept`. */
export function replaceDocument(
  session: Session,
  iri: Iri,
  conditions: WriteConditions,
  body: GraphBody,
): Promise<Written> {
  return writeGraph(session, 'replace_document', [iri, ...preconditionValues(conditions)], body)
}

/**
 * PUT of a graph, which may leave out the triples of the service: Problem 404 `document-exists`, 412 `etag-mismatch`,
 * 409 `reserved-free` and `containment-kept`.
 */
export function putGraph(session: Session, iri: Iri, conditions: WriteConditions, body: GraphBody): Promise<Written> {
  return writeGraph(session, 'put_graph', [iri, ...preconditionValues(conditions)], body)
}

/** Adds triples to a document, as a PATCH without triples to remove: Problem as for `patchDocument`. */
export function addTriples(
  session: Session,
  iri: Iri,
  conditions: WriteConditions,
  {triples, isReturning}: GraphBody,
): Promise<Written> {
  const added = isEncoded(triples) ? triples : graphParameters([triples])
  const changes = {...added, references: ['{}', '{}', '{}', ...added.references]}
  return patchDocument(session, iri, conditions, {changes, isReturning})
}

/** PATCH: Problem 404 `document-exists`, 412 `etag-mismatch`, 409 `reserved-free` and `containment-kept`. */
export function patchDocument(
  session: Session,
  iri: Iri,
  conditions: WriteConditions,
  {changes, isReturning}: ChangeBody,
): Promise<Written> {
  const graphs = isEncoded(changes) ? changes : changeParameters(changes)
  return writeEncoded(session, 'patch_document', [iri, ...preconditionValues(conditions)], {graphs, isReturning})
}

/**
 * Adds members: Problem 404 `document-exists`, 412 `etag-mismatch`, 422 `member-known`.
 *
 * @returns  undefined: the caller may not read the document
 */
export function addMembers(
  session: Session,
  iri: Iri,
  conditions: WriteConditions,
  members: MemberList,
): Promise<Written | undefined> {
  return writeMembers(session, 'add_members', [iri, ...preconditionValues(conditions), members])
}

/** Removes members; undefined removes all. Problem 404 `document-exists`, 412 `etag-mismatch`. */
export function removeMembers(
  session: Session,
  iri: Iri,
  conditions: WriteConditions,
  members: MemberList | undefined,
): Promise<Written | undefined> {
  return writeMembers(session, 'remove_members', [iri, ...preconditionValues(conditions), members ?? null])
}

/** DELETE. @returns the time of removal. Problem 404, 405 `root-stays`, 409 `document-empty`, 412. */
export function deleteDocument(
  session: Session,
  iri: Iri,
  conditions: WriteConditions,
  {isDeep}: {readonly isDeep: boolean},
): Promise<Date> {
  return remove(session, 'delete_document', [iri, ...preconditionValues(conditions), isDeep])
}

/** DELETE of all children. @returns the time of removal. Problem 404, 412. */
export function deleteChildren(session: Session, iri: Iri, conditions: WriteConditions): Promise<Date> {
  return remove(session, 'delete_children', [iri, ...preconditionValues(conditions)])
}

function writeGraph(session: Session, name: string, values: readonly SqlValue[], {triples, isReturning}: GraphBody) {
  const graphs = isEncoded(triples) ? triples : graphParameters([triples])
  return writeEncoded(session, name, values, {graphs, isReturning})
}

/** @param values  the arguments before those of the graphs */
async function writeEncoded(
  session: Session,
  name: string,
  values: readonly SqlValue[],
  {graphs, isReturning}: {readonly graphs: GraphParameters; readonly isReturning: boolean},
): Promise<Written> {
  const {inSchema, terms} = session
  const read = isReturning ? `, ${inSchema}read_written(w.id, ${quadLimit}) as r` : ''
  const columns = isReturning ? 'w.blank_nodes, r.*' : 'w.blank_nodes, w.etag, w.modified, w.is_access_point'
  const call = callAsCaller(session, name, [...values, graphs.keys, ...graphs.references])
  const text = `select ${columns} from ${call.from} as w${read}`
  const row = onlyRow(await ask<WrittenRow | (WrittenRow & DocumentRow)>(session, 'write', {text, ...call}))
  return {
    etag: row.etag,
    modified: row.modified,
    isAccessPoint: row.is_access_point,
    labels: labelPairs(graphs, row.blank_nodes),
    state: 'term_ids' in row ? documentOf(row, recallOnly(terms)) : undefined,
  }
}

/** The result of a write to the document with an id, in the transaction of the write. It has no labels. */
export async function readWritten(
  session: Session,
  id: string,
  {isReturning}: {readonly isReturning: boolean},
): Promise<Written> {
  const {database, inSchema, terms} = session
  const read = isReturning ? `, ${inSchema}read_written(w.id, ${quadLimit}) as r` : ''
  const columns = isReturning ? 'r.*' : 'w.etag, w.modified, w.is_access_point'
  const text = `select ${columns} from ${inSchema}state_of($1) as w${read}`
  const row = onlyRow(await database.query<WrittenRow | DocumentRow>(text, [id]))
  const {etag, modified, is_access_point: isAccessPoint} = row
  return {etag, modified, isAccessPoint, labels: [], state: 'term_ids' in row ? documentOf(row, terms) : undefined}
}

async function writeMembers(session: Session, name: string, values: readonly SqlValue[]): Promise<Written | undefined> {
  const call = callAsCaller(session, name, values)
  const text = `select w.etag, w.modified, w.is_access_point from ${call.from} as w`
  const {
    etag,
    modified,
    is_access_point: isAccessPoint,
  } = onlyRow(await ask<MembersRow>(session, 'write', {text, ...call}))
  return etag === null ? undefined : {etag, modified, isAccessPoint, labels: []}
}

async function remove(session: Session, name: string, values: readonly SqlValue[]): Promise<Date> {
  const call = callAsCaller(session, name, values)
  return onlyRow(await ask<{at: Date}>(session, 'write', {text: `select w.at from ${call.from} as w (at)`, ...call})).at
}

/** Computed lazily: there may be very many, and few clients need them. */
function labelPairs({labels}: GraphParameters, ids: readonly string[]): Written['labels'] {
  return {
    *[Symbol.iterator]() {
      let index = 0
      for (const label of unpackTexts(labels)) yield [label, blankNodeLabel(ids[index++] ?? '')] as const
    },
  }
}

function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a function call gave no row')
  return row
}
