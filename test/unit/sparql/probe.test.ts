/** The number of dictionary look-ups in a query's SQL. */
import test from 'ava'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'
import {emptyStore} from '../../support/facts.ts'

function sqlOf(filter: string): string {
  const prepared = prepareQuery(`SELECT ?s { ?s <http://e/p> ?a ; <http://e/q> ?b FILTER(${filter}) }`, 'http://e/')
  const stored = new Map([...prepared.constants.keys()].map((key, index) => [key, String(1000 + index)]))
  return compileQuery(prepared, {schema: '"q"', stored, facts: emptyStore, now: '2020-01-01T00:00:00Z'}).text
}

const probes: Readonly<Record<string, number>> = {
  'LANG(?a) = "" || LANGMATCHES(LANG(?a), "en") || LANG(?a) = "fr"': 1,
  'REGEX(?a, "x") || REGEX(?a, "y")': 1,
  'CONTAINS(LCASE(?a), "x")': 1,
  'CONCAT(?a, UCASE(?a)) = "xX"': 1,
  'CONTAINS(?a, ?b)': 2,
  'STRLEN(?a) > 2 && CONTAINS(?a, "x")': 1,
  'STRLEN(?a) > 2 && STRLEN(?b) > 2': 2,
  'STRLEN(?a) > 2 && CONTAINS(?a, ?b)': 2,
  'STRLEN(?a) > 2 && ?a > 5': 2,
  'STR(?a) = STR(?b)': 2,
  'isNumeric(?a)': 1,
  'isIRI(?a)': 0,
  '?a = ?b && isBlank(?a)': 2,
}

for (const [filter, count] of Object.entries(probes)) {
  test(`looks up the dictionary ${count} times for ${filter}`, t => {
    const sql = sqlOf(filter)

    t.is(sql.match(/"q"\.term as/g)?.length ?? 0, count, sql)
  })
}

test('the sides of a comparison stay separate, so that a join can hash them', t => {
  t.regex(sqlOf('STR(?a) = STR(?b)'), / = case when t\d+\.\w+ </)
})

test('strings are compared and matched without a function call for each row', t => {
  for (const filter of ['STR(?a) < "m"', 'REGEX(?a, "^x")', 'REPLACE(?a, "x", "y") = "y"', 'STRBEFORE(?a, " ") = "x"'])
    t.notRegex(sqlOf(filter), /sparql_(?:ordered|compare|matches|replace|beside)\(/, filter)
})

test('a filter on a datatype becomes ranges of ids', t => {
  t.regex(sqlOf('DATATYPE(?a) = <http://www.w3.org/2001/XMLSchema#boolean>'), /\.o <= '-9223372036854775807'::int8/)
})
