/**
 * Reads the change log: what changed in documents, in the order of positions (docs/changes.md).
 *
 * The SQL functions are in sql/functions/change.
 */
import type {Iri, Triple} from '../../rdf/term.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database} from '../connection/pool.ts'
import {ask, callAsCaller} from './call.ts'
import {createGraphDecoder, type StoredTerms} from './graph-codec.ts'
import type {Session} from './session.ts'
import {type AroundChange, readStates} from './versions.ts'

/** What happened to a document. `changed`: a consequence of a change of another document. */
export const changeActions = [
  'created',
  'replaced',
  'patched',
  'members-added',
  'members-removed',
  'deleted',
  'moved',
  'imported',
  'changed',
] as const

export type ChangeAction = (typeof changeActions)[number]

export type Change = {
  readonly position: string // decimal; later changes have greater ones
  readonly time: Date
  readonly action: ChangeAction
  readonly document: Iri // its IRI after the change, or before its deletion
  readonly oldDocument: Iri | undefined // its IRI before a move
  readonly parent: Iri | undefined // undefined: the root, or a raw graph
  /** The relation under which its parent had it as a member from birth, after the change; only with triples. */
  readonly memberBy: Iri | undefined
  readonly isAccessPoint: boolean
  readonly isRawGraph: boolean // imported or deleted as a whole; the log does not have its triples
  readonly before: string | undefined // entity tag without quotes; undefined: the document is new
  readonly after: string | undefined // undefined: the document is gone
  readonly agent: string | undefined // IRI; undefined: anonymous, or the operator
  readonly request: string | undefined // id of the request
  /** Undefined: triples were not asked for, or there are too many. A blank node has the same label in all changes. */
  readonly added: readonly Triple[] | undefined
  readonly removed: readonly Triple[] | undefined
  readonly isLarge: boolean // more than 10,000 triples, which are left out
  readonly around?: AroundChange | undefined // undefined: not asked for, or a raw graph
  readonly isRenamed: boolean // a move renamed terms: more has changed than the triples say; only with triples
  readonly accessPoints: readonly Iri[] // whose lists a change of members has changed; only with triples
}

export type ChangesAsked = {
  readonly after: string // position
  readonly limit: number // greatest number of changes
  readonly under?: Iri | undefined // only documents whose IRI begins with it, before or after the change
  readonly actions?: readonly ChangeAction[] | undefined // undefined: all
  readonly hasTriples?: boolean | undefined
  readonly hasStates?: boolean | undefined // the graphs before and after
}

export type ChangesPage = {
  readonly changes: readonly Change[]
  readonly next: string // position to go on from; also beyond changes that were left out
  readonly isEnd: boolean // there were no further changes when the page was read
}

/** The positions between which the log can be read. */
export type ChangeRange = {
  readonly oldest: string // the log is complete after this position
  readonly last: string // of the last visible change
  readonly isOn: boolean // whether writes are logged
  readonly grantsRevision: string // number of the last change of grants
}

type ChangeRow = {
  readonly position: string
  readonly time: Date
  readonly action: ChangeAction
  readonly document: Iri
  readonly old_document: Iri | null
  readonly parent: Iri | null
  readonly member_by: Iri | null
  readonly is_access_point: boolean
  readonly is_raw: boolean
  readonly is_large: boolean
  readonly is_renamed: boolean
  readonly before: string | null
  readonly etag: string | null
  readonly agent: string | null
  readonly request_id: string | null
  readonly names: Readonly<Record<string, Iri>> | null
  readonly old_names: Readonly<Record<string, Iri>> | null
  readonly access_points: readonly Iri[] | null
} & {readonly [Name in `${'added' | 'removed'}_${'s' | 'p' | 'o'}`]: readonly string[] | null}

type FirstRow = StoredTerms & {readonly next: string; readonly is_end: boolean}

/**
 * Reads changes in the order of their positions, as the session's caller may read the documents now.
 *
 * A change of a deleted document may be read by those who may read its realm (docs/security.md).
 *
 * @throws  Problem 410 `changes-kept`: changes after the position are no longer kept · 404 `changes-logged`
 */
