/**
 * What an answer asks of the store beside its rows: sql/functions/97_sparql_answer.sql, typed.
 *
 * Floor 3. Reads only, in the transaction of the query. Ids are decimal strings.
 */
import {Problem} from '../base/problem.ts'
import {quoteIdentifier} from './identifier.ts'
import type {Queryable} from './pool.ts'
import {readRows} from './rows.ts'

export type IdTriple = {readonly s: string; readonly p: string; readonly o: string}

const placesMax = 100_000 // told at once

async function findInHalves(
  queryable: Queryable,
  schema: string,
  triples: readonly IdTriple[],
): Promise<readonly (readonly string[])[]> {
  const middle = triples.length >> 1
  const first = await findGraphs(queryable, schema, triples.slice(0, middle))
  return [...first, ...(await findGraphs(queryable, schema, triples.slice(middle)))]
}

function tooManyPlaces(): Problem {
  const message = `A triple of the result stands in more than ${placesMax} documents: ask for it without contexts.`
  return new Problem(422, 'result-size', message, {members: {limit: placesMax}})
}

/** For each triple, by position, the graphs that hold it; [] for those that are stored nowhere. */
export async function findGraphs(
  queryable: Queryable,
  schema: string,
  triples: readonly IdTriple[],
): Promise<readonly (readonly string[])[]> {
  const graphs = triples.map((): string[] => [])
  if (triples.length === 0) return graphs
  const text = `select n::int4 as n, g from ${quoteIdentifier(schema)}.graphs_of_triples($1, $2, $3) limit $4`
  const values = [triples.map(({s}) => s), triples.map(({p}) => p), triples.map(({o}) => o), placesMax + 1]
  const rows = await queryable.query<{n: number; g: string}>(text, values)
  if (rows.length <= placesMax) for (const {n, g} of rows) graphs[n - 1]?.push(g)
  else if (triples.length > 1) return findInHalves(queryable, schema, triples)
  else throw tooManyPlaces()
  return graphs
}

export type AskedStatements = {
  readonly subjects: readonly string[]
  readonly graphs: readonly string[] | undefined // undefined: all
}

/** All triples with one of these subjects, in batches: of one subject there may be any number. */
export async function* findStatements(
  queryable: Queryable,
  schema: string,
  {subjects, graphs}: AskedStatements,
): AsyncGenerator<readonly IdTriple[]> {
  const among = graphs === undefined ? 'null' : `$1[${subjects.length + 1}:]::int8[]`
  const from = `${quoteIdentifier(schema)}.triples_of_subjects($1[:${subjects.length}]::int8[], ${among})`
  const text = `select s::text as c0, p::text as c1, o::text as c2 from ${from}`
  const parameters = [...subjects, ...(graphs ?? [])]
  const statement = {text, parameters, columnCount: 3, isWalked: false}
  for await (const rows of readRows(queryable, schema, statement, {batchRows: 1000}))
    yield rows.map(([s, p, o]) => ({s: s ?? '', p: p ?? '', o: o ?? ''}))
}

/** Revisions of those ids that are documents. */
export async function findRevisions(
  queryable: Queryable,
  schema: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const text = `select * from ${quoteIdentifier(schema)}.revisions_of($1)`
  const rows = await queryable.query<{id: string; revision: string}>(text, [ids])
  return new Map(rows.map(({id, revision}) => [id, revision]))
}

/** The stored triples of graphs. */
export function readGraphs(
  queryable: Queryable,
  schema: string,
  graphs: readonly string[],
): Promise<readonly (IdTriple & {readonly g: string})[]> {
  const text = `select * from ${quoteIdentifier(schema)}.triples_of_graphs($1)`
  return queryable.query<IdTriple & {g: string}>(text, [graphs])
}
