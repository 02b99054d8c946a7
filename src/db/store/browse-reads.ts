/**
 * Reads for pages that go beyond one document: children in a chosen order, an IRI, the store as a whole.
 *
 * The SQL functions are in sql/functions/document/browse.sql. Each takes one round trip of bounded cost.
 */
import type {Iri, Triple} from '../../rdf/term.ts'
import {askReader, callAsCaller} from './call.ts'
import {type GraphRow, triplesOf} from './graph-codec.ts'
import type {Mention} from './page-reads.ts'
import type {Session} from './session.ts'

export const childOrders = ['created', 'label', 'name', 'modified'] as const
export type ChildOrder = (typeof childOrders)[number]

export type ChildArrangement = {
  readonly order: ChildOrder
  readonly isDown: boolean
  readonly search: string // '' for all
  readonly skip: number
  readonly limit: number
  readonly childLimit: number // of a document with more children none are listed
  readonly properties: readonly Iri[] // of labels
  readonly languages: readonly string[]
}

export type ArrangedChild = {
  readonly iri: Iri
  readonly isAccessPoint: boolean
  readonly memberBy: Iri | undefined
}

/** A page of children; undefined if there are too many to arrange. */
export async function readArrangedChildren(
  session: Session,
  iri: Iri,
  {order, isDown, search, skip, limit, childLimit, properties, languages}: ChildArrangement,
): Promise<{readonly total: number; readonly children: readonly ArrangedChild[]} | undefined> {
  const values = [iri, order, isDown, search, skip, limit, childLimit, properties, languages]
  const call = callAsCaller(session, 'arranged_children', values)
  type Row = {
    readonly total: number | null
    readonly children: readonly (readonly [Iri, boolean, Iri | null])[] | null
  }
  const row = await askReader<Row>(session, {text: `select * from ${call.from}`, ...call})
  if (row === undefined || row.total === null) return undefined
  const children = (row.children ?? []).map(([child, isAccessPoint, memberBy]) => ({
    iri: child,
    isAccessPoint,
    memberBy: memberBy ?? undefined,
  }))
  return {total: row.total, children}
}

export type IriFacts = {
  readonly said: readonly Triple[] // the subject is the document that says it, instead of the IRI
  readonly mentions: readonly Mention[]
}

/** What is said about an IRI in documents that the caller may read, and who mentions it. */
export async function readIri(
  session: Session,
  iri: Iri,
  limits: {readonly triples: number; readonly mentions: number},
): Promise<IriFacts> {
  const call = callAsCaller(session, 'iri_page', [iri, limits.triples, limits.mentions])
  type Row = GraphRow & {readonly mentions: readonly (readonly [Iri, string, Iri])[] | null}
  const row = await askReader<Row>(session, {text: `select * from ${call.from}`, ...call})
  const mentions = (row?.mentions ?? []).map(([document, subject, predicate]) => ({document, subject, predicate}))
  return {said: row === undefined ? [] : triplesOf(row, session.terms), mentions}
}

type Counted = readonly [iri: Iri, count: number]

export type StoreOverview = {
  /** undefined: the caller may not read everything */
  readonly numbers: {readonly documents: number; readonly triples: number; readonly isExact: boolean} | undefined
  readonly classes: readonly Counted[]
  readonly properties: readonly Counted[]
  readonly newest: readonly Iri[]
}

/** @param limits  names: classes, and properties; counted: each is counted up to this number */
export async function readStore(
  session: Session,
  limits: {readonly names: number; readonly counted: number; readonly newest: number},
): Promise<StoreOverview> {
  const call = callAsCaller(session, 'store_page', [limits.names, limits.counted, limits.newest])
  type Row = {
    readonly documents: string | null
    readonly triples: string | null
    readonly is_exact: boolean | null
    readonly classes: readonly Counted[] | null
    readonly properties: readonly Counted[] | null
    readonly newest: readonly Iri[] | null
  }
  const row = await askReader<Row>(session, {text: `select * from ${call.from}`, ...call})
  const isKnown = row !== undefined && row.documents !== null && row.triples !== null
  return {
    numbers: isKnown
      ? {documents: Number(row.documents), triples: Number(row.triples), isExact: row.is_exact === true}
      : undefined,
    classes: row?.classes ?? [],
    properties: row?.properties ?? [],
    newest: row?.newest ?? [],
  }
}
