/**
 * What an answer asks of the store beside its rows: sql/functions/97_sparql_answer.sql, typed.
 *
 * Floor 3. Reads only, in the transaction of the query. Ids are decimal strings.
 */
import {quoteIdentifier} from './identifier.ts'
import type {Queryable} from './pool.ts'

export type IdTriple = {readonly s: string; readonly p: string; readonly o: string}

/** For each triple, by position, the graphs that hold it; [] for those that are stored nowhere. */
export async function findGraphs(
  queryable: Queryable,
  schema: string,
  triples: readonly IdTriple[],
): Promise<readonly (readonly string[])[]> {
  const graphs = triples.map((): string[] => [])
  if (triples.length === 0) return graphs
  const text = `select n::int4 as n, g from ${quoteIdentifier(schema)}.graphs_of_triples($1, $2, $3)`
  const values = [triples.map(({s}) => s), triples.map(({p}) => p), triples.map(({o}) => o)]
  for (const {n, g} of await queryable.query<{n: number; g: string}>(text, values)) graphs[n - 1]?.push(g)
  return graphs
}

/**
 * All triples with one of these subjects.
 *
 * @param graphs  undefined: all
 */
export function findStatements(
  queryable: Queryable,
  schema: string,
  subjects: readonly string[],
  graphs: readonly string[] | undefined,
): Promise<readonly IdTriple[]> {
  const text = `select * from ${quoteIdentifier(schema)}.triples_of_subjects($1, $2)`
  return queryable.query<IdTriple>(text, [subjects, graphs ?? null])
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
