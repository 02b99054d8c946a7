/**
 * Reads what a query result needs besides its rows: graphs of triples, revisions of documents.
 *
 * Reads only, in the transaction of the query. The SQL functions are in sql/functions/sparql/8_answer.sql. Ids are
 * decimal strings. If realms are given, only graphs of documents in these are read (sql/functions/access/access.sql).
 */
import {Problem} from '../../base/problem.ts'
import {type Realms as GivenRealms, readRealms} from '../../base/realms.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Queryable} from '../connection/pool.ts'
import type {SqlValue} from '../connection/value.ts'

export type IdTriple = {readonly s: string; readonly p: string; readonly o: string}

type Realms = GivenRealms | undefined // undefined: all graphs

const placesMax = 100_000 // maximum of graphs that one call returns

async function findInHalves(
  queryable: Queryable,
  schema: string,
  triples: readonly IdTriple[],
  realms: Realms,
): Promise<readonly (readonly string[])[]> {
  const middle = triples.length >> 1
  const first = await findGraphs(queryable, schema, triples.slice(0, middle), realms)
  return [...first, ...(await findGraphs(queryable, schema, triples.slice(middle), realms))]
}

function tooManyPlaces(): Problem {
  const message = `A triple of the result stands in more than ${placesMax} documents: ask for it without contexts.`
  return new Problem(422, 'result-size', message, {members: {limit: placesMax}})
}

/** For each triple, by position, the graphs that contain it; [] for a triple that is not stored. */
export async function findGraphs(
  queryable: Queryable,
  schema: string,
  triples: readonly IdTriple[],
  realms: Realms,
): Promise<readonly (readonly string[])[]> {
  const graphs = triples.map((): string[] => [])
  if (triples.length === 0) return graphs
  const values = [triples.map(({s}) => s), triples.map(({p}) => p), triples.map(({o}) => o), placesMax + 1]
  const from = `${quoteIdentifier(schema)}.graphs_of_triples($1, $2, $3)`
  const held = inRealms(schema, `select n::int4 as n, g from ${from}`, values, {realms, column: 'g'})
  const rows = await queryable.query<{n: number; g: string}>(`${held[0]} limit $4`, held[1])
  if (rows.length <= placesMax) for (const {n, g} of rows) graphs[n - 1]?.push(g)
  else if (triples.length > 1) return findInHalves(queryable, schema, triples, realms)
  else throw tooManyPlaces()
  return graphs
}

/** Restricts a query on graphs or documents to the given realms, which granted_realms returned. */
function inRealms(
  schema: string,
  text: string,
  values: readonly SqlValue[],
  {realms, column}: {readonly realms: Realms; readonly column: string},
): [text: string, values: readonly SqlValue[]] {
  if (realms === undefined) return [text, values]
  const {isExcept, ids} = readRealms(realms)
  const document = `${quoteIdentifier(schema)}.document as d where d.id = f.${column}`
  const held = `exists (select from ${document} and d.realm = any ($${values.length + 1}))`
  return [`select f.* from (${text}) as f where ${isExcept ? 'not ' : ''}${held}`, [...values, ids]]
}

/** The revisions of the ids that are documents. */
export async function findRevisions(
  queryable: Queryable,
  schema: string,
  ids: readonly string[],
  realms: Realms,
): Promise<ReadonlyMap<string, string>> {
  const text = `select * from ${quoteIdentifier(schema)}.revisions_of($1)`
  const asked = inRealms(schema, text, [ids], {realms, column: 'id'})
  const rows = await queryable.query<{id: string; revision: string}>(...asked)
  return new Map(rows.map(({id, revision}) => [id, revision]))
}

/** The stored triples of graphs. */
export function readGraphTriples(
  queryable: Queryable,
  schema: string,
  graphs: readonly string[],
): Promise<readonly (IdTriple & {readonly g: string})[]> {
  const text = `select * from ${quoteIdentifier(schema)}.triples_of_graphs($1)`
  return queryable.query<IdTriple & {g: string}>(text, [graphs])
}
