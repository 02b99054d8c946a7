/**
 * Lists documents as they are, with their triples, for readers that begin to follow the change log.
 *
 * The SQL functions are in sql/functions/change/present.sql.
 */
import type {Iri, Triple} from '../../rdf/term.ts'
import {ask, callAsCaller} from './call.ts'
import {createGraphDecoder, idsText, type StoredTerms} from './graph-codec.ts'
import type {Session} from './session.ts'

export type PresentDocument = {
  readonly document: Iri
  readonly parent: Iri | undefined
  readonly memberBy: Iri | undefined // relation under which its row makes it a member of its parent
  readonly isAccessPoint: boolean
  readonly modified: Date
  readonly tag: string // entity tag without quotes
  readonly triples: readonly Triple[] | undefined // undefined: there are more than 10,000
}

export type PresentPage = {
  readonly documents: readonly PresentDocument[]
  readonly next: readonly string[] | undefined // `walked` of the next page; undefined: this is the last one
}

export type PresentAsked = {
  readonly walked: readonly string[] // where the previous page ended; empty: the first page
  readonly limit: number
  readonly under?: Iri | undefined // the first document; undefined: the root
}

type FirstRow = StoredTerms & {readonly next: string | null}

type DocumentRow = {
  readonly document: Iri
  readonly parent: Iri | null
  readonly member_by: Iri | null
  readonly is_access_point: boolean
  readonly modified: Date
  readonly etag: string
  readonly subjects: readonly string[] | null
  readonly predicates: readonly string[] | null
  readonly objects: readonly string[] | null
  readonly is_large: boolean
}

/** Reads a page of the documents that the session's caller may read, each before those below it. */
export async function readPresent(session: Session, {walked, limit, under}: PresentAsked): Promise<PresentPage> {
  const call = callAsCaller(session, 'read_present', [idsText(walked), limit, under ?? null])
  const rows = await ask(session, 'read', {text: `select * from ${call.from}`, ...call})
  const [first, ...documents] = rows as readonly [FirstRow, ...DocumentRow[]]
  const decode = createGraphDecoder(first, session.terms)
  return {
    next: first.next?.split('.'),
    documents: documents.map(({subjects, predicates, objects, ...row}) => ({
      document: row.document,
      parent: row.parent ?? undefined,
      memberBy: row.member_by ?? undefined,
      isAccessPoint: row.is_access_point,
      modified: row.modified,
      tag: row.etag,
      triples: row.is_large
        ? undefined
        : decode({subjects: subjects ?? [], predicates: predicates ?? [], objects: objects ?? []}, null),
    })),
  }
}
