/**
 * Compares queries whose duplicates do not count with the oracle. Statistics say that values are repeated often, so
 * that the different ones are found between joins (src/sparql/plan/join/needed.ts).
 *
 *   ORACLE_RUNS=1000 ORACLE_SEED=7 npm test -- test/oracle/different.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import {quad} from '../../src/rdf/term.ts'
import {graphs, nodes, predicates, randomQuads} from './random-data.ts'
import {givenSeed, oracleRuns, readQuery, requireRightAnswer, useCountedEngine} from './trial.ts'

const usualRuns = 100

const variables = ['?x1', '?x2', '?x3', '?x4', '?x5']
const end = fc.oneof({weight: 5, arbitrary: fc.constantFrom(...variables)}, fc.constantFrom(':a', ':b', '?g'))
const pattern = fc
  .tuple(end, fc.constantFrom(':p', ':q', ':r', ':p/:q', '?p'), fc.oneof(end, fc.constantFrom('1', '"a"')))
  .map(([subject, predicate, object]) => `${subject} ${predicate} ${object} .`)

const others = [
  'FILTER(?x1 != ?x3)',
  'FILTER(?x2 = ?x4)',
  'FILTER(STR(?x1) <= STR(?x4))',
  'FILTER(?x3 < 2)',
  'FILTER EXISTS { ?x2 :r ?e }',
  'FILTER NOT EXISTS { ?x3 :q ?x5 }',
  'FILTER(ISIRI(?x2) || EXISTS { ?x1 :p ?e })',
  'OPTIONAL { ?x1 :r ?x5 }',
  'OPTIONAL { ?x2 :q ?z FILTER(?x3 != ?z) }',
  'VALUES ?x2 { :a :b "a" UNDEF }',
  'MINUS { ?x2 :q ?x4 }',
  'BIND(STR(?x2) AS ?y)',
  '{ ?x3 :p ?x4 } UNION { ?x4 :q ?y }',
  '{ SELECT ?x3 (COUNT(*) AS ?n) { ?x3 :p ?m } GROUP BY ?x3 }',
]

const shown = fc.subarray([...variables, '?y', '?p', '?g'], {minLength: 1, maxLength: 2})

/** How duplicates are removed: the head of the query and its end. */
const forms = fc.tuple(shown, fc.nat(5)).map(([names, choice]): readonly [string, string] => {
  const [first = '?x1', second = first] = names
  switch (choice) {
    case 0:
      return [`SELECT ${first} (COUNT(DISTINCT ${second}) AS ?count)`, `GROUP BY ${first}`]
    case 1:
      return [`SELECT DISTINCT ${names.join(' ')}`, `ORDER BY ${second}`]
    case 2:
      return [`SELECT ${first} (MIN(STR(${second})) AS ?least) (COUNT(DISTINCT ?x3) AS ?count)`, `GROUP BY ${first}`]
    case 3:
      return [`CONSTRUCT { ${first} :p ${second} }`, '']
    default:
      return [`SELECT DISTINCT ${names.join(' ')}`, '']
  }
})

const query = fc
  .tuple(
    fc.array(pattern, {minLength: 2, maxLength: 5}),
    fc.subarray(others, {maxLength: 2}),
    forms,
    fc.constantFrom('', '', 'GRAPH ?g', 'GRAPH :g'),
  )
  .map(([patterns, more, [head, tail], graph]) => {
    const group = [...patterns, ...more].join(' ')
    const where = graph === '' ? group : `${graph} { ${group} }`
    const form = head.startsWith('CONSTRUCT') ? `${head} WHERE` : head
    return `PREFIX : <http://e/> ${form} { ${where} } ${tail}`
  })

/** A pattern is no test for a solution that does not bind its variable. */
const unbound = 'SELECT DISTINCT ?x2 { ?x5 ?p ?x1 . ?x4 :q ?x2 . VALUES ?x2 { :a UNDEF } }'

for (const [title, subjects, objects] of [
  ['of few subjects', 200, 200_000],
  ['of few objects', 200_000, 200],
  ['of few of both', 200, 200],
] as const) {
  test(`solutions whose duplicates do not count are those of the oracle, with triples ${title}`, async t => {
    const counted = {triples: 1_000_000, subjects, objects, quantiles: [1n, 1n << 62n]}
    const rare = {triples: 300, subjects: 20, objects: 10, quantiles: [1n, 1n << 62n]}
    const engine = await useCountedEngine(t, [rare, counted, counted])
    const [node, graph] = [nodes[0], graphs[0]]
    if (node === undefined || graph === undefined) return t.fail()
    const manyObjects = nodes.flatMap(object => predicates.map(predicate => quad(node, predicate, object, graph)))

    await fc.assert(
      fc.asyncProperty(randomQuads, query, async (quads, text) => {
        await engine.load(quads, [])
        if (readQuery(text) !== undefined) await requireRightAnswer(t, engine, quads, text)
      }),
      {numRuns: oracleRuns(usualRuns), examples: [[manyObjects, `PREFIX : <http://e/> ${unbound}`]], ...givenSeed},
    )
  })
}
