/** How SQL reads computed numbers: the results of SUM and AVG that are held as keys, and those of BIND. */
import test from 'ava'
import {firstOfKind, inlineKinds} from '../../../src/rdf/id-layout.ts'
import {iriKey} from '../../../src/rdf/term-key.ts'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'
import {emptyStore} from '../../support/facts.ts'

function sqlOf(text: string): string {
  const prepared = prepareQuery(
    `PREFIX : <http://e/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> ${text}`,
    'http://e/',
  )
  const stored = new Map([...prepared.constants.keys()].map((key, index) => [key, String(1000 + index)]))
  const weights = stored.get(iriKey('http://e/weight')) ?? '' // decimals and doubles
  const decimals = {low: firstOfKind(inlineKinds.decimal), high: firstOfKind(inlineKinds.decimal + 1n) - 1n}
  const facts = {...emptyStore, extents: new Map([[weights, decimals]])}
  return compileQuery(prepared, {schema: '"q"', stored, facts, now: '2020-01-01T00:00:00Z'}).text
}

const groups = '{ SELECT ?g (SUM(?x) AS ?a) (AVG(?x) AS ?b) (COUNT(*) AS ?n) { ?j :value ?x ; :group ?g } GROUP BY ?g }'
const slow = /sparql_(?:comparable|exact|inexact|usual_number|order_rank)\(/

test('results of SUM and AVG are compared and sorted as numbers', t => {
  for (const [query, reads] of [
    [`SELECT ?g { ${groups} FILTER(?a > 5) }`, /sparql_canonical\(t\d+\.c\d+\), .*\) > /],
    [`SELECT ?g { ${groups} FILTER(?a > ?b) }`, /n0\.c0 > n0\.c1, .*"q"\.sparql_canonical_exact\(t\d+\.c\d+\) as c0/],
    [
      `SELECT ?i { ?i :value ?v ; :group ?g ${groups} FILTER(?v < ?a) }`,
      /n0\.c0 < n0\.c1, .*"q"\.sparql_canonical_exact\(t\d+\.c\d+\) as c1/,
    ],
    [`SELECT ?g { ${groups} } ORDER BY DESC(?a)`, /order by "q"\.sparql_canonical\(/],
    [`SELECT ?g { ${groups} } ORDER BY DESC(?a / ?n)`, /order by "q"\.sparql_canonical\(/],
    [`SELECT (?a - ?b AS ?d) { ${groups} } ORDER BY ?d`, /order by "q"\.sparql_canonical\(/],
  ] as const) {
    const sql = sqlOf(query)
    t.regex(sql, reads, query)
    t.notRegex(sql, slow, query)
  }
})

test('sums of floats and doubles are computed as such', t => {
  for (const type of ['float', 'double']) {
    const sums = groups.replace('SUM(?x)', `SUM(xsd:${type}(STR(?x)))`)
    const sql = sqlOf(`SELECT ?g (?a / ?n AS ?r) { ${sums} }`)
    t.regex(sql, new RegExp(`sparql_${type}\\(.*sparql_moderate_${type}\\(t\\d+\\.c\\d+\\), .* / `), type)
    t.regex(
      sqlOf(`SELECT ?g { ${sums} FILTER(xsd:${type}(?a) < ?a) }`),
      new RegExp(`sparql_canonical_${type}\\(`),
      type,
    )
  }
})

test('a term that may be something else is read as any term', t => {
  for (const value of ['COALESCE(?a, "x")', 'IF(?n > 1, ?a, "x")'])
    t.notRegex(sqlOf(`SELECT ?g { ${groups} FILTER(${value} > 5) }`), /sparql_canonical\(/, value)
  t.notRegex(sqlOf(`SELECT ?a { ${groups} UNION { ?s :p ?a } FILTER(?a > 5) }`), /sparql_canonical/)
})

test('results that a condition uses several times are computed before it', t => {
  t.regex(sqlOf(`SELECT ?g { ${groups} FILTER(?a > ?b) }`), /group by t\d+\.c\d+\) as t\d+ offset 0\) as t\d+ where/)
  t.notRegex(sqlOf(`SELECT ?g { ${groups} FILTER(?a > 5) }`), /group by t\d+\.c\d+\) as t\d+ offset 0\)/)
})

test('a test of the variable of BIND compares the number, not the key that is made of it', t => {
  const bound = (expression: string, tested: string) =>
    sqlOf(`SELECT ?i ?kg { ?i :weight ?w ; :unit ?u BIND(${expression} AS ?kg) FILTER(${tested}) }`)
  const inKilograms = 'IF(?u = "g", ?w / 1000, IF(?u = "kg", ?w, ?unbound))'

  t.regex(bound('?w * 2', '?kg > 250'), /n0\.c0 > 250::int8/)
  for (const expression of ['IF(?u = "g", ?w / 1000, ?unbound)', inKilograms])
    for (const tested of ['?kg > 250', '250.5 >= ?kg']) t.notRegex(bound(expression, tested), slow, expression)
  t.regex(bound('IF(?u = "g", ?w, "none")', '?kg > 250'), slow)
})
