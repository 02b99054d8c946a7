/**
 * Compares groups with the oracle where statistics say that many solutions share a value. Then they are grouped twice
 * (src/sparql/plan/group/early.ts, before-keys.ts), terms are looked up together (expression/joined-terms.ts), and
 * texts are aggregated for the first groups only (group/first-groups.ts). Equal groups are computed once
 * (src/sparql/plan/shared-groups.ts).
 *
 *   ORACLE_RUNS=1000 ORACLE_SEED=7 npm test -- test/oracle/grouped.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import {type Literal, langLiteral, literal, type NamedNode, namedNode, type Quad} from '../../src/rdf/term.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'
import {oracleRuns, requireRightAnswers, storePredicates, useEngine} from './trial.ts'

const usualRuns = 80
const names = ['maker', 'number', 'city', 'name', 'kind', 'Item'] as const

const iri = (name: string | number) => namedNode(`http://e/${name}`)
const quad = (subject: NamedNode, predicate: string, object: NamedNode | Literal): Quad => {
  return {subject, predicate: iri(predicate), object, graph: iri('graph')}
}

const small = fc.integer({min: 0, max: 3})
const items = fc.array(fc.tuple(small, small, fc.option(small)), {minLength: 1, maxLength: 8})
const cities = fc.array(fc.tuple(small, small), {maxLength: 5})

/** Names that ORDER BY compares, by a part of their terms. */
const nameOf = fc.constantFrom<(n: number) => Literal>(
  n => literal('ab'.repeat(n)),
  n => langLiteral('ab'.repeat(n), 'en'),
  n => literal(String(n), xsd.integer),
)

const data = fc.tuple(items, cities, nameOf).map(([made, towns, named]) => [
  ...made.flatMap(([maker, number, other], n) => [
    quad(iri(`i${n}`), 'kind', iri('Item')),
    quad(iri(`i${n}`), 'maker', iri(`m${maker}`)),
    quad(iri(`i${n}`), 'number', literal(String(number), xsd.integer)),
    ...(maker === number ? [] : [quad(iri(`i${n}`), 'name', named(n % 4))]),
    ...(other === null || other === number ? [] : [quad(iri(`i${n}`), 'number', literal(String(other), xsd.integer))]),
  ]),
  ...[...new Set(towns.map(([maker, city]) => `${maker} ${city}`))].map(town => {
    const [maker, city] = town.split(' ')
    return quad(iri(`m${maker}`), 'city', iri(`c${city}`))
  }),
])

const aggregates = [
  'COUNT(*)',
  'COUNT(?i)',
  'SUM(?n)',
  'AVG(?n)',
  'MIN(?n)',
  'MAX(?n)',
  'COUNT(?c)',
  'COUNT(?d)', // which the pattern may not have
  'COUNT(DISTINCT ?i)',
  'MIN(?l)',
  'MAX(?l)',
  'SUM(STRLEN(?l))',
  'AVG(STRLEN(?l))',
  'MAX(STRLEN(STR(?l)))',
]
const query = fc
  .tuple(
    fc.constantFrom('?c', '?g ?c', '?c ?d', '?g'),
    fc.subarray(aggregates, {minLength: 1, maxLength: 4}),
    fc.subarray(['?i :kind :Item .', '?g :city ?d .', '?i :kind ?k .', '?i :name ?l .', 'OPTIONAL { ?i :name ?l }']),
    fc.constantFrom('', 'HAVING (COUNT(*) > 1)', 'HAVING (AVG(?n) < 2)', 'ORDER BY DESC(COUNT(*))'),
    fc.constantFrom('', '', 'FILTER(STR(?d) < STR(?c))', 'FILTER(STR(?c) >= STR(?d))', 'FILTER(STRLEN(STR(?l)) != 2)'),
    fc.constantFrom('', '', 'LIMIT 2', 'LIMIT 1 OFFSET 1'),
  )
  .map(([keys, made, more, last, filter, limit]) => {
    const inOrder = `${last.replace(/^ORDER.*/, '')} ORDER BY ${keys.replaceAll(/\?\w/g, 'DESC($&)')} ${limit}`
    const end = limit === '' ? last : inOrder
    const shown = made.map((aggregate, index) => `(${aggregate} AS ?x${index})`).join(' ')
    const where = `?i :maker ?g ; :number ?n . ?g :city ?c . ${more.join(' ')} ${filter}`
    return `PREFIX : <http://e/> SELECT ${keys} ${shown} { ${where} } GROUP BY ${keys} ${end}`
  })

