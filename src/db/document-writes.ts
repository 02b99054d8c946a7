/**
 * Writing documents: each call is one function, one transaction, one round trip; small creates share theirs.
 *
 * Floor 3. What each may raise stands at its SQL function; problem-of.ts makes Problems of it.
 */

import {unpackTexts} from '../base/packed-texts.ts'
import type {Changes} from '../ldpatch/patch.ts'
import type {Iri} from '../rdf/term.ts'
import type {Mode} from './access.ts'
import {ask} from './call.ts'
import {type CreateTogether, isSmall} from './document-creates.ts'
import {type DocumentState, type StateRow, stateOf} from './document-state.ts'
import {
  blankNodeLabel,
  changeParameters,
  type GraphParameters,
  type GraphToWrite,
  graphParameters,
  isEncoded,
} from './graph-codec.ts'
import {argumentsOf, checked, type Need, recorded} from './guard.ts'
import type {Database} from './pool.ts'
import {conditionValues, quadLimit, type Session, type WriteConditions} from './session.ts'
import type {Value} from './value.ts'

export type GraphBody = {
  readonly triples: GraphToWrite
  readonly isReturning: boolean // the answer is to hold the state written
}

export type ChangeBody = {
  readonly changes: Changes | GraphParameters
  readonly isReturning: boolean
}

/** IRIs, or the text of their array parameter. */
export type Members = readonly Iri[] | string

export type Written = {
  readonly etag: string
  readonly modified: Date
  readonly isAccessPoint: boolean
  readonly labels: Iterable<readonly [sent: string, stored: string]> // of blank nodes; '!…' is none the client wrote
  readonly state?: DocumentState // when the call asked for it
}

type WrittenRow = {
  readonly blank_nodes: string[]
  readonly etag: string
  readonly modified: Date
  readonly is_access_point: boolean
}

/** Whose creates go together with those of others. */
export type CreatingSession = Session & {readonly createTogether: (server: Database) => CreateTogether}

/** A function that writes: what grants must allow, and what is written down of it. */
type WriteFunction = {
  readonly name: string
  readonly modes: readonly Mode[]
  readonly checkedAt?: number // place of the IRI that is checked; the first
  readonly rule?: Need['rule']
  readonly action: string
}

const create: WriteFunction = {
  name: 'create_document',
  modes: ['append'],
  checkedAt: 2,
  rule: 'parent-exists',
  action: 'create',
}
const createPoint: WriteFunction = {...create, name: 'create_access_point', modes: ['write']}
const replace: WriteFunction = {name: 'replace_document', modes: ['write'], action: 'replace'}
const patch: WriteFunction = {name: 'patch_document', modes: ['write'], action: 'patch'}
const addMembers: WriteFunction = {name: 'add_members', modes: ['append'], action: 'add-members'}
const removeMembers: WriteFunction = {name: 'remove_members', modes: ['write'], action: 'remove-members'}
const remove: WriteFunction = {name: 'delete_document', modes: ['write'], action: 'delete'}
const removeChildren: WriteFunction = {name: 'delete_children', modes: ['write'], action: 'delete-children'}

function writeGraph(session: Session, called: WriteFunction, values: readonly Value[], body: GraphBody) {
  const graphs = isEncoded(body.triples) ? body.triples : graphParameters([body.triples])
  return callWrite(session, called, {values, graphs, isReturning: body.isReturning})
}

