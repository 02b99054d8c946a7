/**
 * Compares with the oracle what is computed once for each joined term (src/sparql/plan/expression/once-per-term.ts):
 * functions of texts in columns, conditions, keys and aggregates, with and without a term in each row.
 *
 *   ORACLE_RUNS=1000 ORACLE_SEED=7 npm test -- test/oracle/once.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import {blankNode, langLiteral, literal, namedNode, type Quad, type Term} from '../../src/rdf/term.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'
import {oracleRuns, requireRightAnswers, useCountedEngine} from './trial.ts'

const usualRuns = 150
const names = ['price', 'note', 'maker'] as const

const iri = (name: string | number) => namedNode(`http://e/${name}`)
const quad = (subject: Quad['subject'], predicate: string, object: Quad['object']): Quad => {
  return {subject, predicate: iri(predicate), object, graph: iri('graph')}
}

const text = fc.constantFrom('4.5', '4.50', '-0', 'NaN', 'INF', '+3', '1e3', ' 7 ', 'abc', '', '9', 'http://e/m1')
/** One kind of terms, so that their extent is known, or several kinds. */
const kinds: readonly ((text: string) => Term)[] = [
  value => literal(value, 'http://e/USD'),
  value => literal(value),
  value => langLiteral(value, 'en'),
  value => iri(`x${value.replaceAll(/\W/g, '')}`),
  value => (/[49]/.test(value) ? blankNode(`b${value.length}`) : iri('m1')),
  value => (/[49]/.test(value) ? literal('4', xsd.integer) : literal(value, 'http://e/USD')),
]
const items = fc.array(fc.tuple(text, fc.option(text), fc.integer({min: 0, max: 2})), {maxLength: 8})

const data = fc
  .tuple(items, fc.constantFrom(...kinds), fc.constantFrom(...kinds))
  .map(([made, price, note]) =>
    made.flatMap(([one, other, maker], n) => [
      quad(iri(`i${n}`), 'price', price(one) as Quad['object']),
      quad(iri(`i${n}`), 'maker', iri(`m${maker}`)),
      ...(other === null ? [] : [quad(iri(`i${n}`), 'note', note(other) as Quad['object'])]),
    ]),
  )

const values = [
  'STRLEN(STR(?p))',
  'UCASE(STR(?n))',
  'xsd:float(STR(?p))',
  'xsd:decimal(STR(?n))',
  'xsd:double(STR(?p)) + ?k',
  'COALESCE(xsd:float(STR(?n)), 1)',
  'IF(BOUND(?n), STRLEN(STR(?n)), -1)',
  'IF(?k > 1, STRLEN(STR(?p)), STRLEN(STR(?n)))',
  'CONCAT(STR(?p), STR(?n))',
  'COALESCE(LANG(?n), "none")',
  'REGEX(STR(?n), "[49]")',
  'LANG(?p)',
  'DATATYPE(?p)',
]
/** The value without casts: the oracle does not keep the lexical forms of numbers, which make different terms. */
const asTerm = (value: string) => value.replaceAll(/xsd:\w+/g, 'STRLEN')

const conditions = [
  'REGEX(STR(?p), "[49]")',
  '!BOUND(?n) || STRLEN(STR(?n)) > 1',
  'xsd:float(STR(?p)) > 4',
  'xsd:float(STR(?p)) > ?k',
  'COALESCE(STRLEN(STR(?n)) < 3, true)',
  'STR(?p) = STR(?n)',
  'UCASE(STR(?p)) < UCASE(STR(?n))',
  'STRLEN(STR(?p)) > ?k && REGEX(STR(?p), "[0-9]")',
]
const patterns = [
  '?i :price ?p ; :maker ?m . OPTIONAL { ?i :note ?n }',
  '?i :price ?p ; :maker ?m ; :note ?n .',
  '?i :price ?p ; :maker ?m . OPTIONAL { ?i :note ?n } OPTIONAL { ?j :price ?n ; :note ?p }',
]
const query = fc
  .tuple(
    fc.constantFrom(...patterns),
    fc.subarray(values, {minLength: 1, maxLength: 3}),
    fc.subarray(conditions, {maxLength: 2}),
    fc.constantFrom('plain', 'keys', 'sum', 'extreme', 'order'),
  )
  .map(([pattern, made, tests, form]) => {
    const filters = tests.map(one => `FILTER(${one})`).join(' ')
    const where = `{ VALUES ?k { 1 2 } ${pattern} ${filters} }`
    const as = (of: (value: string) => string) => made.map((value, n) => `(${of(value)} AS ?x${n})`).join(' ')
    const heads: Readonly<Record<string, string>> = {
      plain: `SELECT ?i ?k ${as(value => value)} ${where}`,
      keys: `SELECT (COUNT(*) AS ?count) ${made.map((_, n) => `?x${n}`).join(' ')} ${where} GROUP BY ${as(asTerm)}`,
      sum: `SELECT ?m ${as(value => `AVG(${value})`)} ${where} GROUP BY ?m`,
      extreme: `SELECT ?m ${as(value => `MAX(${asTerm(value)})`)} ${where} GROUP BY ?m`,
      order: `SELECT ?i ?k ${as(value => value)} ${where} ORDER BY ${made.map((_, n) => `?x${n}`).join(' ')} ?i ?k LIMIT 5`,
    }
    return `PREFIX : <http://e/> PREFIX xsd: <${xsd.string.replace('string', '')}> ${heads[form]}`
  })

test('functions of joined terms have the values that the oracle computes', async t => {
  const counted = {triples: 9000, subjects: 9000, objects: 9, quantiles: [1n, 1n << 62n]}
  const engine = await useCountedEngine(
    t,
    names.map(() => counted),
    {of: names.map(iri), triples: 100_000},
  )

  await requireRightAnswers(t, engine, {data, query, numRuns: oracleRuns(usualRuns)})
})