/** Aggregates of groups by texts. The last ones prevent two steps. */
const splitAggregates = [
  ...['COUNT(*)', 'COUNT(?i)', 'COUNT(?d)', 'SUM(?n)', 'AVG(?n)', 'MIN(?n)', 'MAX(?n)'],
  ...['COUNT(DISTINCT ?g)', 'COUNT(DISTINCT ?d)', 'MIN(?c)', 'COUNT(STRLEN(STR(?d)))'],
  ...['SAMPLE(?t)', 'MIN(?l)'],
]
const texts = fc.constantFrom(
  'CONCAT(STR(?g), "x")',
  'SUBSTR(STR(?c), 10, 1)',
  'CONCAT(STR(?n), STR(?d))',
  'STRAFTER(STR(?c), STR(?g))',
  'IF(?n > 1, "many", STR(?n))',
)
const tested = fc.constantFrom('', '', 'FILTER(?t != "0")', 'FILTER(?t != STR(?n))', 'FILTER(?t < STR(?i))')
const textQuery = fc
  .tuple(
    fc.tuple(texts, texts, tested),
    fc.constantFrom('?t', '?t', '?t ?c', '?t ?u', '(LCASE(?t) AS ?t2) ?t', '?t (?n + 1 AS ?n1)', '(STR(?g) AS ?s) ?t'),
    fc.subarray(splitAggregates, {minLength: 1, maxLength: 3}),
    fc.subarray(['?g :city ?d .', '?i :kind ?k .', '?i :name ?l .', 'OPTIONAL { ?c :city ?d }']),
    fc.constantFrom('', 'HAVING (COUNT(*) > 1)', 'ORDER BY DESC(COUNT(*))'),
  )
  .map(([[first, second, filter], keys, made, more, last]) => {
    const names = keys.replaceAll(/\(.*? AS (\?\w+)\)/g, '$1')
    const shown = made.map((aggregate, index) => `(${aggregate} AS ?x${index})`).join(' ')
    const patterns = `?i :maker ?g ; :number ?n . ?g :city ?c . ${more.join(' ')}`
    const bindOfU = keys.includes('?u') ? `BIND(CONCAT(?t, ${second}) AS ?u)` : ''
    const where = `${patterns} BIND(${first} AS ?t) ${bindOfU} ${filter}`
    return `PREFIX : <http://e/> SELECT ${names} ${shown} { ${where} } GROUP BY ${keys} ${last}`
  })

const groupsOf = [
  'SUM(?n)',
  'AVG(?n)',
  'AVG(?n / 2)',
  'COUNT(*)',
  'COUNT(DISTINCT ?i)',
  'MIN(?l)',
  'SUM(xsd:double(?n))',
]
const sharedQuery = fc
  .tuple(
    fc.constantFrom(...groupsOf),
    fc.constantFrom('?c', '?g ?c'),
    fc.subarray(['?i :name ?l .', '?i :kind ?k .', 'OPTIONAL { ?i :name ?l }', 'FILTER(?n > 0)']),
    fc.constantFrom('MAX', 'MIN', 'SUM', 'AVG'),
    fc.boolean(),
  )
  .map(([made, keys, more, extreme, isOther]) => {
    const totals = (name: string, end = '') =>
      `{ SELECT ${keys} (${made} AS ${name}) { ?i :maker ?g ; :number ?n . ?g :city ?c . ${more.join(' ')} ${end} }
         GROUP BY ${keys} }`
    const best = `{ SELECT ?c (${extreme}(?t) AS ?m) { ${totals('?t')} } GROUP BY ?c }`
    const prefixes = 'PREFIX : <http://e/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>'
    return `${prefixes} SELECT * { ${best} ${totals('?m', isOther ? 'FILTER(?n < 3)' : '')} }`
  })

/** Counts of a pattern that is counted for each of its objects. The last aggregates and some patterns prevent it. */
const countedQuery = fc
  .tuple(
    fc.constantFrom(
      '?g :city* ?c',
      '?c ^:city+ ?g',
      'VALUES ?g { :m0 :m1 :m1 }',
      ':m1 (:city|:maker)? ?g',
      '?g :city ?c FILTER(STR(?c) > "http://e/c1")',
      '?g :city ?c FILTER(STR(?i) > "http://e/i1")',
      '?g :city ?c FILTER(RAND() < 2)',
      'OPTIONAL { ?g :city ?c }',
      '?g :city ?c FILTER EXISTS { ?i :number 1 }',
    ),
    fc.subarray(['?i :kind :Item .', '?j :maker ?g .', '?g :city ?d .']),
    fc.constantFrom('?g', '?g ?c', '?c', '?i'),
    fc.subarray(['COUNT(*)', 'COUNT(?i)', 'COUNT(?c)', 'COUNT(?j)', 'COUNT(DISTINCT ?i)', 'MIN(?g)'], {
      minLength: 1,
      maxLength: 3,
    }),
    fc.constantFrom('', 'HAVING (COUNT(*) > 1)', 'ORDER BY DESC(COUNT(*))'),
  )
  .map(([around, more, keys, made, last]) => {
    const shown = made.map((aggregate, index) => `(${aggregate} AS ?x${index})`).join(' ')
    const where = `${more.join(' ')} ?i :maker ?g . ${around}`
    return `PREFIX : <http://e/> SELECT ${keys} ${shown} { ${where} } GROUP BY ${keys} ${last}`
  })

for (const [what, queries] of [
  ['by values of their patterns', query],
  ['of patterns that are counted apart', countedQuery],
  ['by texts that are computed of values', textQuery],
  ['beside equal groups', sharedQuery],
] as const)
  test(`groups ${what} have the same solutions as with the oracle`, async t => {
    const known = new Map<string, string>()
    const counted = {triples: 9000, subjects: 9000, objects: 9, quantiles: [1n, 1n << 62n]}
    const {database, engine} = await useEngine(t, () => ({
      frequencies: async () => ({
        triples: 100_000,
        predicates: new Map(Array.from(known.values(), id => [id, counted])),
        values: new Map([[`${known.get('kind')} ${known.get('Item')}`, 9000]]),
      }),
    }))
    const ids = await storePredicates({database, engine}, names.map(iri))
    for (const [index, name] of names.entries()) known.set(name, ids[index] ?? '')

    await requireRightAnswers(t, engine, {data, query: queries, numRuns: oracleRuns(usualRuns)})
  })
