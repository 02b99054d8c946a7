/** Where functions of values that may be inline are computed, as SQL: for each different value, or for each row. */
import test from 'ava'
import {firstOfClass, firstOfKind, inlineKinds, literalClasses} from '../../../src/rdf/id-layout.ts'
import {iriKey} from '../../../src/rdf/term-key.ts'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'
import type {Extent} from '../../../src/sparql/plan/extent.ts'
import {emptyStore} from '../../support/facts.ts'

const dates = {low: firstOfKind(inlineKinds.dateTime), high: firstOfClass(literalClasses.other + 1n) - 1n}

/** The SQL in a store whose objects of :issued are dates and years. */
function sqlOf(text: string, issued: Extent = dates): string {
  const prepared = prepareQuery(`PREFIX : <http://e/> ${text}`, 'http://e/')
  const [first, second] = [iriKey('http://e/issued'), iriKey('http://e/cites')]
  const counted = {triples: 5000, subjects: 5000, objects: 2000, quantiles: []}
  const predicates = new Map(['2000', '2001'].map(id => [id, counted]))
  return compileQuery(prepared, {
    schema: '"q"',
    stored: new Map([
      [first, '2000'],
      [second, '2001'],
    ]),
    facts: {
      ...emptyStore,
      extents: new Map([['2000', issued]]),
      frequencies: {triples: 100_000, predicates, values: new Map()},
    },
    now: '2020-01-01T00:00:00Z',
  }).text
}

const ofValues = /from \(select distinct t\d+\.c\d+ as id from t\d+ as t\d+\) as t\d+ left join lateral \(/g
const pairs = '?a :cites ?b ; :issued ?x . ?b :issued ?y'

test('a test of two values computes what depends on one of them for each different value', t => {
  const sql = sqlOf(`SELECT ?a { { ${pairs} } FILTER(SUBSTR(STR(?x), 1, 4) > SUBSTR(STR(?y), 1, 4)) }`)

  t.is([...sql.matchAll(ofValues)].length, 2)
  t.is([...sql.matchAll(/sparql_substr\(/g)].length, 2)
})

test('it does so before a test reads the terms of all rows together, and after a test that is apart', t => {
  const both = 'FILTER(SUBSTR(STR(?x), 1, 4) > SUBSTR(STR(?y), 1, 4)) FILTER(STR(?a) < STR(?b))'
  for (const pattern of [`{ ${pairs} } ${both}`, `?a :cites ?b ; :issued ?x . ?b :issued ?y . ?b :cites ?c ${both}`]) {
    const sql = sqlOf(`SELECT ?a { ${pattern} }`)

    t.is([...sql.matchAll(ofValues)].length, 2, sql)
    t.is([...sql.matchAll(/sparql_substr\(/g)].length, 2, sql)
    t.regex(sql, /sparql_text_before\(t\d+\.lex, t\d+\.lex\)/)
  }
})

test('so does an aggregate, also of one pattern', t => {
  const sql = sqlOf('SELECT ?a (MAX(SUBSTR(STR(?x), 1, 4)) AS ?m) { ?a :issued ?x } GROUP BY ?a', {
    ...dates,
    stored: 0.1,
  })

  t.is([...sql.matchAll(ofValues)].length, 1, sql)
})

test('a test of a variable of BIND and a group by it share what is computed of each value', t => {
  const bind = 'BIND(<http://www.w3.org/2001/XMLSchema#integer>(SUBSTR(STR(?x), 1, 2)) AS ?c)'
  const sql = sqlOf(`SELECT ?c (COUNT(*) AS ?n) { ?a :cites ?b . ?b :issued ?x ${bind} FILTER(BOUND(?c)) } GROUP BY ?c`)

  t.is([...sql.matchAll(ofValues)].length, 1, sql)
  t.is([...sql.matchAll(/sparql_substr\(/g)].length, 1, sql)
})

test('so does BIND with an expression that is too large to be repeated', t => {
  const month = 'CONCAT(STR(YEAR(?x)), "-", IF(MONTH(?x) < 10, "0", ""), STR(MONTH(?x)))'
  const pattern = `?a :cites ?b . ?b :issued ?x BIND(${month} AS ?m)`
  const sql = sqlOf(`SELECT ?m (COUNT(*) AS ?n) { ${pattern} } GROUP BY ?m`, {...dates, stored: 0.1})

  t.is([...sql.matchAll(ofValues)].length, 1, sql)
})

test('a term is looked up once for each value, and what several results need is computed once', t => {
  const numbers = {low: firstOfKind(inlineKinds.integer), high: firstOfClass(literalClasses.number + 1n) - 1n}
  const sql = sqlOf(
    'PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> SELECT ?a (AVG(xsd:decimal(?x)) AS ?m) { ?a :issued ?x } GROUP BY ?a',
    {...numbers, stored: 0.1},
  )

  t.is([...sql.matchAll(/"q"\.term as/g)].length, 1, sql)
  t.is([...sql.matchAll(/sparql_exact_of\(/g)].length, 1, sql)
  t.is([...sql.matchAll(/sparql_double_of\(/g)].length, 1, sql)
})

test('a test of one pattern, and a volatile test, are computed for each row', t => {
  for (const query of [
    'SELECT ?a { ?a :issued ?x FILTER(SUBSTR(STR(?x), 1, 4) > "1990") }',
    `SELECT ?a { { ${pairs} } FILTER(STRLEN(CONCAT(STR(?x), STRUUID())) > 4) }`,
  ])
    t.notRegex(sqlOf(query), ofValues, query)
})
