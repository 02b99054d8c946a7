/** Frequencies of terms that VALUES lists decide how later patterns are joined, whichever of the two comes first. */
import test from 'ava'
import {iriKey} from '../../../src/rdf/term-key.ts'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'
import {emptyStore} from '../../support/facts.ts'

const [near, by, hub, other] = ['2001', '2002', '1002', '1003']

/**
 * The SQL for observations by those of two sensors that are near another one. A sensor has 300
 * observations on average. The pattern of neighbours finds some sensors, of which VALUES selects.
 */
function sqlOf(ofHub: number): string {
  const text = `SELECT * { <http://e/a> <http://e/near> ?s VALUES ?s { <http://e/hub> <http://e/b> } ?o <http://e/by> ?s
                  FILTER NOT EXISTS { ?o <http://e/near> ?e } }`
  const ids = {a: '1001', hub, b: other, near, by}
  const stored = new Map(Object.entries(ids).map(([name, id]) => [iriKey(`http://e/${name}`), id]))
  const of = (triples: number, subjects: number, objects: number) => ({triples, subjects, objects, quantiles: []})
  const predicates = new Map([
    [near, of(5_000, 2_500, 25)],
    [by, of(75_000, 75_000, 250)],
  ])
  const values = new Map([
    [`${by} ${hub}`, ofHub],
    [`${by} ${other}`, 20],
  ])
  const frequencies = {triples: 500_000, predicates, values}
  const facts = {...emptyStore, frequencies}
  const options = {schema: '"q"', stored, facts, now: '2020-01-01T00:00:00Z'}
  return compileQuery(prepareQuery(text, 'http://e/'), options).text
}

const probed = /exists \(select [^()]*(\([^()]*\)[^()]*)* offset 0\)/

test('many triples of a listed term: EXISTS is read once for all solutions', t => {
  t.notRegex(sqlOf(70_000), probed)
})

test('few triples of the listed terms: EXISTS is looked up for each solution', t => {
  t.regex(sqlOf(20), probed)
})
