/**
 * Compares queries for which one solution is enough with the oracle where statistics say that all solutions take long,
 * so that the first triples are tried before (src/sparql/plan/join/join.ts).
 *
 *   ORACLE_RUNS=1000 ORACLE_SEED=7 npm test -- test/oracle/attempted.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import {literal, quad} from '../../src/rdf/term.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'
import {graphs, nodes, predicates} from './random-data.ts'
import {oracleRuns, requireRightAnswers, useCountedEngine} from './trial.ts'

const usualRuns = 200

const object = fc.constantFrom(...nodes, ...nodes, literal('1', xsd.integer), literal('a'))
const data = fc.array(
  fc
    .tuple(fc.constantFrom(...graphs), fc.constantFrom(...nodes), fc.constantFrom(...predicates), object)
    .map(([graph, subject, predicate, object]) => quad(subject, predicate, object, graph)),
  {minLength: 3, maxLength: 12},
)
const predicate = fc.constantFrom(':p', ':q', ':r', '?p')
const end = fc.constantFrom('?a', '?b', '?c', '?d', ':a')
const patterns = fc
  .array(fc.tuple(end, predicate, end), {maxLength: 3})
  .map(triples => ['?a :p ?b', '?b :q ?c', ...triples.map(triple => triple.join(' '))].join(' . '))
const filters = [
  'FILTER(?a != ?c)',
  'FILTER(?c > 1)',
  'FILTER(STR(?b) <= STR(?c))',
  'FILTER NOT EXISTS { ?a :r ?c }',
  'FILTER EXISTS { ?c :r ?x FILTER(?x != ?a) }',
  'OPTIONAL { ?c :r ?e } FILTER(!BOUND(?e))',
  'BIND(STR(?c) AS ?f) FILTER(?f > "a")',
  'MINUS { ?b :r ?c }',
  'VALUES ?c { :a 1 "a" }',
]
const form = fc.constantFrom(
  (pattern: string) => `ASK { ${pattern} }`,
  (pattern: string) => `ASK { GRAPH ?g { ${pattern} } }`,
  (pattern: string) => `SELECT ?a ?c { ${pattern} } LIMIT 1`,
  (pattern: string) => `SELECT (COUNT(*) AS ?n) { SELECT ?b { ${pattern} } LIMIT 1 }`,
)
const query = fc
  .tuple(form, patterns, fc.subarray(filters, {maxLength: 2}))
  .map(([made, triples, more]) => `PREFIX : <http://e/> ${made([`${triples} .`, ...more].join(' '))}`)

test('queries for which one solution is enough have the answers of the oracle', async t => {
  const few = {triples: 5, subjects: 5, objects: 2, quantiles: []} // of which the attempt reads one or two
  const many = {triples: 100_000, subjects: 200, objects: 50_000, quantiles: [1n, 1n << 62n]}
  const engine = await useCountedEngine(t, [few, many, many])

  await requireRightAnswers(t, engine, {data, query, numRuns: oracleRuns(usualRuns)})
})
