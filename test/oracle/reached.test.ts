/**
 * Compares closures with the oracle where statistics say that many solutions come before them, so that one recursive
 * query follows the closure from all of them (src/sparql/plan/path/path.ts).
 *
 *   ORACLE_RUNS=1000 ORACLE_SEED=7 npm test -- test/oracle/reached.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import {randomQuads} from './random-data.ts'
import {oracleRuns, requireRightAnswers, useCountedEngine} from './trial.ts'

const usualRuns = 150

const counted = {triples: 5000, subjects: 1000, objects: 1000, quantiles: []}

const path = fc.constantFrom(':q+', ':q*', '^:q+', '(:q|:r)*', '(:q/:r)*', '(:q|^:r)+', '(:q+)*', '(!:p)*', ':q+/:r*')
const end = fc.constantFrom('?c', '?a', '?b', ':a', '1', '"a"@en')
const before = fc.constantFrom(
  '?a :p ?b .',
  '?b :p ?a . ?a :r ?d .',
  '{ ?a :p ?b } UNION { ?a :r ?b }',
  '?a :p ?b OPTIONAL { ?a :r ?d }',
  '{ SELECT ?b (COUNT(*) AS ?n) { ?a :p ?b } GROUP BY ?b }',
  '?a :p ?l BIND(IRI(STR(?l)) AS ?b)',
)
const after = fc.constantFrom('', '?c :r ?e .', 'FILTER(?b != ?c)', 'FILTER EXISTS { ?c :q* ?a }', '?c :r* ?f .')

const query = fc
  .tuple(
    before,
    path,
    end,
    after,
    fc.boolean(),
    fc.constantFrom('', 'GRAPH :g', 'GRAPH ?g'),
    fc.constantFrom('', 'DISTINCT'),
  )
  .map(([first, steps, object, last, isTurned, graph, distinct]) => {
    const [from, to] = isTurned ? [object, '?b'] : ['?b', object]
    return `PREFIX : <http://e/> SELECT ${distinct} * { ${graph} { ${first} ${from} ${steps} ${to} . ${last} } }`
  })

test('closures from many starts have the same solutions as with the oracle', async t => {
  const engine = await useCountedEngine(t, [counted, counted, counted])

  await requireRightAnswers(t, engine, {data: randomQuads, query, numRuns: oracleRuns(usualRuns)})
})
