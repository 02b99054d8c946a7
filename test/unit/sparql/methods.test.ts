/** The numbers of solutions decide whether EXISTS, groups and graphs are probed for each, or read once. */
import test from 'ava'
import {iriKey} from '../../../src/rdf/term-key.ts'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'
import {emptyStore} from '../../support/facts.ts'

const of = (triples: number, subjects: number, objects: number) => ({triples, subjects, objects, quantiles: []})
const counted = new Map([
  ['of', of(14_000, 14_000, 2000)],
  ['at', of(5000, 5000, 5000)],
  ['is', of(60_000, 15_000, 20)],
  ['some', of(7000, 7000, 7000)],
])

/** The SQL for a query in a store of 250,000 quads, where no triple is in two graphs. */
function sqlOf(pattern: string): string {
  const prepared = prepareQuery(`PREFIX : <http://e/> SELECT * ${pattern}`, 'http://e/')
  const names = [...counted.keys(), 'graph']
  const ids = new Map(names.map((name, index) => [name, String(1000 + index)]))
  const predicates = new Map([...counted].map(([name, frequency]) => [ids.get(name) ?? '', frequency]))
  const stored = new Map([...ids].map(([name, id]) => [iriKey(`http://e/${name}`), id]))
  const facts = {
    ...emptyStore,
    uncopied: new Set(ids.values()),
    frequencies: {triples: 250_000, predicates, values: new Map()},
  }
  return compileQuery(prepared, {schema: '"q"', stored, facts, now: '2020-01-01T00:00:00Z'}).text
}

const [probed, grouped] = [/not exists \([^()]* offset 0\)/, /join lateral \(/]
const outside = (sql: string) => sql.replaceAll(/\((?:copy|\w+\.copy) is null\)|\(\w+\.[spo] = [\w.:]+\)/g, '-')

test('EXISTS is probed for few solutions, and joined with many', t => {
  const exists = (name: string) => outside(sqlOf(`{ ?s :${name} ?m FILTER NOT EXISTS { ?s :is ?x } }`))

  t.regex(exists('at'), probed)
  t.notRegex(exists('some'), probed)
})

test('EXISTS that is cheaper after a join is not tested before it', t => {
  const sql = outside(sqlOf('{ ?s :of ?m ; :at ?n FILTER NOT EXISTS { ?m :is ?x } }'))

  t.regex(sql, /inner join .* offset 0\) as t\d+ where \(not exists/)
})

test('a group is computed for the few solutions of one graph', t => {
  const count = '{ SELECT ?s (COUNT(?x) AS ?n) { ?s :is ?x } GROUP BY ?s }'

  t.regex(sqlOf(`{ GRAPH :graph { ?s :of ?m } ${count} }`), grouped)
  t.notRegex(sqlOf(`{ ?s :of ?m ${count} }`), grouped)
})
