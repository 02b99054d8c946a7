/**
 * Data and queries with large answers.
 *
 * Each triple has a subject of its own, one of ten predicates, and a unique text, so that no cache or compression makes
 * it small.
 */
import type {Database} from '../../src/db/connection/pool.ts'

export type LargeQuery = {readonly name: string; readonly accept: string; readonly text: string}

const ex = 'http://example.org/ns#'
const select = 'SELECT ?s ?p ?o { ?s ?p ?o }'
const solutions = [
  'application/sparql-results+json',
  'application/sparql-results+xml',
  'text/csv',
  'text/tab-separated-values',
]
const graphs = ['application/n-triples', 'text/turtle']
const constructs = {
  'triples as they are': `CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }`,
  'triples that repeat': `CONSTRUCT { ?s ?p ?o . ?p a <${ex}Property> } { ?s ?p ?o }`,
  'triples that are new': `CONSTRUCT { ?s <${ex}length> ?n . ?n <${ex}of> ?s } { ?s ?p ?o BIND(STRLEN(?o) AS ?n) }`,
}

export const largeQueries: readonly LargeQuery[] = [
  ...solutions.map(accept => ({name: `SELECT, ${accept}`, accept, text: select})),
  ...Object.entries(constructs).flatMap(([name, text]) =>
    graphs.map(accept => ({name: `CONSTRUCT ${name}, ${accept}`, accept, text})),
  ),
]

/** Stores the given number of triples in one raw graph. */
export async function fillTriples(database: Database, count: number): Promise<void> {
  await database.begin('read committed', async transaction => {
    await transaction.query('set local search_path to quadstead')
    await transaction.query('set local plan_cache_mode to force_custom_plan') // the arrays are long
    const step = 50_000
    for (let start = 0; start < count; start += step) {
      await transaction.query(
        `with n as (select generate_series($1::int8, $2::int8) as i),
              t as materialized (select intern_terms(array_agg('I${ex}s' || i order by i)) as s,
                           intern_terms(array_agg('Lhttp://www.w3.org/2001/XMLSchema#string  text number ' || i
                                                  order by i)) as o
                      from n),
              p as materialized (
                select intern_terms(array(select 'I${ex}p' || k from generate_series(0, 9) as k)) as p),
              g as materialized (select intern_terms(array['I${ex}graph']) as g)
         insert into quad (g, s, p, o)
         select g.g[1], u.s, p.p[1 + u.i % 10], u.o
           from g, t, p, unnest(t.s, t.o) with ordinality as u (s, o, i)`,
        [start, Math.min(start + step, count) - 1],
      )
    }
  })
  await database.query('analyze quadstead.quad')
  await database.query('analyze quadstead.term')
}
