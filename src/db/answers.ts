/**
 * What an answer asks of the store beside its rows: sql/functions/97_sparql_answer.sql, typed.
 *
 * Floor 3. Reads only, in the transaction of the query. Ids are decimal strings. Where realms are given, only graphs of
 * documents in these count (sql/functions/51_access.sql).
 */
import {quoteIdentifier} from './identifier.ts'
import type {Queryable} from './pool.ts'
import type {Value} from './value.ts'

export type IdTriple = {readonly s: string; readonly p: string; readonly o: string}

type Realms = readonly string[] | undefined // undefined: all graphs

/** For each triple, by position, the graphs that hold it; [] for those that are stored nowhere. */
export async function findGraphs(
  queryable: Queryable,
  schema: string,
  triples: readonly IdTriple[],
  realms: Realms,
): Promise<readonly (readonly string[])[]> {
  const graphs = triples.map((): string[] => [])
  if (triples.length === 0) return graphs
  const values = [triples.map(({s}) => s), triples.map(({p}) => p), triples.map(({o}) => o)]
  const from = `${quoteIdentifier(schema)}.graphs_of_triples($1, $2, $3)`
  const held = within(schema, `select n::int4 as n, g from ${from}`, values, {realms, column: 'g'})
  for (const {n, g} of await queryable.query<{n: number; g: string}>(...held)) graphs[n - 1]?.push(g)
  return graphs
}

/** The rows of a query that tell of graphs, or of documents, in some realms. */
function within(
  schema: string,
  text: string,
  values: readonly Value[],
  {realms, column}: {readonly realms: Realms; readonly column: string},
): [text: string, values: readonly Value[]] {
  if (realms === undefined) return [text, values]
  const document = `${quoteIdentifier(schema)}.document as d where d.id = f.${column}`
  return [
    `select f.* from (${text}) as f where exists (select from ${document} and d.realm = any ($${values.length + 1}))`,
    [...values, realms],
  ]
}

/**
 * All triples with one of these subjects, each once.
 *
 * @param graphs  undefined: all
 */
export function findStatements(
  queryable: Queryable,
  schema: string,
  subjects: readonly string[],
  {graphs, realms}: {readonly graphs: readonly string[] | undefined; readonly realms: Realms},
): Promise<readonly IdTriple[]> {
  if (realms !== undefined) {
    const readable = `select * from ${quoteIdentifier(schema)}.triples_of_subjects_in($1, $2, $3)`
    return queryable.query<IdTriple>(readable, [subjects, graphs ?? null, realms])
  }
  const text = `select * from ${quoteIdentifier(schema)}.triples_of_subjects($1, $2)`
  return queryable.query<IdTriple>(text, [subjects, graphs ?? null])
}

/** Revisions of those ids that are documents. */
export async function findRevisions(
  queryable: Queryable,
  schema: string,
  ids: readonly string[],
  realms: Realms,
): Promise<ReadonlyMap<string, string>> {
  const text = `select * from ${quoteIdentifier(schema)}.revisions_of($1)`
  const asked = within(schema, text, [ids], {realms, column: 'id'})
  const rows = await queryable.query<{id: string; revision: string}>(...asked)
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
