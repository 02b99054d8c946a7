/**
 * Writes documents. Each call is one SQL function, one transaction and one round trip; small creates share a statement.
 *
 * The SQL functions document their errors; problem-of.ts translates them to Problems.
 */

import {unpackTexts} from '../../base/packed-texts.ts'
import type {Changes} from '../../ldpatch/patch.ts'
import {blankNodeLabel} from '../../rdf/id-layout.ts'
import type {Iri} from '../../rdf/term.ts'
import type {Value} from '../connection/value.ts'
import {ask} from './call.ts'
import type {Mode} from './caller.ts'
import {isSmall} from './document-creates.ts'
import {type DocumentState, type StateRow, stateOf} from './document-state.ts'
import {changeParameters, type GraphParameters, type GraphToWrite, graphParameters, isEncoded} from './graph-codec.ts'
import {argumentsOf, type Checked, checked, type Need, recorded} from './guard.ts'
import {conditionValues, quadLimit, type Session, type WriteConditions} from './session.ts'

export type GraphBody = {
  readonly triples: GraphToWrite
  readonly isReturning: boolean // the result contains the state after the write
}

export type ChangeBody = {
  readonly changes: Changes | GraphParameters
  readonly isReturning: boolean
}

/** IRIs, or the text of an array parameter of them. */
export type Members = readonly Iri[] | string

export type Written = {
  readonly etag: string
  readonly modified: Date
  readonly isAccessPoint: boolean
  readonly isReadable: boolean // whether the caller may read the checked document; true for a new document
  readonly labels: Iterable<readonly [sent: string, stored: string]> // of blank nodes; '!…' marks an anonymous one
  readonly state?: DocumentState // if the call requested it
}

type WrittenRow = {
  readonly blank_nodes: string[]
  readonly etag: string
  readonly modified: Date
  readonly is_access_point: boolean
  readonly is_readable: boolean
}

/** A function that writes, the modes that it requires, and the change that is recorded. */
type WriteFunction = {
  readonly name: string
  readonly modes: readonly Mode[]
  readonly checkedAt?: number // place of the IRI that is checked; 1 by default
  readonly rule?: Need['rule']
  readonly action: string
  readonly isToldCaller?: boolean // passes the caller's grantees as last argument: it may change other documents too
}

const create: WriteFunction = {
  name: 'create_document',
  modes: ['create'],
  checkedAt: 2,
  rule: 'parent-exists',
  action: 'create',
  isToldCaller: true,
}
const createPoint: WriteFunction = {
  ...create,
  name: 'create_access_point',
  modes: ['create', 'edit'],
  isToldCaller: false,
}
const replace: WriteFunction = {name: 'replace_document', modes: ['edit'], action: 'replace'}
const patch: WriteFunction = {name: 'patch_document', modes: ['edit'], action: 'patch'}
const adding: WriteFunction = {
  name: 'add_members',
  modes: ['members'],
  action: 'add-members',
  isToldCaller: true,
}
const taking: WriteFunction = {
  name: 'remove_members',
  modes: ['edit'],
  action: 'remove-members',
  isToldCaller: true,
}
const removing = {modes: ['delete'], isToldCaller: true} as const
const remove: WriteFunction = {...removing, name: 'delete_document', action: 'delete'}
const removeChildren: WriteFunction = {...removing, name: 'delete_children', action: 'delete-children'}

function writeGraph(session: Session, called: WriteFunction, values: readonly Value[], body: GraphBody) {
  const graphs = isEncoded(body.triples) ? body.triples : graphParameters([body.triples])
  return callWrite(session, called, {values, graphs, isReturning: body.isReturning})
}

/** POST: Problem 404 `parent-exists`, 409 `document-iri-free`. */
export async function createDocument(session: Session, iri: Iri, parent: Iri, body: GraphBody): Promise<Written> {
  const {database, requestId, caller, together} = session
  const {triples, isReturning} = body
  const isShared = !isReturning && !isEncoded(triples) && isSmall(triples)
  const made = isShared ? await together?.create(database)({iri, parent, triples, requestId, caller}) : undefined
  return made === undefined
    ? writeGraph(session, create, [iri, parent], body)
    : {...made, isAccessPoint: false, isReadable: true}
}

/**
 * POST of an access point: Problem 404 `parent-exists`, 409 `document-iri-free`, 422 `access-point-place`. It also
 * needs `edit`, because it adds triples to the parent's graph, and later those of its members.
 */
export function createAccessPoint(session: Session, iri: Iri, parent: Iri, body: GraphBody): Promise<Written> {
  return writeGraph(session, createPoint, [iri, parent], body)
}

/** PUT: Problem 404 `document-exists`, 412 `etag-mismatch` and `reserved-kept`, 409 `containment-kept`. */
export function replaceDocument(
  session: Session,
  iri: Iri,
  conditions: WriteConditions,
  body: GraphBody,
): Promise<Written> {
  return writeGraph(session, replace, [iri, ...conditionValues(conditions)], body)
}

