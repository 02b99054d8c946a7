/**
 * Compares with the oracle where a filter makes two variables equal, of which one then takes the place of the other
 * (src/sparql/rewrite/variable-for-variable.ts).
 *
 *   ORACLE_RUNS=1000 ORACLE_SEED=7 npm test -- test/oracle/equal-variables.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import {randomQuads} from './random-data.ts'
import {oracleRuns, requireRightAnswers, useEngine} from './trial.ts'

const usualRuns = 150

const outer = fc.constantFrom('?a', '?b', '?p')
const inner = fc.constantFrom('?c', '?d', '?q')
const equal = fc
  .tuple(fc.oneof(outer, inner), inner, fc.boolean(), fc.constantFrom('=', 'sameTerm'))
  .map(([one, other, isTurned, test]) => {
    const [left, right] = isTurned ? [other, one] : [one, other]
    return test === '=' ? `${left} = ${right}` : `sameTerm(${left}, ${right})`
  })
const before = fc.constantFrom(
  '?a ?p ?b .',
  '?a :p ?b .',
  '?a :q* ?b .',
  '?a ?p ?b OPTIONAL { ?b :q ?c }',
  'OPTIONAL { ?a ?p ?b }',
  '{ ?a :p ?b } UNION { ?a ?p ?c }',
  '{ SELECT ?a (COUNT(*) AS ?b) { ?a ?p ?x } GROUP BY ?a }',
  'GRAPH ?p { ?a :p ?b }',
)
const pattern = fc.constantFrom(
  '?c ?q ?d .',
  '?c :q ?d .',
  '?c :q* ?d .',
  '?c :q+ ?d . ?d ?q ?e .',
  '?b :p ?c . ?c ?q ?d .',
  '?c (:p/:q*) ?d . ?e ?q ?c .',
  'GRAPH ?q { ?c ?e ?d }',
)
const condition = fc.constantFrom(
  'STR(?a) < STR(?d)',
  'BOUND(?c)',
  '?a != ?d',
  'EXISTS { ?c :q ?e }',
  '?b = ?c || ?a = ?d',
  'COALESCE(?c, ?p) != :r',
)

const query = fc
  .tuple(before, pattern, fc.array(fc.oneof(equal, equal, condition), {minLength: 1, maxLength: 3}))
  .chain(([left, right, conditions]) => {
    const filter = `FILTER(${conditions.join(' && ')})`
    return fc.constantFrom(
      `SELECT * { ${left} ${right} ${filter} }`,
      `SELECT * { ${left} OPTIONAL { ${right} ${filter} } }`,
      `SELECT * { ${left} OPTIONAL { ${right} FILTER(?c != ?d) OPTIONAL { ?d :r ?e } ${filter} } }`,
      `SELECT * { ${left} OPTIONAL { { ${right} FILTER(?c != ?d) } ${filter} } FILTER(!BOUND(?d)) }`,
      `SELECT * { ${left} FILTER EXISTS { ${right} ${filter} } }`,
      `SELECT * { ${left} FILTER NOT EXISTS { ${right} ${filter} } }`,
      `SELECT ?a (COUNT(?c) AS ?n) (MAX(?d) AS ?m) { ${left} OPTIONAL { ${right} ${filter} } } GROUP BY ?a`,
      `SELECT DISTINCT ?c ?b { GRAPH ?g { ${left} ${right} ${filter} } }`,
    )
  })
  .map(text => `PREFIX : <http://e/> ${text}`)

test('filters that make variables equal have the same solutions as with the oracle', async t => {
  const {engine} = await useEngine(t)

  await requireRightAnswers(t, engine, {data: randomQuads, query, numRuns: oracleRuns(usualRuns)})
})
