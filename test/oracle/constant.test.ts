/**
 * Compares with the oracle where a filter makes a variable equal to an IRI, which then takes its place in the patterns
 * (src/sparql/rewrite/constant-for-variable.ts).
 *
 *   ORACLE_RUNS=1000 ORACLE_SEED=7 npm test -- test/oracle/constant.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import {randomQuads} from './random-data.ts'
import {oracleRuns, requireRightAnswers, useEngine} from './trial.ts'

const usualRuns = 150

const name = fc.constantFrom('?a', '?b', '?p', '?g')
const fixed = fc
  .tuple(
    name,
    fc.constantFrom(':a', ':b', ':p', ':q', ':g', ':h', ':none'),
    fc.boolean(),
    fc.constantFrom('=', 'sameTerm'),
  )
  .map(([variable, iri, isTurned, test]) => {
    const [left, right] = isTurned ? [iri, variable] : [variable, iri]
    return test === '=' ? `${left} = ${right}` : `sameTerm(${left}, ${right})`
  })
const pattern = fc.constantFrom(
  '?a ?p ?b .',
  '?a :p ?b .',
  '?b ?p ?a . ?p ?q ?c .',
  '?a :q* ?b .',
  '?a :q+ ?b .',
  '?a (:p/:q*) ?b . ?b ?p ?c .',
  'GRAPH ?g { ?a ?p ?b }',
  'GRAPH ?g { ?a :q* ?b . ?b ?p ?g }',
  'GRAPH ?g { ?a ?p ?b OPTIONAL { ?b ?q ?c } }',
  '?a ?p ?b OPTIONAL { ?b :q ?c }',
  'OPTIONAL { ?a ?p ?b }',
  '{ ?a :p ?b } UNION { ?a ?p ?c }',
  '{ SELECT ?a ?p (COUNT(*) AS ?k) { ?a ?p ?x } GROUP BY ?a ?p }',
)
const other = fc.constantFrom(
  'STR(?a) < STR(?b)',
  'BOUND(?b)',
  '?a != ?b',
  'EXISTS { ?a :q ?c }',
  '?b = ?c || ?a = ?c',
  'COALESCE(?c, ?p) != :r',
)

const query = fc
  .tuple(
    fc.array(pattern, {minLength: 1, maxLength: 2}),
    fc.array(fc.oneof(fixed, other), {minLength: 1, maxLength: 3}),
  )
  .chain(([patterns, conditions]) => {
    const inside = `${patterns.join(' ')} FILTER(${conditions.join(' && ')})`
    return fc.constantFrom(
      `SELECT * { ${inside} }`,
      `SELECT ?a (COUNT(?b) AS ?n) { ${inside} } GROUP BY ?a`,
      `SELECT * { ?a :r ?d OPTIONAL { ${inside} } }`,
      `SELECT * { ?a :r ?d MINUS { ${inside} } }`,
      `SELECT * { ?a ?p ?d FILTER EXISTS { ${inside} } }`,
      `SELECT * { GRAPH ?g { ${inside} } }`,
    )
  })
  .map(text => `PREFIX : <http://e/> ${text}`)

test('filters that name an IRI have the same solutions as with the oracle', async t => {
  const {engine} = await useEngine(t)

  await requireRightAnswers(t, engine, {data: randomQuads, query, numRuns: oracleRuns(usualRuns)})
})
