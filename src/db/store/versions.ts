/**
 * Reads versions of documents: the states that changes left, in the order of the log, and the states around changes.
 *
 * The SQL functions are in sql/functions/change/versions.sql.
 */
import type {Iri, Triple} from '../../rdf/term.ts'
import {ask, callAsCaller} from './call.ts'
import {createGraphDecoder, type StoredTerms} from './graph-codec.ts'
import type {Session} from './session.ts'

export type Version = {
  readonly position: string // of the change
  readonly time: Date // not before that of an earlier version
  readonly document: Iri // its IRI after the change, or before its deletion
  readonly oldDocument: Iri | undefined // its IRI before a move
  readonly isNew: boolean // the change created the document
  readonly tag: string | undefined // undefined: the change deleted the document
  readonly agent: Iri | undefined
  readonly triples: readonly Triple[] | undefined // undefined: deleted, not asked for, or more than 10,000
}

type VersionRow = StoredTerms & {
  readonly position: string
  readonly time: Date
  readonly document: Iri
  readonly old_document: Iri | null
  readonly before: string | null
  readonly tag: string | null
  readonly agent: string | null
  readonly subjects: readonly string[] | null
  readonly predicates: readonly string[] | null
  readonly objects: readonly string[] | null
  readonly names: Readonly<Record<string, Iri>> | null
}

export type VersionsAsked = {
  readonly after: string // position
  readonly until: string // position
  readonly hasTriples: boolean
}

/**
 * Reads the versions between two positions that the session's caller may read now.
 *
 * @throws  Problem 404 `changes-logged` · 410 `changes-kept`
 */
export async function readVersions(session: Session, asked: VersionsAsked): Promise<readonly Version[]> {
  const call = callAsCaller(session, 'read_versions', [asked.after, asked.until, asked.hasTriples])
  const rows = await ask<VersionRow>(session, 'read', {text: `select * from ${call.from}`, ...call})
  return rows.map(row => versionOf(session, row))
}

function versionOf(session: Session, row: VersionRow): Version {
  const {subjects, predicates, objects, names, tag, old_document: oldDocument} = row
  return {
    position: row.position,
    time: row.time,
    document: row.document,
    oldDocument: (tag === null ? null : oldDocument) ?? undefined,
    isNew: row.before === null,
    tag: tag ?? undefined,
    agent: row.agent ?? undefined,
    triples:
      subjects === null || predicates === null || objects === null
        ? undefined
        : createGraphDecoder(row, session.terms)({subjects, predicates, objects}, names),
  }
}

/** The graphs of a document before a change and after it. */
export type AroundChange = {
  readonly before: readonly Triple[] | undefined // undefined: the document was new
  readonly after: readonly Triple[] | undefined // undefined: it was deleted
  readonly isLarge: boolean // more than 10,000 triples, which are left out
}

type StatesRow = StoredTerms & {
  readonly position: string
  readonly is_large: boolean
  readonly before_names: VersionRow['names']
  readonly after_names: VersionRow['names']
} & {readonly [Name in `${'before' | 'after'}_${'s' | 'p' | 'o'}`]: readonly string[] | null}

/** Reads the states around changes, by their positions. Raw graphs have none. */
export async function readStates(
  session: Session,
  positions: readonly string[],
): Promise<ReadonlyMap<string, AroundChange>> {
  const call = callAsCaller(session, 'read_states', [positions])
  const rows = await ask<StatesRow>(session, 'read', {text: `select * from ${call.from}`, ...call})
  return new Map(rows.map(row => [row.position, statesOf(session, row)]))
}

function statesOf(session: Session, row: StatesRow): AroundChange {
  const decode = createGraphDecoder(row, session.terms)
  const graphOf = (time: 'before' | 'after') => {
    const [subjects, predicates, objects] = [row[`${time}_s`], row[`${time}_p`], row[`${time}_o`]]
    if (subjects === null || predicates === null || objects === null) return undefined
    return decode({subjects, predicates, objects}, row[`${time}_names`])
  }
  return {before: graphOf('before'), after: graphOf('after'), isLarge: row.is_large}
}
