/**
 * Reading for pages that people look at: a bounded number of round trips, each of bounded cost.
 *
 * Floor 3. sql/functions/58_page.sql is the other end.
 */
import {fromStoredText} from '../rdf/stored-text.ts'
import type {Iri, Triple} from '../rdf/term.ts'
import {type DocumentState, type StateRow, stateOf} from './document-state.ts'
import {createDecoder, type StoredGraph} from './graph-codec.ts'
import type {Database} from './pool.ts'
import type {LogPosition, Reader} from './reader.ts'
import type {Session} from './session.ts'
import type {Value} from './value.ts'

export type AccessPoint = {readonly iri: Iri; readonly relation: Iri; readonly inverse: Iri | undefined}

/** A triple of another document that has this one as object; the subject of a blank node is its `_:label`. */
export type Mention = {readonly document: Iri; readonly subject: string; readonly predicate: Iri}

export type PageState = {
  readonly state: DocumentState
  readonly childCount: number // as far as it was counted
  readonly accessPoints: readonly AccessPoint[]
  readonly mentions: readonly Mention[]
}

export type PageLimits = {
  readonly quads: number // more are not read
  readonly after: string // id of the last child of the page before; '0'
  readonly children: number
  readonly counted: number // children are counted so far
  readonly mentions: number
}

type PageRow = StateRow & {
  readonly child_count: number
  readonly points: readonly [Iri, Iri, Iri | null][] | null
  readonly mentioned: readonly [Iri, string, Iri][] | null
}

/** A page of one property's values. */
export type ValuesPage = {
  readonly etag: string
  readonly triples: readonly Triple[]
  readonly last: string | undefined // id of the last value; undefined when there is none
}

export type UsedNames = {readonly properties: readonly Iri[]; readonly classes: readonly Iri[]}

export function createPageReads(session: Session) {
  const {inSchema, vocabulary} = session
  const ask = createAsk(session)
  const decode = (graph: StoredGraph) => createDecoder(vocabulary)(graph)

  return {
    /** A document as a page shows it; undefined when there is none. */
    async readPage(iri: Iri, limits: PageLimits, reader?: Reader): Promise<PageState | undefined> {
      const values = [iri, limits.quads, limits.after, limits.children, limits.counted, limits.mentions]
      const row = await ask<PageRow>(
        reader,
        `select (p.state).*, p.child_count, p.points, p.mentions as mentioned
           from ${inSchema}read_page($1, $2, $3, $4, $5, $6) as p`,
        values,
        page => page !== undefined && page.id !== null,
      )
      return row === undefined || row.id === null ? undefined : pageOf(row, vocabulary)
    },

    /** A part of a document that is too large to be shown whole: first values of each property, some other subjects. */
    async readHeads(
      documentId: string,
      limits: {readonly values: number; readonly properties: number; readonly others: number},
      reader?: Reader,
    ): Promise<readonly Triple[]> {
      const values = [documentId, limits.values, limits.properties, limits.others]
      const row = await ask<StoredGraph>(reader, `select * from ${inSchema}property_heads($1, $2, $3, $4)`, values)
      return row === undefined ? [] : decode(row)
    },

    /** Values of one property in the order of their ids; undefined when there is no such document. */
    async readValues(
      iri: Iri,
      property: Iri,
      page: {readonly after: string | undefined; readonly limit: number},
      reader?: Reader,
    ): Promise<ValuesPage | undefined> {
      const values = [iri, property, page.after ?? null, page.limit]
      const text = `select * from ${inSchema}values_page($1, $2, $3, $4)`
      const isThere = (found?: {readonly etag: string | null}) => (found?.etag ?? null) !== null
      const row = await ask<StoredGraph & {readonly etag: string | null}>(reader, text, values, isThere)
      if (row === undefined || row.etag === null) return undefined
      return {etag: row.etag, triples: decode(row), last: row.objects.at(-1)}
    },

    ...createNameReads(session),
  }
}

function createNameReads(session: Session) {
  const {inSchema} = session
  const ask = createAsk(session)
  return {
    /** Labels by IRI, of those that have one in the store. */
    async readLabels(
      iris: readonly Iri[],
      by: {readonly properties: readonly Iri[]; readonly languages: readonly string[]},
      reader?: Reader,
    ): Promise<ReadonlyMap<Iri, string>> {
      if (iris.length === 0) return new Map()
      const text = `select ${inSchema}labels_of($1, $2, $3) as labels`
      const values = [iris, by.properties, by.languages]
      const row = await ask<{labels: Readonly<Record<Iri, string>> | null}>(reader, text, values)
      return new Map(Object.entries(row?.labels ?? {}).map(([iri, label]) => [iri, fromStoredText(label)]))
    },

    /** Properties and classes in use, at most `limit` of each. */
    async readUsedNames(limit: number, reader?: Reader): Promise<UsedNames> {
      const row = await ask<UsedNames>(reader, `select * from ${inSchema}used_names($1)`, [limit])
      return row ?? {properties: [], classes: []}
    },
  }
}

/** Asks a function that answers with one row, of a server that may answer the reader. */
function createAsk({database, retry}: Session) {
  return <Row extends object>(
    reader: Reader | undefined,
    text: string,
    values: readonly Value[],
    isEnough: (row: Row | undefined) => boolean = () => true,
  ): Promise<Row | undefined> => {
    const find = async (server: Database, after: LogPosition | undefined) => {
      const [row] = await retry('read', () => server.query<Row>(text, values, {after}))
      return row
    }
    return database.read<Row | undefined>(reader, find, {isEnough})
  }
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
