/**
 * Reads for HTML pages: a bounded number of round trips, each of bounded cost.
 *
 * The SQL functions are in sql/functions/58_page.sql.
 */
import {fromStoredText} from '../../rdf/stored-text.ts'
import type {Iri, Triple} from '../../rdf/term.ts'
import type {Value} from '../connection/value.ts'
import {askReader} from './call.ts'
import {type DocumentState, type StateRow, stateOf} from './document-state.ts'
import {createDecoder, type StoredGraph} from './graph-codec.ts'
import {checked} from './guard.ts'
import type {Session} from './session.ts'

export type AccessPoint = {readonly iri: Iri; readonly relation: Iri; readonly inverse: Iri | undefined}

/** A triple of another document that has this document as object. A blank node as subject is its `_:label`. */
export type Mention = {readonly document: Iri; readonly subject: string; readonly predicate: Iri}

export type PageState = {
  readonly state: DocumentState
  readonly childCount: number // children are counted up to a limit
  readonly accessPoints: readonly AccessPoint[]
  readonly mentions: readonly Mention[]
}

export type PageLimits = {
  readonly quads: number // the triples are left out if there are more
  readonly after: string // id of the last child of the previous page; '0' for the first page
  readonly children: number
  readonly counted: number // maximum up to which children are counted
  readonly mentions: number
}

type PageRow = StateRow & {
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

/** Reads a document for its page; undefined if there is none. */
export async function readPage(session: Session, iri: Iri, limits: PageLimits): Promise<PageState | undefined> {
  const values = [iri, limits.quads, limits.after, limits.children, limits.counted, limits.mentions]
  const call = {name: 'read_page', ...pageStatement(session, values)}
  const row = await askReader<PageRow>(session, call, page => (page?.id ?? null) !== null)
  return row === undefined || row.id === null ? undefined : pageOf(row, session.vocabulary)
}

/** Reads part of a document that is too large: the first values of each property, and some other subjects. */
export async function readHeads(
  session: Session,
  documentId: string,
  limits: {readonly values: number; readonly properties: number; readonly others: number},
): Promise<readonly Triple[]> {
  const values = [documentId, limits.values, limits.properties, limits.others]
  const text = `select * from ${session.inSchema}property_heads($1, $2, $3, $4)`
  const row = await askReader<StoredGraph>(session, {name: 'property_heads', text, values})
  return row === undefined ? [] : createDecoder(session.vocabulary)(row)
}

/** Reads values of one property, ordered by id; undefined if there is no such document. */
export async function readValues(
  session: Session,
  iri: Iri,
  property: Iri,
  page: {readonly after: string | undefined; readonly limit: number},
): Promise<ValuesPage | undefined> {
  const call = checked(session, [iri, property, page.after ?? null, page.limit], {modes: ['read']})
  const text = `select v.* from ${call.before}${session.inSchema}values_page(${call.iri}, $2, $3, $4) as v`
  type ValuesRow = StoredGraph & {readonly etag: string | null}
  const row = await askReader<ValuesRow>(
    session,
    {name: 'values_page', text, values: call.values},
    page => (page?.etag ?? null) !== null,
  )
  if (row === undefined || row.etag === null) return undefined
  return {etag: row.etag, triples: createDecoder(session.vocabulary)(row), last: row.objects.at(-1)}
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
  const asked = [iri, subject, page.property ?? null, page.after?.[0] ?? null, page.after?.[1] ?? null, page.limit]
  const {before, iri: place, values} = checked(session, asked, {modes: ['read']})
  const text = `select s.* from ${before}${session.inSchema}subject_page(${place}, $2, $3, $4, $5, $6) as s`
  type SubjectRow = StoredGraph & {readonly etag: string | null; readonly before: TriplePlace | null}
  const call = {name: 'subject_page', text, values}
  const row = await askReader<SubjectRow>(session, call, page => (page?.etag ?? null) !== null)
  if (row === undefined || row.etag === null) return undefined
  const [property, value] = [row.predicates.at(-1), row.objects.at(-1)]
  const last = property === undefined || value === undefined ? undefined : ([property, value] as const)
  return {etag: row.etag, triples: createDecoder(session.vocabulary)(row), last, before: row.before ?? undefined}
}

/** Where the page before the one after `after` begins: '0' for the first page. */
export async function readPlaceBefore(session: Session, iri: Iri, after: string, limit: number): Promise<string> {
  const {before, iri: place, values} = checked(session, [iri, after, limit], {modes: ['read']})
  const called = `${session.inSchema}place_before(${place}, $2, $3)`
  const text = `select p.place::text as place from ${before}${called} as p (place)`
  const row = await askReader<{readonly place: string}>(session, {name: 'place_before', text, values})
  return row?.place ?? '0'
}

/** The same for values of a property; undefined for the first page. */
export async function readValuesBefore(
  session: Session,
  iri: Iri,
  property: Iri,
  {after, limit}: {readonly after: string; readonly limit: number},
): Promise<string | undefined> {
  const {before, iri: place, values} = checked(session, [iri, property, after, limit], {modes: ['read']})
  const called = `${session.inSchema}values_place_before(${place}, $2, $3, $4)`
  const text = `select p.place::text as place from ${before}${called} as p (place)`
  const row = await askReader<{readonly place: string | null}>(session, {name: 'values_place_before', text, values})
  return row?.place ?? undefined
}

/** Labels by IRI, for the IRIs that have one in the store. */
export async function readLabels(
  session: Session,
  iris: readonly Iri[],
  by: {readonly properties: readonly Iri[]; readonly languages: readonly string[]},
): Promise<ReadonlyMap<Iri, string>> {
  if (iris.length === 0) return new Map()
  const grantees = session.caller?.grantees
  const called = grantees === undefined ? 'labels_of($1, $2, $3)' : 'labels_for($1, $2, $3, $4)'
  const text = `select ${session.inSchema}${called} as labels`
  const values = [iris, by.properties, by.languages, ...(grantees === undefined ? [] : [grantees])]
  type LabelsRow = {readonly labels: Readonly<Record<Iri, string>> | null}
  const row = await askReader<LabelsRow>(session, {name: 'labels_of', text, values})
  return new Map(Object.entries(row?.labels ?? {}).map(([iri, label]) => [iri, fromStoredText(label)]))
}

/** Properties and classes in use, at most `limit` of each. */
export async function readUsedNames(session: Session, limit: number): Promise<UsedNames> {
  const text = `select * from ${session.inSchema}used_names($1)`
  const row = await askReader<UsedNames>(session, {name: 'used_names', text, values: [limit]})
  return row ?? {properties: [], classes: []}
}

function pageStatement(session: Session, asked: readonly Value[]) {
  const {before, iri, grantees, values} = checked(session, asked, {modes: ['read']})
  const limits = `${iri}, $2, $3, $4, $5, $6`
  const name = before === '' ? `read_page(${limits})` : `read_page_for(${limits}, ${grantees})`
  const modes = before === '' ? '' : ', p.own_modes, p.public_modes'
  const text = `select (p.state).*, p.child_count, p.points, p.mentions as mentioned${modes}
           from ${before}${session.inSchema}${name} as p`
  return {text, values}
}

function pageOf(row: PageRow, vocabulary: ReadonlyMap<string, Iri>) {
  return {
    state: stateOf(row, vocabulary),
    childCount: row.child_count,
    accessPoints: (row.points ?? []).map(([iri, relation, inverse]) => ({
      iri,
      relation,
      inverse: inverse ?? undefined,
    })),
    mentions: (row.mentioned ?? []).map(([document, subject, predicate]) => ({document, subject, predicate})),
  }
}
