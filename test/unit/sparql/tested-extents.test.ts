/** What is computed of values that have passed a filter of their kind: from the id alone, as SQL. */
import test from 'ava'
import {endOfKind, firstOfClass, firstOfKind, inlineKinds, literalClasses} from '../../../src/rdf/id-layout.ts'
import {iriKey} from '../../../src/rdf/term-key.ts'
import {xsd} from '../../../src/rdf/vocabulary.ts'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'
import {type Extent, hullOf} from '../../../src/sparql/plan/extent.ts'
import {emptyStore} from '../../support/facts.ts'

/** Numbers, times, IRIs, blank nodes and simple literals. */
const dirty = {low: firstOfKind(inlineKinds.integer), high: firstOfClass(literalClasses.string + 1n) - 1n}
/** The same, and all other literals of the dictionary. */
const all = {low: firstOfKind(inlineKinds.integer), high: firstOfClass(literalClasses.other + 1n) - 1n}

/** The SQL in a store with these objects of :p. */
function sqlOf(text: string, extent: Extent): string {
  const prepared = prepareQuery(`PREFIX : <http://e/> ${text}`, 'http://e/')
  return compileQuery(prepared, {
    schema: '"q"',
    stored: new Map([[iriKey('http://e/p'), '2000']]),
    facts: {...emptyStore, extents: new Map([['2000', extent]])},
    now: '2020-01-01T00:00:00Z',
  }).text
}

const readsTerms = / "q"\.term /

const tests = {
  'isNumeric(?v)': 'SUM(?v * 2)',
  [`DATATYPE(?v) = <${xsd.integer}>`]: 'AVG(?v)',
  [`DATATYPE(?v) = <${xsd.dateTime}>`]: 'MAX(YEAR(?v))',
  '?v > 5': 'SUM(?v)',
}
for (const [test_, aggregate] of Object.entries(tests))
  test(`${aggregate} after ${test_} reads no term unless the dictionary can hold such a value`, t => {
    for (const where of [`?s :p ?v FILTER(${test_})`, `{ ?s :p ?v } OPTIONAL { ?s :p ?w } FILTER(${test_})`]) {
      const query = `SELECT (${aggregate} AS ?a) { ${where} }`

      t.notRegex(sqlOf(query, dirty), readsTerms)
      t.regex(sqlOf(query, all), readsTerms)
    }
  })

test('a filter in an OPTIONAL tells the kind of its variables, one beside it or an alternative does not', t => {
  const longest = (where: string) => sqlOf(`SELECT (MAX(STRLEN(STR(?v))) AS ?a) { ${where} }`, dirty)

  t.notRegex(longest('?s :p ?w OPTIONAL { ?s :p ?v FILTER(isNumeric(?v)) }'), readsTerms)
  t.regex(longest('?s :p ?w . ?s :p ?v FILTER(isNumeric(?w))'), readsTerms)
  t.regex(longest('?s :p ?v FILTER(isNumeric(?v) || ?s = <http://e/a>)'), readsTerms)
  t.regex(longest('{ ?s :p ?v FILTER(isNumeric(?v)) } UNION { ?s :p ?v }'), readsTerms)
})

test('an integer that passed a filter is read from the bits of its value, whatever else an id can be', t => {
  const query = `SELECT ?w { { ?s :p ?v FILTER(DATATYPE(?v) = <${xsd.integer}>) } BIND(?v * 3 AS ?w) }`

  t.regex(sqlOf(query, dirty), /int8and\(t\d+\.o, 1152921504606846975::int8\) >> 4/)
})

test('a comparison that the kind decides is neither true nor false for an unbound variable', t => {
  const integers = {low: firstOfKind(inlineKinds.integer), high: endOfKind(inlineKinds.integer) - 1n}
  const query = 'SELECT ?d { ?x :q ?y OPTIONAL { ?x :p ?v } BIND(IF(?v = 1.5, "equal", "other") AS ?d) }'

  t.regex(sqlOf(query, integers), /case when \w+\.\w+ is not null then false end/)
})

test('integers and strings, and no other terms, are integers after a filter for numbers', t => {
  const [integers, strings] = [firstOfKind(inlineKinds.integer), firstOfClass(literalClasses.string)]
  const gap = {first: endOfKind(inlineKinds.integer), end: strings}
  const two = {low: integers, high: firstOfClass(literalClasses.string + 1n) - 1n, gap}
  const query = 'SELECT (SUM(?v * 2) AS ?n) { ?s :p ?v FILTER(isNumeric(?v)) }'

  t.regex(sqlOf(query, two), /sum\(.*& 1152921504606846975|int8and\(t\d+\.(o|c\d), 1152921504606846975::int8\)/)
  t.notRegex(sqlOf(query, two), /sparql_is_|sparql_sum/)
  t.regex(sqlOf(query, dirty), /sparql_is_/)
})

test('hulls have the gap that all their ranges have', t => {
  const range = (low: bigint, high: bigint): Extent => ({low, high})

  t.deepEqual(hullOf([range(-9n, -5n), range(20n, 30n)]), {low: -9n, high: 30n, gap: {first: -4n, end: 20n}})
  t.deepEqual(hullOf([range(-9n, -5n), range(20n, 30n), range(-7n, -3n)]), {
    low: -9n,
    high: 30n,
    gap: {first: -2n, end: 20n},
  })
  t.deepEqual(hullOf([{low: -9n, high: 30n, gap: {first: -4n, end: 20n}}, range(10n, 10n)]), {
    low: -9n,
    high: 30n,
    gap: {first: -4n, end: 10n},
  })
  t.deepEqual(hullOf([range(-9n, -5n), range(20n, 30n), range(-1n, 1n)]), range(-9n, 30n))
  t.deepEqual(hullOf([range(-9n, -5n), range(-3n, -1n)]), range(-9n, -1n))
})
