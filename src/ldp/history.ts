/**
 * The history of a document: lists its states, writes the difference of two, and restores one.
 *
 * Source: docs/changes.md, History of a document.
 */

import {requireFreeIri} from '../db/store/document-reads.ts'
import {createAccessPoint, createDocument, type Written} from '../db/store/document-writes.ts'
import {
  listChanges,
  type PastState,
  readDifference,
  readState,
  restoreDocument,
  type StateDifference,
} from '../db/store/history.ts'
import type {Session, WriteConditions} from '../db/store/session.ts'
import {termText} from '../format/ntriples-write.ts'
import type {Changes} from '../ldpatch/patch.ts'
import {parentOf} from '../rdf/iri.ts'
import {iriText} from '../rdf/ntriples.ts'
import type {Iri, Triple} from '../rdf/term.ts'
import {ldp} from '../rdf/vocabulary.ts'
import type {Dataset} from './context.ts'
import {noDocument} from './no-document.ts'
import type {TimeMap} from './time-map.ts'

const pageSize = 200 // changes on a page of the list of states

/**
 * Reads a page of the list of states.
 *
 * @throws  Problem 404 `changes-logged`, `document-exists` · 401, 403
 */
export async function readTimeMap(
  {session}: Pick<Dataset, 'session'>,
  iri: Iri,
  under: string | undefined,
): Promise<TimeMap> {
  const found = await listChanges(session, iri, {under, limit: pageSize + 1})
  const changes = found.slice(0, pageSize)
  return {iri, under, changes, next: found.length > pageSize ? changes.at(-1)?.position : undefined}
}

/**
 * Compares two states.
 *
 * @param to  undefined: the present state
 * @returns   without triples that only the service writes, such as c:modified, so that a PATCH can have all others
 * @throws    Problem 404 `changes-logged`, `document-exists`, `state-exists` · 410 `state-kept` · 401, 403
 */
export async function compareStates(
  {session, platform}: Pick<Dataset, 'session' | 'platform'>,
  iri: Iri,
  from: string,
  to: string | undefined,
): Promise<StateDifference> {
  const {tag, removed, added} = await readDifference(session, iri, from, to)
  const kept: readonly Iri[] = [platform.created, platform.modified, platform.accessPoint]
  const isFree = ({subject, predicate}: Triple) => subject.value !== iri || !kept.includes(predicate.value)
  return {tag, removed: removed.filter(isFree), added: added.filter(isFree)}
}

/**
 * A difference as LD Patch. A blank node has the label with which it is or was stored: in a document without this
 * node, the patch adds a new one.
 */
export function differencePatch({removed, added}: Changes): string {
  return [block('Delete', removed), block('Add', added)].filter(text => text !== '').join('\n')
}

function block(operation: 'Delete' | 'Add', triples: readonly Triple[]): string {
  if (triples.length === 0) return ''
  const lines = triples.map(
    ({subject, predicate, object}) => `  ${termText(subject)} ${iriText(predicate.value)} ${termText(object)} .\n`,
  )
  return `${operation} {\n${lines.join('')}} .\n`
}

/**
 * Makes a state the present one. A write like any other: the triples of the service stay, and c:modified is new.
 *
 * @throws  Problem 404 `document-exists`, `state-exists` · 410 `state-kept` · 412 `etag-mismatch`
 */
export function restoreState({session}: Dataset, iri: Iri, tag: string, conditions: WriteConditions): Promise<Written> {
  return restoreDocument(session, iri, conditions, tag)
}

/**
 * Creates a deleted document again, as it was in a state. Its children and memberships stay deleted.
 *
 * @throws  Problem 412 `etag-mismatch`: there is a document · 404 `parent-exists`, `state-exists` · 410 `state-kept`
 */
export async function createAgain(dataset: Dataset, iri: Iri, tag: string): Promise<Written> {
  const session: Session = {...dataset.session, least: 'create'}
  await requireFreeIri(session, iri)
  const state = await readState(dataset.session, iri, {tag}, {hasPresentNames: true})
  if (state.tag === undefined) throw noDocument(iri)
  const body = {triples: clientTriples(dataset, iri, state), isReturning: false}
  const parent = parentOf(iri, dataset.base) ?? dataset.base
  return state.isAccessPoint
    ? createAccessPoint(session, iri, parent, body)
    : createDocument(session, iri, parent, body)
}

/** The triples that a client may send to create the document. */
function clientTriples({platform}: Dataset, iri: Iri, {triples = []}: PastState): readonly Triple[] {
  const kept: readonly Iri[] = [platform.created, platform.modified, platform.accessPoint, ldp.contains]
  return triples.filter(({subject, predicate}) => subject.value !== iri || !kept.includes(predicate.value))
}
