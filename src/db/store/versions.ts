/**
 * Reads versions of documents: the states that changes left, in the order of the log.
 *
 * The SQL function is in sql/functions/change/versions.sql.
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
  const rows = await ask<VersionRow>(session, 'read', {...call, text: `select * from ${call.from}`})
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
