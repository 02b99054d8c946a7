/**
 * Compares with the oracle what is computed from SUM and AVG: comparisons, arithmetic and sorting of computed numbers
 * of all datatypes, which SQL reads from their keys in canonical form (sql/functions/sparql/2_number.sql).
 *
 *   ORACLE_RUNS=1000 ORACLE_SEED=7 npm test -- test/oracle/totals.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import {type Literal, literal, type NamedNode, namedNode, type Quad} from '../../src/rdf/term.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'
import {oracleRuns, requireRightAnswers, useEngine} from './trial.ts'

const usualRuns = 200

const iri = (name: string | number) => namedNode(`http://e/${name}`)
const quad = (subject: NamedNode, predicate: string, object: NamedNode | Literal): Quad => {
  return {subject, predicate: iri(predicate), object, graph: iri('graph')}
}

// Floats of these have the same sum in every order, and so have whole numbers near their averages. A large integer has
// not among floats and doubles: added to a float first it becomes a float, added to a double first a double.
const integers = ['0', '1', '-3', '+7', '005', '123456789012345678901234567890'].map(value =>
  literal(value, xsd.integer),
)
const decimals = ['0.0', '-0.0', '1.50', '-2.25', '+.5', '3.', '0.0009765625'].map(value => literal(value, xsd.decimal))
const inexact = ['0', '-0.0E0', '1.5', '-2.25e0', '1e3', '1e20', '3.3e-20', 'NaN', 'INF', '-INF', '+4', '1e200']
const floats = inexact.slice(0, -1).map(value => literal(value, xsd.float))
const doubles = inexact.map(value => literal(value, xsd.double))
const usual = ['1.5', '2.25', '-4', '1e2'].map(value => literal(value, xsd.double))
const inlineDoubles = ['1.5', '-2.25', '4', '0', '0.5'].map(value => literal(value, xsd.double))
const inlineDecimals = ['1.5', '-2.25', '0.0', '4.0'].map(value => literal(value, xsd.decimal))
const others = [literal('x'), literal('2', `${xsd.string.replace('string', 'byte')}`)]
const pools: readonly (readonly Literal[])[] = [
  integers,
  decimals,
  floats,
  doubles,
  usual,
  [...integers, ...decimals],
  [...decimals.slice(0, 3), ...usual],
  inlineDoubles,
  [...inlineDoubles, ...inlineDecimals],
  [...integers.slice(0, -1), ...decimals, ...floats, ...doubles],
  [...integers, ...others],
  [...integers, ...decimals, ...usual, ...inlineDoubles, ...others, literal('2020-01-01', xsd.date)],
  [...floats, ...inlineDecimals, ...others, literal('1', xsd.gYear)],
]
const items = fc
  .constantFrom(...pools)
  .chain(pool => fc.array(fc.tuple(fc.constantFrom(...pool), fc.integer({min: 0, max: 3})), {maxLength: 7}))

const data = items.map(made =>
  made.flatMap(([value, group], n) => [quad(iri(`i${n}`), 'value', value), quad(iri(`i${n}`), 'group', iri(group))]),
)

const computed = [
  '?a',
  '?a / ?n',
  '?a - ?b',
  '?a * 2',
  '?b + 0.5',
  '-?a',
  'ABS(?a)',
  '?a / ?b',
  'xsd:double(?a) * 1.5e0',
]
const tests = [
  '?a > 1',
  '?a = ?b',
  '?a != 2.5',
  '?a <= 1.5e0',
  'xsd:float(?a) < ?b',
  '?a / ?n >= ?b',
  '?v < ?a',
  '?v = ?a',
  '?a > ?v * 2',
  'xsd:double(STR(?v)) < ?a',
  'xsd:float(STR(?v)) >= ?a',
  'xsd:decimal(STR(?v)) <= ?b',
  '!(?a < ?b)',
  'COALESCE(?a > ?v, true)',
]
const made = [
  '?x',
  '?x',
  'xsd:float(STR(?x))',
  'xsd:double(STR(?x))',
  'xsd:decimal(STR(?x))',
  '?x + 1',
  '?x * ?x',
  '?x / 2 - ?x',
  '-?x',
  'CEIL(?x)',
  'ROUND(?x * 4) - 1.5',
  'xsd:decimal(?x)',
  'xsd:integer(?x) / 2',
  'xsd:double(?x)',
  'IF(?x > 1.5, ?x, 0.5e0)',
]
const query = fc
  .tuple(
    fc.constantFrom('SUM', 'AVG'),
    fc.constantFrom(...made),
    fc.subarray(computed, {minLength: 1, maxLength: 2}),
    fc.subarray(tests, {maxLength: 2}),
    fc.constantFrom('joined', 'alone', 'having', 'again', 'empty', 'optional'),
  )
  .map(([name, argument, values, conditions, form]) => {
    const aggregates = `(${name}(${argument}) AS ?a) (AVG(${argument}) AS ?b) (COUNT(*) AS ?n)`
    const groups = `{ SELECT ?g ${aggregates} { ?j :value ?x ; :group ?g } GROUP BY ?g }`
    const filters = conditions.map(one => `FILTER(${one})`).join(' ')
    const withoutRow = conditions.filter(one => !one.includes('?v')).map(one => `FILTER(${one})`)
    const shown = values.map((value, n) => `(${value} AS ?x${n})`).join(' ')
    const order = `ORDER BY ${values.map((_, n) => `${n % 2 === 0 ? 'DESC' : ''}(?x${n})`).join(' ')}`
    const having = withoutRow.map(one => one.slice(6)).join(' ')
    const forms: Readonly<Record<typeof form, string>> = {
      joined: `SELECT ?i ${shown} { ?i :value ?v ; :group ?g . ${groups} ${filters} } ${order}`,
      alone: `SELECT ?g ${shown} { ${groups} ${withoutRow.join(' ')} } ${order}`,
      having: `SELECT ?g ${aggregates} { ?j :value ?x ; :group ?g } GROUP BY ?g ${having && `HAVING ${having}`}`,
      again: `SELECT (SUM(ROUND(?a)) AS ?s) (COUNT(?b / ?n) AS ?t) { ${groups} ${withoutRow.join(' ')} }`,
      empty: `SELECT ${shown} { { SELECT ${aggregates} { ?j :value ?x ; :none ?g } } ${withoutRow.join(' ')} }`,
      optional: `SELECT ?i ${shown} { ?i :value ?v OPTIONAL { ?i :group ?g . ${groups} ${withoutRow.join(' ')} } }`,
    }
    return `PREFIX : <http://e/> PREFIX xsd: <${xsd.string.replace('string', '')}> ${forms[form]}`
  })

test('computed numbers are compared, added and sorted as with the oracle', async t => {
  const {engine} = await useEngine(t)

  await requireRightAnswers(t, engine, {data, query, numRuns: oracleRuns(usualRuns)})
})

// No two have equal values, of which MIN and MAX may choose either. Most are in the dictionary, some have inline ids.
const different = {
  decimal: ['-7.000000001', '0.00000001', '2.5', '+3.', '123456789012345678.5'],
  float: ['-3e8', '0.1', '1.25e2', '17', 'INF'],
  double: ['-1e300', '-2.75e0', '1.0E-7', '4', '0.30000000000000004', '9e99', '1e200'],
}
type Different = keyof typeof different
const someTypes: fc.Arbitrary<readonly Different[]> = fc.constantFrom<readonly Different[]>(
  ['decimal'],
  ['float'],
  ['double'],
  ['decimal', 'double'],
  ['decimal', 'float', 'double'],
)
const differentData = someTypes
  .chain(types => {
    const pool = types.flatMap(type => different[type].map(form => literal(form, xsd.string.replace('string', type))))
    return fc.array(fc.tuple(fc.constantFrom(...pool), fc.integer({min: 0, max: 2})), {minLength: 1, maxLength: 9})
  })
  .map(made =>
    made.flatMap(([value, group], n) => [quad(iri(`i${n}`), 'value', value), quad(iri(`i${n}`), 'group', iri(group))]),
  )
function ofCasts(name: string): readonly string[] {
  return [`${name}(<${xsd.double}>(?x))`, `${name}(<${xsd.float}>(STR(?x)))`, `${name}(<${xsd.double}>(STR(?x)))`]
}
const extremes = fc
  .tuple(
    fc.subarray(['MIN(?x)', 'MAX(?x)', 'COUNT(?x)', ...['MIN', 'MAX'].flatMap(ofCasts)], {minLength: 1, maxLength: 4}),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([aggregates, isGrouped, isOptional]) => {
    const shown = aggregates.map((aggregate, n) => `(${aggregate} AS ?x${n})`).join(' ')
    const value = isOptional ? '?i :group ?g OPTIONAL { ?i :value ?x }' : '?i :group ?g ; :value ?x'
    const of = `${isGrouped ? '?g ' : ''}${shown} { ${value} } ${isGrouped ? 'GROUP BY ?g' : ''}`
    return `PREFIX : <http://e/> SELECT ${of}`
  })

test('the extremes of stored numbers are those of the oracle', async t => {
  const {engine} = await useEngine(t)

  await requireRightAnswers(t, engine, {data: differentData, query: extremes, numRuns: oracleRuns(usualRuns)})
})
