/** How often SQL reads the numbers that an expression has several times. */
import test from 'ava'
import {firstOfClass, literalClasses} from '../../../src/rdf/id-layout.ts'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'
import {emptyStore} from '../../support/facts.ts'

const numbers = {low: firstOfClass(literalClasses.number), high: firstOfClass(literalClasses.number + 1n) - 1n}

/** The SQL of a query whose predicates all have numbers of the dictionary as objects. */
function sqlOf(text: string): string {
  const prepared = prepareQuery(`PREFIX : <http://e/> ${text}`, 'http://e/')
  const stored = new Map([...prepared.constants.keys()].map((key, index) => [key, String(1000 + index)]))
  const facts = {...emptyStore, extents: new Map([...stored.values()].map(id => [id, numbers]))}
  return compileQuery(prepared, {schema: '"q"', stored, facts, now: '2020-01-01T00:00:00Z'}).text
}

function count(sql: string, part: RegExp): number {
  return [...sql.matchAll(part)].length
}

const pairs = '?a :lat ?x ; :long ?u . ?b :lat ?y ; :long ?v .'

test('an expression reads the value of each number once', t => {
  const sql = sqlOf(`SELECT ?a ?b { ${pairs} FILTER((?x - ?y) * (?x - ?y) + (?u - ?v) * (?u - ?v) < 4) }`)

  t.is(count(sql, /sparql_exact_of\(/g), 4)
  t.is(count(sql, /sparql_double_of\(/g), 4)
  t.regex(sql, /from \(select n0\.c0 as c0, .* offset 0\) as n0/)
})

test('the SQL of a nested expression is proportional to its length', t => {
  const lengthOf = (depth: number) => {
    const expression = Array.from({length: depth}).reduce<string>(inner => `ROUND((${inner} - ?y) * ?x)`, '?u')
    return sqlOf(`SELECT (${expression} AS ?d) { ${pairs} }`).length
  }
  const [few, some, many] = [lengthOf(4), lengthOf(8), lengthOf(12)]

  t.true(many - some < 1.6 * (some - few), `${few}, ${some}, ${many}`)
})

test('a value that an expression has once stays in its place', t => {
  t.notRegex(sqlOf('SELECT (AVG(?x) AS ?m) { ?a :lat ?x }'), / as n0/)
})
