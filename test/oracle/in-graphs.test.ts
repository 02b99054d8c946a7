/**
 * Compares with the oracle: GRAPH ?g where ?g has a value already, so that patterns look up the triples of that graph.
 *
 *   ORACLE_RUNS=1000 ORACLE_SEED=7 npm test -- test/oracle/in-graphs.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import {namedNode, quad} from '../../src/rdf/term.ts'
import {graphs, namespace, nodes, predicates} from './random-data.ts'
import {givenSeed, oracleRuns, requireRightAnswer, useCountedEngine} from './trial.ts'

const usualRuns = 150

/** Graphs are nodes, too. */
const ends = [...graphs, ...nodes.slice(1), namedNode(`${namespace}d`)]
const data = fc.array(
  fc
    .tuple(
      fc.constantFrom(...ends),
      fc.constantFrom(...predicates),
      fc.constantFrom(...ends),
      fc.constantFrom(...graphs),
    )
    .map(([subject, predicate, object, graph]) => quad(subject, predicate, object, graph)),
  {minLength: 3, maxLength: 25},
)

const outer = fc.constantFrom(
  '?g :p ?x .',
  '?x :p ?g .',
  'VALUES ?g { :g :a UNDEF }',
  '?x :p ?y . OPTIONAL { ?y :q ?g }',
  'GRAPH :g { ?g :p ?x }',
  'GRAPH ?k { ?g :p ?x }',
  '{ SELECT ?g (COUNT(*) AS ?many) { ?g ?q ?x } GROUP BY ?g }',
)
const inner = fc.constantFrom(
  '?s :q ?o',
  '?s :q ?o . ?o :r ?v',
  '?g :q ?o',
  '?s ?l ?g',
  '?s :p* ?o',
  '?s :q+/:r ?o',
  '?s :q? ?x',
  '?s !:p ?o',
  '?s :q ?o OPTIONAL { ?s :r ?v }',
  '?s :q ?o OPTIONAL { ?o :r* ?v }',
  'OPTIONAL { ?s :q ?o }',
  '?s :q ?o MINUS { ?s :r ?o }',
  '?s :q ?o FILTER NOT EXISTS { ?o :p ?s }',
  '?s :q ?o FILTER EXISTS { ?g :r ?v }',
  'VALUES ?s { :a :b } ?s :q ?o',
  'VALUES ?s { :a :b }',
  '?s :q ?o BIND(?g AS ?same)',
  '{ ?s :q ?o } UNION { ?o :r ?s }',
  '{ SELECT ?s (COUNT(*) AS ?n) { ?s ?l ?o } GROUP BY ?s }',
  '{ SELECT DISTINCT ?s { ?s :q ?o } }',
  '{ SELECT ?g ?s { ?s :q ?g } }',
  '{ SELECT ?s { ?s :q ?o } ORDER BY ?s LIMIT 1 }',
  'GRAPH ?h { ?s :q ?o } ?o :r ?v',
  'GRAPH ?h { ?s :q ?g }',
  '',
)
const query = fc
  .tuple(outer, inner, fc.boolean(), fc.constantFrom('GRAPH', 'OPTIONAL', 'EXISTS', 'COUNT'))
  .map(([before, pattern, isFirst, kind]) => {
    const graph = `GRAPH ?g { ${pattern} }`
    const counted = `{ SELECT ?g (COUNT(*) AS ?n1) { ${graph} } GROUP BY ?g }`
    const part = {GRAPH: graph, OPTIONAL: `OPTIONAL { ${graph} }`, EXISTS: `FILTER EXISTS { ${graph} }`, COUNT: counted}
    const parts = kind === 'GRAPH' && isFirst ? [graph, before] : [before, part[kind]]
    return `PREFIX : <${namespace}> SELECT * { ${parts.join(' ')} }`
  })

const [few, many] = [2, 100_000].map(triples => ({triples, subjects: triples, objects: triples, quantiles: []}))

for (const [title, counted] of [
  ['read', [few, few, few]],
  ['looked up', [few, many, many]],
] as const) {
  test(`patterns in graphs that are known, ${title}, have the same solutions as with the oracle`, async t => {
    const engine = await useCountedEngine(
      t,
      counted.flatMap(one => one ?? []),
    )

    await fc.assert(
      fc.asyncProperty(data, query, async (quads, text) => {
        await engine.load(quads, [])
        await requireRightAnswer(t, engine, quads, text)
      }),
      {numRuns: oracleRuns(usualRuns), ...givenSeed},
    )
  })
}
