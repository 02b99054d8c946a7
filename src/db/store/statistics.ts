/**
 * Statistics of a dataset, at bounded cost. The SQL functions are in sql/functions/document/statistics.sql.
 */
import type {Iri} from '../../rdf/term.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Queryable} from '../connection/pool.ts'

export type Count = {
  readonly number: number
  readonly isExact: boolean // counted; otherwise PostgreSQL's estimate
}

export type StoreSizes = {readonly quads: number; readonly terms: number; readonly documents: number} // bytes

export type StoreNumbers = {
  readonly documents: Count
  readonly triples: Count // distinct stored triples
  readonly quads: Count // triples of all documents
  readonly terms: Count // of the dictionary: IRIs, and literals that are not inline
  readonly bytes: StoreSizes // tables with their indexes
}

/** What raw graphs contribute to the numbers of the store. */
export type RawNumbers = {
  readonly graphs: Count
  readonly quads: Count
}

export type Frequent = {readonly iri: Iri; readonly number: number} // an estimate

const countLimit = 100_000 // rows counted: about 10 ms

const none: Count = {number: 0, isExact: true}

export async function readNumbers(queryable: Queryable, schema: string): Promise<StoreNumbers> {
  const rows = await queryable.query<{name: string; number: string; isExact: boolean; bytes: string | null}>(
    `select name, number::text, is_exact as "isExact", bytes::text from ${quoteIdentifier(schema)}.store_numbers($1)`,
    [countLimit],
  )
  const find = (name: string) => rows.find(row => row.name === name)
  const count = (name: string): Count => {
    const row = find(name)
    return row === undefined ? none : {number: Number(row.number), isExact: row.isExact}
  }
  const bytes = (name: string) => Number(find(name)?.bytes ?? 0)
  return {
    documents: count('documents'),
    triples: count('triples'),
    quads: count('quads'),
    terms: count('terms'),
    bytes: {quads: bytes('quads'), terms: bytes('terms'), documents: bytes('documents')},
  }
}

export async function readRawNumbers(queryable: Queryable, schema: string): Promise<RawNumbers> {
  const rows = await queryable.query<{name: string; number: string; isExact: boolean}>(
    `select name, number::text, is_exact as "isExact" from ${quoteIdentifier(schema)}.raw_graph_numbers($1)`,
    [countLimit],
  )
  const count = (name: string): Count => {
    const row = rows.find(each => each.name === name)
    return row === undefined ? none : {number: Number(row.number), isExact: row.isExact}
  }
  return {graphs: count('raw graphs'), quads: count('raw quads')}
}

/** The predicates, documents or raw graphs with the most triples, estimated from PostgreSQL's last sample. */
export async function readFrequent(
  queryable: Queryable,
  schema: string,
  kind: 'predicates' | 'documents' | 'raw graphs',
  limit: number,
): Promise<readonly Frequent[]> {
  const rows = await queryable.query<{iri: Iri; number: string}>(
    `select iri, number::text from ${quoteIdentifier(schema)}.most_frequent($1, $2)`,
    [kind, limit],
  )
  return rows.map(({iri, number}) => ({iri, number: Number(number)}))
}