/** `this` is the store that they are methods of. */
export const writes = {
  /** POST: Problem 404 `parent-exists`, 409 `document-iri-free`. */
  async createDocument(this: CreatingSession, iri: Iri, parent: Iri, body: GraphBody): Promise<Written> {
    const {database, requestId, access} = this
    const {triples, isReturning} = body
    const isShared = !isReturning && !isEncoded(triples) && isSmall(triples)
    const made = isShared ? await this.createTogether(database)({iri, parent, triples, requestId, access}) : undefined
    return made === undefined ? writeGraph(this, create, [iri, parent], body) : {...made, isAccessPoint: false}
  },

  /**
   * POST of an access point: Problem 404 `parent-exists`, 409 `document-iri-free`, 422 `access-point-place`. It tells
   * of itself in its parent's graph, and later of its members, so the parent is written.
   */
  createAccessPoint(this: Session, iri: Iri, parent: Iri, body: GraphBody): Promise<Written> {
    return writeGraph(this, createPoint, [iri, parent], body)
  },

  /** PUT: Problem 404 `document-exists`, 412 `etag-mismatch` and `reserved-kept`, 409 `containment-kept`. */
  replaceDocument(this: Session, iri: Iri, conditions: WriteConditions, body: GraphBody): Promise<Written> {
    return writeGraph(this, replace, [iri, ...conditionValues(conditions)], body)
  },

  /** PATCH: Problem 404 `document-exists`, 412 `etag-mismatch`, 409 `reserved-free` and `containment-kept`. */
  patchDocument(
    this: Session,
    iri: Iri,
    conditions: WriteConditions,
    {changes, isReturning}: ChangeBody,
  ): Promise<Written> {
    const values = [iri, ...conditionValues(conditions)]
    const graphs = isEncoded(changes) ? changes : changeParameters(changes)
    return callWrite(this, patch, {values, graphs, isReturning})
  },

  /** Members on: Problem 404 `document-exists`, 412 `etag-mismatch`, 422 `member-known`. */
  addMembers(this: Session, iri: Iri, conditions: WriteConditions, members: Members): Promise<Written> {
    const values = [iri, ...conditionValues(conditions), members]
    return callWrite(this, whereTold(addMembers, conditions), {values, admits: 'add'})
  },

  /** Members off; undefined means all of them. Problem 404 `document-exists`, 412 `etag-mismatch`. */
  removeMembers(this: Session, iri: Iri, conditions: WriteConditions, members: Members | undefined): Promise<Written> {
    const values = [iri, ...conditionValues(conditions), members ?? null]
    return callWrite(this, removeMembers, {values, admits: 'remove'})
  },

  /** DELETE: time of removal. Problem 404, 405 `root-stays`, 409 `document-empty`, 412. */
  deleteDocument(
    this: Session,
    iri: Iri,
    conditions: WriteConditions,
    {isDeep}: {readonly isDeep: boolean},
  ): Promise<Date> {
    return callRemoval(this, remove, [iri, ...conditionValues(conditions), isDeep])
  },

  /** DELETE of all children: time of removal. Problem 404, 412. */
  deleteChildren(this: Session, iri: Iri, conditions: WriteConditions): Promise<Date> {
    return callRemoval(this, removeChildren, [iri, ...conditionValues(conditions)])
  },
}

/** Whoever asks for a certain state is told when it is another, and so needs to read it. */
function whereTold(called: WriteFunction, conditions: WriteConditions): WriteFunction {
  const hasConditions = conditionValues(conditions).some(value => value !== null)
  return hasConditions ? {...called, modes: [...called.modes, 'read']} : called
}

type WriteCall = {
  readonly values: readonly Value[] // before the graphs'
  readonly graphs?: GraphParameters
  readonly isReturning?: boolean
  readonly admits?: 'add' | 'remove' // the fifth value are members that are to be put on or taken off
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
    labels: graphs === undefined ? [] : labelPairs(graphs, row.blank_nodes),
    ...('terms' in row ? {state: stateOf(row, vocabulary)} : {}),
  }
}

/** Made as they are looked at: there may be very many, and few clients ask. */
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
  {name, modes, checkedAt: place = 1, rule = 'document-exists', action}: WriteFunction,
  values: readonly Value[],
  {isReturning = false, admits}: WriteCall,
): {readonly text: string; readonly values: readonly Value[]} {
  const {inSchema} = session
  const {before, iri, grantees, values: asked} = checked(session, values, {modes, place, rule})
  const change = recorded(session, asked, {action, place: 1, etag: 'w.etag'})
  const members = before === '' || admits === undefined ? undefined : admitted(session, admits, grantees)
  const list = argumentsOf(values.length, place, iri).replace('$5', members === undefined ? '$5' : 'm.members')
  const from = `${before}${members?.before ?? ''}${inSchema}${name}(${list}) as w`
  const text = isReturning
    ? `select w.blank_nodes, r.* from ${from}, ${inSchema}read_written(w.id, ${quadLimit}) as r${change.after}`
    : `select w.blank_nodes, w.etag, w.modified, w.is_access_point from ${from}${change.after}`
  return {text, values: change.values}
}

/** Members are looked at between the document they are put on and the call: it takes them from there. */
function admitted({inSchema}: Session, admits: 'add' | 'remove', grantees: string): {readonly before: string} {
  const call = `admitted_members(a.iri, $5, ${admits === 'remove'}, ${grantees})`
  return {before: `${inSchema}${call} as m (members), lateral `}
}

async function callRemoval(session: Session, {name, modes, action}: WriteFunction, values: readonly Value[]) {
  const {inSchema} = session
  const {before, iri, values: asked} = checked(session, values, {modes})
  const {after, values: all} = recorded(session, asked, {action, place: 1, etag: 'null'})
  const call = `${inSchema}${name}(${argumentsOf(values.length, 1, iri)})`
  const text = before + after === '' ? `select ${call} as at` : `select w.at from ${before}${call} as w (at)${after}`
  return onlyRow(await ask<{at: Date}>(session, 'write', {name, text, values: all})).at
}

function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a function call gave no row')
  return row
}
