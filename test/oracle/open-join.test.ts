/**
 * Compares with the oracle where tables are joined by variables that some of their solutions leave unbound
 * (src/sparql/plan/join/open-join.ts).
 *
 *   ORACLE_RUNS=1000 ORACLE_SEED=7 npm test -- test/oracle/open-join.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import {randomQuads} from './random-data.ts'
import {oracleRuns, requireRightAnswers, useEngine} from './trial.ts'

const usualRuns = 150

/** Sub-selects and groups that bind a variable sometimes, as a stored term or a computed one. */
const side = (own: string) =>
  fc.constantFrom(
    `{ SELECT DISTINCT ${own} ?k { ${own} ?p ?x OPTIONAL { ?x :q ?k } } }`,
    `{ SELECT DISTINCT ${own} ?k ?m { ${own} :p ?m OPTIONAL { ?m ?q ?k } } }`,
    `{ SELECT DISTINCT ${own} ?k { ${own} ?p ?x BIND(LCASE(STR(?x)) AS ?k) } }`,
    `{ SELECT DISTINCT ${own} ?k { ${own} ?p ?x BIND(?x + 1 AS ?k) } }`,
    `{ SELECT ${own} (MAX(STR(?x)) AS ?k) { ${own} ?p ?x } GROUP BY ${own} }`,
    `{ SELECT ${own} (SUM(?x) AS ?k) (COUNT(?x) AS ?m) { ${own} ?p ?x } GROUP BY ${own} }`,
    `{ { ${own} :p ?k } UNION { ${own} :q ?m } }`,
    `{ VALUES (${own} ?k) { (:a :b) (:b UNDEF) (UNDEF :c) } }`,
    `{ ${own} :p ?k OPTIONAL { ?k :q ?m } }`,
  )

const query = fc
  .tuple(side('?a'), side('?b'), side('?c'), fc.constantFrom('', 'FILTER(STR(?a) < STR(?b))', 'FILTER(BOUND(?k))'))
  .chain(([one, two, three, filter]) =>
    fc.constantFrom(
      `SELECT * { ${one} ${two} ${filter} }`,
      `SELECT * { ${one} ${two} ${three} ${filter} }`,
      `SELECT ?a ?b (COUNT(DISTINCT ?k) AS ?n) { ${one} ${two} ${filter} } GROUP BY ?a ?b`,
      `SELECT * { ?a :p ?x . ${one} ${two} ${filter} }`,
      `SELECT * { ?a :p ?y OPTIONAL { ${one} ${two} ${filter} } }`,
      `SELECT * { ?a :p ?y FILTER EXISTS { ${one} ${two} ${filter} } }`,
      `SELECT * { GRAPH ?g { ${one} ${two} ${filter} } }`,
    ),
  )
  .map(text => `PREFIX : <http://e/> ${text}`)

test('joins by variables that may be unbound have the same solutions as with the oracle', async t => {
  const {engine} = await useEngine(t)

  await requireRightAnswers(t, engine, {data: randomQuads, query, numRuns: oracleRuns(usualRuns)})
})
