/**
 * Writing documents: each call is one function, one transaction, one round trip.
 *
 * Floor 3. What each may raise stands at its SQL function; problem-of.ts makes Problems of it.
 */
import type {Iri, Triple} from '../rdf/term.ts'
import {ask} from './call.ts'
import {type DocumentState, type StateRow, stateOf} from './document-state.ts'
import {blankLabelsOf, blankNodeLabel, encodeGraphs} from './graph-codec.ts'
import {conditionValues, quadLimit, type Session, type WriteConditions} from './session.ts'
import type {Value} from './value.ts'

export type GraphBody = {
  readonly triples: Iterable<Triple>
  readonly isReturning: boolean // the answer is to hold the state written
}

/** What a patch comes to. */
export type GraphChange = {
  readonly removed: readonly Triple[]
  readonly added: readonly Triple[]
  readonly isReturning: boolean
}

export type Written = {
  readonly etag: string
  readonly modified: Date
  readonly isAccessPoint: boolean
  readonly labels: ReadonlyMap<string, string> // blank node labels: as sent, as stored
  readonly state?: DocumentState // when the call asked for it
}

type WrittenRow = {
  readonly blank_nodes: string[]
  readonly etag: string
  readonly modified: Date
  readonly is_access_point: boolean
}

/** `this` is the store that they are methods of. */
export const writes = {
  /** POST: Problem 404 `parent-exists`, 409 `document-iri-free`. */
  createDocument(this: Session, iri: Iri, parent: Iri, body: GraphBody): Promise<Written> {
    return writeGraph(this, 'create_document($1, $2, $3, $4, $5, $6)', [iri, parent], body)
  },

  /** POST of an access point: Problem 404 `parent-exists`, 409 `document-iri-free`, 422 `access-point-place`. */
  createAccessPoint(this: Session, iri: Iri, parent: Iri, body: GraphBody): Promise<Written> {
    return writeGraph(this, 'create_access_point($1, $2, $3, $4, $5, $6)', [iri, parent], body)
  },

  /** PUT: Problem 404 `document-exists`, 412 `etag-mismatch` and `reserved-kept`, 409 `containment-kept`. */
  replaceDocument(this: Session, iri: Iri, conditions: WriteConditions, body: GraphBody): Promise<Written> {
    return writeGraph(
      this,
      'replace_document($1, $2, $3, $4, $5, $6, $7, $8)',
      [iri, ...conditionValues(conditions)],
      body,
    )
  },

  /** PATCH: Problem 404 `document-exists`, 412 `etag-mismatch`, 409 `reserved-free` and `containment-kept`. */
  patchDocument(
    this: Session,
    iri: Iri,
    conditions: WriteConditions,
    {removed, added, isReturning}: GraphChange,
  ): Promise<Written> {
    const signature = 'patch_document($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)'
    const values = [iri, ...conditionValues(conditions)]
    return callWrite(this, signature, {values, graphs: [removed, added], isReturning})
  },

  /** Members on: Problem 404 `document-exists`, 412 `etag-mismatch`, 422 `member-known`. */
  addMembers(this: Session, iri: Iri, conditions: WriteConditions, members: readonly Iri[]): Promise<Written> {
    const values = [iri, ...conditionValues(conditions), members]
    return callWrite(this, 'add_members($1, $2, $3, $4, $5)', {values})
  },

  /** Members off; undefined means all of them. Problem 404 `document-exists`, 412 `etag-mismatch`. */
  removeMembers(
    this: Session,
    iri: Iri,
    conditions: WriteConditions,
    members: readonly Iri[] | undefined,
  ): Promise<Written> {
    const values = [iri, ...conditionValues(conditions), members ?? null]
    return callWrite(this, 'remove_members($1, $2, $3, $4, $5)', {values})
  },

  /** DELETE: time of removal. Problem 404, 405 `root-stays`, 409 `document-empty`, 412. */
  deleteDocument(
    this: Session,
    iri: Iri,
    conditions: WriteConditions,
    {isDeep}: {readonly isDeep: boolean},
  ): Promise<Date> {
    return callRemoval(this, 'delete_document($1, $2, $3, $4, $5)', [iri, ...conditionValues(conditions), isDeep])
  },

  /** DELETE of all children: time of removal. Problem 404, 412. */
  deleteChildren(this: Session, iri: Iri, conditions: WriteConditions): Promise<Date> {
    return callRemoval(this, 'delete_children($1, $2, $3, $4)', [iri, ...conditionValues(conditions)])
  },
}

type WriteCall = {
  readonly values: readonly Value[] // before the graphs'
  readonly graphs?: readonly Iterable<Triple>[]
  readonly isReturning?: boolean
}

function writeGraph(session: Session, signature: string, values: readonly Value[], {triples, isReturning}: GraphBody) {
  return callWrite(session, signature, {values, graphs: [triples], isReturning})
}

async function callWrite(
  session: Session,
  signature: string,
  {values, graphs, isReturning = false}: WriteCall,
): Promise<Written> {
  const {inSchema, vocabulary} = session
  const {keys, references} = encodeGraphs(graphs ?? [])
  const text = isReturning
    ? `select w.blank_nodes, r.* from ${inSchema}${signature} as w, ${inSchema}read_written(w.id, ${quadLimit}) as r`
    : `select w.blank_nodes, w.etag, w.modified, w.is_access_point from ${inSchema}${signature} as w`
  const all = graphs === undefined ? values : [...values, keys, ...references]
  const call = {name: nameOf(signature), text, values: all}
  const row = onlyRow(await ask<WrittenRow | (WrittenRow & StateRow)>(session, 'write', call))
  return {
    etag: row.etag,
    modified: row.modified,
    isAccessPoint: row.is_access_point,
    labels: new Map(blankLabelsOf(keys).map((label, index) => [label, blankNodeLabel(row.blank_nodes[index] ?? '')])),
    ...('terms' in row ? {state: stateOf(row, vocabulary)} : {}),
  }
}

async function callRemoval(session: Session, signature: string, values: readonly Value[]): Promise<Date> {
  const text = `select ${session.inSchema}${signature} as at`
  return onlyRow(await ask<{at: Date}>(session, 'write', {name: nameOf(signature), text, values})).at
}

function nameOf(signature: string): string {
  return signature.slice(0, signature.indexOf('('))
}

function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a function call gave no row')
  return row
}
