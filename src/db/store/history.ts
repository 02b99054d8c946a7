/**
 * Reads past states of documents, lists their changes, and restores states. Each call is one SQL function.
 *
 * The functions, in sql/functions/change/history.sql, document their errors; problem-of.ts translates them to Problems.
 */
import type {Changes} from '../../ldpatch/patch.ts'
import type {Iri, Triple} from '../../rdf/term.ts'
import {ask, askReader, callAsCaller} from './call.ts'
import type {Written} from './document-writes.ts'
import {createGraphDecoder, type StoredTerms} from './graph-codec.ts'
import {preconditionValues, type Session, type WriteConditions} from './session.ts'

/** A state by its entity tag, or the state at a time. */
export type StateChoice = {readonly tag: string} | {readonly at: Date}

export type StatePoint = {readonly tag: string; readonly time: Date}

/** States seen from one: undefined where there is none. */
export type StatesAround = {readonly [Relation in 'first' | 'prev' | 'next' | 'last']?: StatePoint}

export type PastState = StatePoint & {
  readonly isAccessPoint: boolean
  readonly triples: readonly Triple[] | undefined // with the names of its time; undefined: not asked for
  readonly around: StatesAround
}

/** At the time there was no document. */
export type NoState = {readonly tag: undefined; readonly around: StatesAround}

type StateRow = StoredTerms & {
  readonly etag: string | null
  readonly time: Date | null
  readonly is_access_point: boolean
  readonly subjects: readonly string[] | null
  readonly predicates: readonly string[] | null
  readonly objects: readonly string[] | null
  readonly names: Readonly<Record<string, Iri>> | null
  readonly around: Readonly<Record<string, readonly [tag: string, time: string]>> | null
}

export type ReadStateOptions = {
  readonly isHeadOnly?: boolean
  readonly hasPresentNames?: boolean // terms have the names of today
}

/**
 * Reads a state.
 *
 * @throws  Problem 404 `changes-logged`, `document-exists`, `state-exists` · 410 `state-kept` · 401, 403
 */
export async function readState(
  session: Session,
  iri: Iri,
  choice: StateChoice,
  {isHeadOnly = false, hasPresentNames = false}: ReadStateOptions = {},
): Promise<PastState | NoState> {
  const [tag, at] = 'tag' in choice ? [choice.tag, null] : [null, choice.at]
  const call = callAsCaller(session, 'read_state', [iri, tag, at, !isHeadOnly])
  const row = await askReader<StateRow>(session, {text: `select * from ${call.from}`, ...call})
  if (row === undefined) throw new Error('read_state gave no row')
  const {etag, time, subjects, predicates, objects, names} = row
  const around = aroundOf(row)
  if (etag === null || time === null) return {tag: undefined, around}
  const triples =
    subjects === null || predicates === null || objects === null
      ? undefined
      : createGraphDecoder(row, session.terms)({subjects, predicates, objects}, hasPresentNames ? null : names)
  return {tag: etag, time, isAccessPoint: row.is_access_point, triples, around}
}

function aroundOf({around}: StateRow): StatesAround {
  const point = (relation: keyof StatesAround): StatesAround => {
    const [tag, time] = around?.[relation] ?? []
    return tag === undefined || time === undefined ? {} : {[relation]: {tag, time: new Date(time)}}
  }
  return {...point('first'), ...point('prev'), ...point('next'), ...point('last')}
}

/** A change of a document, or, without an action, the state before the oldest change that is known. */
export type PastChange = {
  readonly position: string
  readonly tag: string | undefined // undefined: the change deleted the document
  readonly before: string | undefined // undefined: the change created the document
  readonly time: Date
  readonly action: string | undefined
  readonly agent: string | undefined
}

type ChangeRow = {
  readonly position: string
  readonly tag: string | null
  readonly before: string | null
  readonly time: Date
  readonly action: string | null
  readonly agent: string | null
}

/**
 * Lists the changes of a document, the newest first.
 *
 * @param page.under  only changes before this position
 * @throws            Problem 404 `changes-logged`, `document-exists` · 401, 403
 */
export async function listChanges(
  session: Session,
  iri: Iri,
  page: {readonly under: string | undefined; readonly limit: number},
): Promise<readonly PastChange[]> {
  const call = callAsCaller(session, 'document_changes', [iri, page.under ?? null, page.limit])
  const rows = await session.database.read(session.reader, (database, after) =>
    ask<ChangeRow>({...session, database}, 'read', {...call, text: `select * from ${call.from}`, after}),
  )
  return rows.map(({position, tag, before, time, action, agent}) => ({
    position,
    tag: tag ?? undefined,
    before: before ?? undefined,
    time,
    action: action ?? undefined,
    agent: agent ?? undefined,
  }))
}

/** Triples that lead from one state to another. */
export type StateDifference = Changes & {readonly tag: string} // tag: of the state to which they lead

type DifferenceRow = StoredTerms & {
  readonly etag: string
  readonly removed_s: readonly string[]
  readonly removed_p: readonly string[]
  readonly removed_o: readonly string[]
  readonly added_s: readonly string[]
  readonly added_p: readonly string[]
  readonly added_o: readonly string[]
}

/**
 * Compares two states, with the names of today.
 *
 * @param to  undefined: the present state
 * @throws    as `readState`
 */
export async function readDifference(
  session: Session,
  iri: Iri,
  from: string,
  to: string | undefined,
): Promise<StateDifference> {
  const call = callAsCaller(session, 'state_difference', [iri, from, to ?? null])
  const row = await askReader<DifferenceRow>(session, {text: `select * from ${call.from}`, ...call})
  if (row === undefined) throw new Error('state_difference gave no row')
  const decode = createGraphDecoder(row, session.terms)
  const {removed_s, removed_p, removed_o, added_s, added_p, added_o} = row
  return {
    tag: row.etag,
    removed: decode({subjects: removed_s, predicates: removed_p, objects: removed_o}, null),
    added: decode({subjects: added_s, predicates: added_p, objects: added_o}, null),
  }
}

/**
 * Replaces a document's graph by that of a state.
 *
 * @throws  Problem 404 `document-exists`, 412 `etag-mismatch`, and as `readState`
 */
export async function restoreDocument(
  session: Session,
  iri: Iri,
  conditions: WriteConditions,
  tag: string,
): Promise<Written> {
  const call = callAsCaller(session, 'restore_document', [iri, ...preconditionValues(conditions), tag])
  const [row] = await ask<RestoredRow>(session, 'write', {text: `select * from ${call.from}`, ...call})
  if (row === undefined) throw new Error('restore_document gave no row')
  return {etag: row.etag, modified: row.modified, isAccessPoint: row.is_access_point, labels: []}
}

type RestoredRow = {readonly etag: string; readonly modified: Date; readonly is_access_point: boolean}
