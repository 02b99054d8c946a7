/**
 * The state of a document, decoded from a row of the SQL function `document_state`.
 *
 * Pure. The SQL function is in sql/functions/55_read.sql.
 */
import type {Iri, Triple} from '../../rdf/term.ts'
import type {Mode} from './caller.ts'
import {createDecoder, type StoredTerms} from './graph-codec.ts'

export type Child = {
  readonly id: string // cursor for the next page
  readonly iri: Iri
  readonly isAccessPoint: boolean
  readonly memberBy: Iri | undefined // the relation under which it is a member of the parent
}

/** A page of the members of an access point's container document. */
export type MemberPage = {
  readonly container: Iri
  readonly relation: Iri
  readonly members: readonly {readonly id: string; readonly iri: Iri}[]
}

export type DocumentState = {
  readonly id: string
  readonly etag: string // without quotes
  readonly created: Date
  readonly modified: Date
  readonly isAccessPoint: boolean
  readonly triples: readonly Triple[] | undefined // undefined: the client has them, or there are too many for one read
  readonly children: readonly Child[]
  readonly members: MemberPage | undefined // only of an access point, if a page was requested
  readonly allowed?: Allowed | undefined // only with access control
}

/** The modes that the caller and everybody have on a document, without modes that combine others. */
export type Allowed = {readonly own: readonly Mode[]; readonly everybody: readonly Mode[]}

/** Columns of a row that is read with access control. */
export type AllowedRow = {readonly own_modes?: readonly Mode[]; readonly public_modes?: readonly Mode[]}

export function allowedOf({own_modes: own, public_modes: everybody}: AllowedRow): Allowed | undefined {
  return own === undefined || everybody === undefined ? undefined : {own, everybody}
}

export type StateRow = AllowedRow & {
  readonly id: string | null
  readonly etag: string
  readonly created: Date
  readonly modified: Date
  readonly is_access_point: boolean
  readonly subjects: string[] | null
  readonly predicates: string[] | null
  readonly objects: string[] | null
  readonly terms: StoredTerms | null
  readonly children: readonly [string, Iri, boolean, Iri | null][] | null
  readonly members: readonly [container: Iri, relation: Iri, members: readonly [string, Iri][]] | null
}

/** @param vocabulary  the terms with ids below 1000, which rows leave out */
export function stateOf(row: StateRow, vocabulary: ReadonlyMap<string, Iri>): DocumentState {
  const {subjects, predicates, objects, terms, children, members} = row
  const isWhole = subjects !== null && predicates !== null && objects !== null
  return {
    id: row.id ?? '',
    etag: row.etag,
    created: row.created,
    modified: row.modified,
    isAccessPoint: row.is_access_point,
    triples: isWhole ? createDecoder(vocabulary)({subjects, predicates, objects, terms}) : undefined,
    children: (children ?? []).map(([id, iri, isAccessPoint, memberBy]) => {
      return {id, iri, isAccessPoint, memberBy: memberBy ?? undefined}
    }),
    members: members === null ? undefined : memberPage(members),
    allowed: allowedOf(row),
  }
}

function memberPage([container, relation, members]: NonNullable<StateRow['members']>): MemberPage {
  return {container, relation, members: members.map(([id, iri]) => ({id, iri}))}
}
