/** Where functions of looked-up terms are computed, as SQL: for each term, or for each row. */
import test from 'ava'
import {firstOfClass, literalClasses} from '../../../src/rdf/id-layout.ts'
import {iriKey} from '../../../src/rdf/term-key.ts'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'
import {emptyStore} from '../../support/facts.ts'

const other = {low: firstOfClass(literalClasses.other), high: firstOfClass(literalClasses.other + 1n) - 1n}
const prefixes = 'PREFIX : <http://e/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>'

/** The SQL in a store whose objects of :price are literals of the dictionary. */
function sqlOf(text: string): string {
  const prepared = prepareQuery(`${prefixes} ${text}`, 'http://e/')
  const stored = new Map(['price', 'note', 'maker'].map((name, index) => [iriKey(`http://e/${name}`), `200${index}`]))
  const counted = {triples: 5000, subjects: 5000, objects: 50, quantiles: []}
  return compileQuery(prepared, {
    schema: '"q"',
    stored,
    facts: {
      ...emptyStore,
      extents: new Map([...stored.values()].map(id => [id, other])),
      frequencies: {
        triples: 100_000,
        predicates: new Map([...stored.values()].map(id => [id, counted])),
        values: new Map(),
      },
    },
    now: '2020-01-01T00:00:00Z',
  }).text
}

const once = /from "q"\.term as t\d+ where \(?t\d+\.id = any \(array\(.*\)\)\)?.* offset 0\) as t\d+ on /

test('a function of one term is computed in a subquery over the terms', t => {
  for (const query of [
    'SELECT ?m (AVG(xsd:float(STR(?p))) AS ?avg) { ?i :price ?p ; :maker ?m } GROUP BY ?m',
    'SELECT ?k (COUNT(*) AS ?n) { ?i :price ?p } GROUP BY (STRLEN(STR(?p)) AS ?k)',
    'SELECT ?m (MAX(STRLEN(STR(?p))) AS ?most) { ?i :price ?p ; :maker ?m } GROUP BY ?m',
    'SELECT ?i { ?i :price ?p ; :maker ?m FILTER(UCASE(STR(?p)) < UCASE(STR(?m))) }',
    'SELECT ?i ?p { ?i :price ?p } ORDER BY UCASE(STR(?p))',
  ]) {
    const sql = sqlOf(query)
    t.regex(sql, once, query)
    t.regex(sql, /t\d+\.lang as lang, .*\bas c\d+ from "q"\.term/, query)
  }
})

test('where a row may have no term, or only parts are read, terms are joined as they are', t => {
  for (const query of [
    'SELECT ?m (AVG(xsd:float(STR(?n))) AS ?avg) { ?i :maker ?m OPTIONAL { ?i :note ?n } } GROUP BY ?m',
    'SELECT ?m (MAX(?p) AS ?most) { ?i :price ?p ; :maker ?m } GROUP BY ?m',
  ]) {
    t.regex(sqlOf(query), /left join "q"\.term/, query)
    t.notRegex(sqlOf(query), once, query)
  }
})

test('a function of a term and the row is computed for each row, its parts of the term once', t => {
  const sql = sqlOf('SELECT ?m (SUM(STRLEN(STR(?p)) * ?k) AS ?s) { ?i :price ?p ; :maker ?m ; :count ?k } GROUP BY ?m')
  t.regex(sql, once)
  t.regex(sql, /sparql_arithmetic|\* /)
})

test('a condition on one term is tested once for each term', t => {
  for (const condition of ['REGEX(STR(?p), "a")', '?p < "2000"^^xsd:gYear', 'STRLEN(STR(?p)) > 3'])
    t.regex(sqlOf(`SELECT ?i { ?i :price ?p ; :maker ?m FILTER(${condition}) }`), once, condition)
})

test('a condition on the same term is tested before its functions are computed', t => {
  const where = '{ ?i :price ?p ; :maker ?m FILTER(STRLEN(STR(?p)) > 3 && UCASE(STR(?p)) < UCASE(STR(?m))) }'
  const sql = sqlOf(`SELECT ?m ${where}`)
  t.regex(sql, /inner join \(select t\d+\.id as id.* where .*> .*offset 0\) as t\d+ on/, sql)
})