/** PATCH: Problem 404 `document-exists`, 412 `etag-mismatch`, 409 `reserved-free` and `containment-kept`. */
export function patchDocument(
  session: Session,
  iri: Iri,
  conditions: WriteConditions,
  {changes, isReturning}: ChangeBody,
): Promise<Written> {
  const values = [iri, ...conditionValues(conditions)]
  const graphs = isEncoded(changes) ? changes : changeParameters(changes)
  return callWrite(session, patch, {values, graphs, isReturning})
}

/** Adds members: Problem 404 `document-exists`, 412 `etag-mismatch`, 422 `member-known`. */
export function addMembers(
  session: Session,
  iri: Iri,
  conditions: WriteConditions,
  members: Members,
): Promise<Written> {
  const values = [iri, ...conditionValues(conditions), members]
  return callWrite(session, whereTold(adding, conditions), {values})
}

/** Removes members; undefined removes all. Problem 404 `document-exists`, 412 `etag-mismatch`. */
export function removeMembers(
  session: Session,
  iri: Iri,
  conditions: WriteConditions,
  members: Members | undefined,
): Promise<Written> {
  const values = [iri, ...conditionValues(conditions), members ?? null]
  return callWrite(session, taking, {values})
}

/** DELETE. @returns the time of removal. Problem 404, 405 `root-stays`, 409 `document-empty`, 412. */
export function deleteDocument(
  session: Session,
  iri: Iri,
  conditions: WriteConditions,
  {isDeep}: {readonly isDeep: boolean},
): Promise<Date> {
  return callRemoval(session, remove, [iri, ...conditionValues(conditions), isDeep])
}

/** DELETE of all children. @returns the time of removal. Problem 404, 412. */
export function deleteChildren(session: Session, iri: Iri, conditions: WriteConditions): Promise<Date> {
  return callRemoval(session, removeChildren, [iri, ...conditionValues(conditions)])
}

/** Modes of the functions in this file that include `read`. */
const readingModes: ReadonlySet<Mode> = new Set(['read', 'edit', 'delete'])

/** Requires `read` too if the request has preconditions, because a failed one reveals the state. */
function whereTold(called: WriteFunction, conditions: WriteConditions): WriteFunction {
  const hasConditions = conditionValues(conditions).some(value => value !== null)
  return hasConditions ? {...called, modes: [...called.modes, 'read']} : called
}

type WriteCall = {
  readonly values: readonly Value[] // those before the graph's
  readonly graphs?: GraphParameters
  readonly isReturning?: boolean
}

async function callWrite(session: Session, called: WriteFunction, call: WriteCall): Promise<Written> {
  const {vocabulary} = session
  const {graphs} = call
  const all = graphs === undefined ? call.values : [...call.values, graphs.keys, ...graphs.references]
  const {text, values} = writeStatement(session, called, all, call)
  const asked = {name: called.name, text, values}
  const row = onlyRow(await ask<WrittenRow | (WrittenRow & StateRow)>(session, 'write', asked))
  return {
    etag: row.etag,
    modified: row.modified,
    isAccessPoint: row.is_access_point,
    isReadable: row.is_readable,
    labels: graphs === undefined ? [] : labelPairs(graphs, row.blank_nodes),
    ...('terms' in row ? {state: stateOf(row, vocabulary)} : {}),
  }
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

function writeStatement(
  session: Session,
  {name, modes, checkedAt: place = 1, rule = 'document-exists', action, isToldCaller = false}: WriteFunction,
  values: readonly Value[],
  {isReturning = false}: WriteCall,
): {readonly text: string; readonly values: readonly Value[]} {
  const {inSchema} = session
  const call = checked(session, values, {modes, place, rule})
  const change = recorded(session, call.values, {action, document: '$1', etag: 'w.etag'})
  const list = argumentsOf(call, {count: values.length, place, isToldCaller})
  const from = `${call.before}${inSchema}${name}(${list}) as w`
  const own = `w.blank_nodes, ${readability(session, call, {modes, place})} as is_readable`
  const text = isReturning
    ? `select ${own}, r.* from ${from}, ${inSchema}read_written(w.id, ${quadLimit}) as r${change.after}`
    : `select ${own}, w.etag, w.modified, w.is_access_point from ${from}${change.after}`
  return {text, values: change.values}
}

/** SQL for whether the caller may read what the call returns: a new document, or the document that was checked. */
function readability({inSchema}: Session, {before, iri, grantees}: Checked, {modes, place}: Need): string {
  if (before === '' || place !== 1 || modes.some(mode => readingModes.has(mode))) return 'true'
  return `${inSchema}has_access(${iri}, '{read}', ${grantees})`
}

async function callRemoval(session: Session, {name, modes, action}: WriteFunction, values: readonly Value[]) {
  const {inSchema} = session
  const permitted = checked(session, values, {modes})
  const {before} = permitted
  const {after, values: all} = recorded(session, permitted.values, {action, document: '$1', etag: 'null'})
  const call = `${inSchema}${name}(${argumentsOf(permitted, {count: values.length, place: 1, isToldCaller: true})})`
  const text = before + after === '' ? `select ${call} as at` : `select w.at from ${before}${call} as w (at)${after}`
  return onlyRow(await ask<{at: Date}>(session, 'write', {name, text, values: all})).at
}

function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a function call gave no row')
  return row
}
