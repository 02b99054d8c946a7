/**
 * Reads for HTML pages: a bounded number of round trips, each of bounded cost.
 *
 * The SQL functions are in sql/functions/document/page.sql.
 */
import {fromStoredText} from '../../rdf/stored-text.ts'
import type {Iri, Triple} from '../../rdf/term.ts'
import {askReader, callAsCaller} from './call.ts'
import {type DocumentRow, type DocumentState, documentOf, type GraphRow, triplesOf} from './graph-codec.ts'
import type {Session} from './session.ts'

export type AccessPoint = {readonly iri: Iri; readonly relation: Iri; readonly inverse: Iri | undefined}

/** A triple of another document that has this document as object. A blank node as subject is its `_:label`. */
export type Mention = {readonly document: Iri; readonly subject: string; readonly predicate: Iri}

export type PageState = {
  readonly state: DocumentState
  readonly isPart: boolean // the document is too large; its triples are a part
  readonly childCount: number // children are counted up to a limit
  readonly accessPoints: readonly AccessPoint[]
  readonly mentions: readonly Mention[]
}

export type PageLimits = {
  readonly after: string // id of the last child of the previous page; '0' for the first page
  readonly children: number
  readonly counted: number // maximum up to which children are counted
  readonly mentions: number
  readonly quads: number // of a document with more triples only the heads are read
  readonly heads: {
    readonly values: number // of each property
    readonly properties: number
    readonly others: number // triples that are searched for other subjects
  }
}

type PageRow = DocumentRow & {
  readonly is_part: boolean
  readonly child_count: number
  readonly points: readonly [Iri, Iri, Iri | null][] | null
  readonly mentioned: readonly [Iri, string, Iri][] | null
}

/** A page of the values of one property. */
export type ValuesPage = {
  readonly etag: string
  readonly triples: readonly Triple[]
  readonly last: string | undefined // id of the last value; undefined if there is none
}

/** A page of the triples of one subject in a document. */
export type SubjectPage = {
  readonly etag: string
  readonly triples: readonly Triple[]
  readonly last: TriplePlace | undefined // undefined if there is none
  readonly before: TriplePlace | undefined // where the previous page begins; undefined on the first page
}

export type TriplePlace = readonly [property: string, value: string] // ids

export type UsedNames = {readonly properties: readonly Iri[]; readonly classes: readonly Iri[]}

/** Reads a document for its page; undefined if there is none. Problem 401, 403: the caller may not read it. */
export async function readPage(session: Session, iri: Iri, limits: PageLimits): Promise<PageState | undefined> {
  const {after, children, counted, mentions, quads, heads} = limits
  const values = [iri, after, children, counted, mentions, quads, heads.values, heads.properties, heads.others]
  const call = callAsCaller(session, 'read_page', values)
  const text = `select (p.state).*, p.is_part, p.child_count, p.points, p.mentions as mentioned from ${call.from} as p`
  const row = await askReader<PageRow>(session, {text, ...call}, page => (page?.id ?? null) !== null)
  const state = row && documentOf(row, session.terms)
  if (row === undefined || state === undefined) return undefined
  return {
    state,
    isPart: row.is_part,
    childCount: row.child_count,
    accessPoints: (row.points ?? []).map(([iri, relation, inverse]) => ({
      iri,
      relation,
      inverse: inverse ?? undefined,
    })),
    mentions: (row.mentioned ?? []).map(([document, subject, predicate]) => ({document, subject, predicate})),
  }
}

/** Reads values of one property, ordered by id; undefined if there is no such document. */
export async function readValues(
  session: Session,
  iri: Iri,
  property: Iri,
  page: {readonly after: string | undefined; readonly limit: number},
): Promise<ValuesPage | undefined> {
  const call = callAsCaller(session, 'values_page', [iri, property, page.after ?? null, page.limit])
  const text = `select * from ${call.from}`
  type ValuesRow = GraphRow & {readonly etag: string | null}
  const row = await askReader<ValuesRow>(session, {text, ...call}, page => (page?.etag ?? null) !== null)
  if (row === undefined || row.etag === null) return undefined
  return {etag: row.etag, triples: triplesOf(row, session.terms), last: row.objects.at(-1)}
}

/**
 * Reads the triples of one subject, ordered by the ids of property and value; undefined if there is no such document.
 */
export async function readSubject(
  session: Session,
  iri: Iri,
  subject: Iri,
  page: {readonly property: Iri | undefined; readonly after: TriplePlace | undefined; readonly limit: number},
): Promise<SubjectPage | undefined> {
  const {property: first, after: [afterProperty, afterValue] = [], limit} = page
  const values = [iri, subject, first ?? null, afterProperty ?? null, afterValue ?? null, limit]
  const call = callAsCaller(session, 'subject_page', values)
  const text = `select * from ${call.from}`
  type SubjectRow = GraphRow & {readonly etag: string | null; readonly before: TriplePlace | null}
  const row = await askReader<SubjectRow>(session, {text, ...call}, page => (page?.etag ?? null) !== null)
  if (row === undefined || row.etag === null) return undefined
  const [property, value] = [row.predicates.at(-1), row.objects.at(-1)]
  const last = property === undefined || value === undefined ? undefined : ([property, value] as const)
  return {etag: row.etag, triples: triplesOf(row, session.terms), last, before: row.before ?? undefined}
}

/** Where the page before the one after `after` begins: '0' for the first page. */
export async function readPlaceBefore(session: Session, iri: Iri, after: string, limit: number): Promise<string> {
  const call = callAsCaller(session, 'place_before', [iri, after, limit])
  const text = `select p.place from ${call.from} as p (place)`
  const row = await askReader<{readonly place: string}>(session, {text, ...call})
  return row?.place ?? '0'
}

/** The same for values of a property; undefined for the first page. */
export async function readValuesBefore(
  session: Session,
  iri: Iri,
  property: Iri,
  {after, limit}: {readonly after: string; readonly limit: number},
): Promise<string | undefined> {
  const call = callAsCaller(session, 'values_place_before', [iri, property, after, limit])
  const text = `select p.place from ${call.from} as p (place)`
  const row = await askReader<{readonly place: string | null}>(session, {text, ...call})
  return row?.place ?? undefined
}

/** Labels by IRI, for the IRIs that have one in the store. */
export async function readLabels(
  session: Session,
  iris: readonly Iri[],
  by: {readonly properties: readonly Iri[]; readonly languages: readonly string[]},
): Promise<ReadonlyMap<Iri, string>> {
  if (iris.length === 0) return new Map()
  const call = callAsCaller(session, 'labels_of', [iris, by.properties, by.languages])
  const text = `select l.labels from ${call.from} as l (labels)`
  type LabelsRow = {readonly labels: Readonly<Record<Iri, string>> | null}
  const row = await askReader<LabelsRow>(session, {text, ...call})
  return new Map(Object.entries(row?.labels ?? {}).map(([iri, label]) => [iri, fromStoredText(label)]))
}

/** Properties and classes in use, at most `limit` of each. */
export async function readUsedNames(session: Session, limit: number): Promise<UsedNames> {
  const text = `select * from ${session.inSchema}used_names($1)`
  const row = await askReader<UsedNames>(session, {name: 'used_names', text, values: [limit]})
  return row ?? {properties: [], classes: []}
}