export async function readChanges(session: Session, asked: ChangesAsked): Promise<ChangesPage> {
  const {after, limit, under = null, actions = null, hasTriples = false, hasStates = false} = asked
  const call = callAsCaller(session, 'read_changes', [after, limit, under, actions, hasTriples])
  const rows = await ask(session, 'read', {text: `select * from ${call.from}`, ...call})
  const [first, ...changes] = rows as readonly [FirstRow, ...ChangeRow[]]
  const decode = createGraphDecoder(first, session.terms)
  const graphOf = (
    subjects: readonly string[] | null,
    predicates: readonly string[] | null,
    objects: readonly string[] | null,
    names: ChangeRow['names'],
  ): Triple[] =>
    subjects === null || predicates === null || objects === null ? [] : decode({subjects, predicates, objects}, names)
  const states =
    hasStates && changes.length > 0
      ? await readStates(
          session,
          changes.map(row => row.position),
        )
      : undefined
  return {
    changes: changes.map(row => ({
      around: states?.get(row.position),
      ...changeOf(row),
      memberBy: hasTriples ? (row.member_by ?? undefined) : undefined,
      isRenamed: hasTriples && row.is_renamed,
      added: hasTriples && !row.is_large ? graphOf(row.added_s, row.added_p, row.added_o, row.names) : undefined,
      removed:
        hasTriples && !row.is_large ? graphOf(row.removed_s, row.removed_p, row.removed_o, row.old_names) : undefined,
    })),
    next: first.next,
    isEnd: first.is_end,
  }
}

function changeOf(row: ChangeRow): Omit<Change, 'memberBy' | 'isRenamed' | 'added' | 'removed'> {
  const {position, time, action, document, old_document: oldDocument, etag} = row
  return {
    position,
    time,
    action,
    document,
    oldDocument: etag === null ? undefined : (oldDocument ?? undefined),
    parent: row.parent ?? undefined,
    isAccessPoint: row.is_access_point,
    isRawGraph: row.is_raw,
    isLarge: row.is_large,
    before: row.before ?? undefined,
    after: etag ?? undefined,
    agent: row.agent ?? undefined,
    request: row.request_id ?? undefined,
    accessPoints: row.access_points ?? [],
  }
}

export async function readChangeRange(database: Database, schema: string): Promise<ChangeRange> {
  const text = `select r.first::text as oldest, r.last::text as last, r.is_on as "isOn",
    r.grants_revision::text as "grantsRevision" from ${quoteIdentifier(schema)}.change_range() as r`
  const [row] = await database.query<ChangeRange>(text, [], {share: 'read'})
  if (row === undefined) throw new Error('change_range gave no row')
  return row
}

/** How long changes are kept, in seconds. Off: they are not logged. */
export type ChangesKept = number | 'off' | 'forever'

/**
 * Sets whether changes are logged, and how long they are kept.
 *
 * @throws  Problem 503 `busy`: a long write is running, and the log must be turned on or off
 */
export async function keepChanges(database: Database, schema: string, kept: ChangesKept): Promise<void> {
  const period = typeof kept === 'number' ? `${kept} seconds` : kept
  await database.query(`select from ${quoteIdentifier(schema)}.keep_changes($1)`, [period], {share: 'write'})
}

/** Deletes some expired changes. @returns the number of deleted rows; 0 if nothing has expired */
export async function expireChanges(database: Database, schema: string, portion: number): Promise<number> {
  return workOn(database, schema, 'expire_changes', portion)
}

/**
 * Considers some changes for kept states, from which the service computes older states of documents that change often.
 *
 * @returns  the number of rows of the log that were looked at; 0 if there are none
 */
export async function keepStates(database: Database, schema: string, portion: number): Promise<number> {
  return workOn(database, schema, 'keep_states', portion)
}

async function workOn(database: Database, schema: string, name: string, portion: number): Promise<number> {
  const text = `select ${quoteIdentifier(schema)}.${name}($1)::float8 as rows`
  const [row] = await database.query<{readonly rows: number}>(text, [portion], {share: 'write'})
  return row?.rows ?? 0
}
