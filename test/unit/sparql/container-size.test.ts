/** The number of children of a large container decides whether its children are sorted, or found in the order. */
import test from 'ava'
import {iriKey} from '../../../src/rdf/term-key.ts'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'
import {emptyStore} from '../../support/facts.ts'

const [contains, time] = ['10', '2000']
const extents = new Map([[time, {low: -5764607523034234880n, high: -4611686018427387905n}]]) // dates

/** The SQL for the newest children of a container, in a store of 500,000 documents, most of which have a time. */
function sqlOf(children: ReadonlyMap<string, number>): string {
  const text = `SELECT ?c { <http://e/c/> <http://www.w3.org/ns/ldp#contains> ?c . ?c <http://e/time> ?time }
                ORDER BY DESC(?time) ?c LIMIT 20 OFFSET 100`
  const prepared = prepareQuery(text, 'http://e/')
  const ids = new Map([
    ['http://e/c/', '1001'],
    ['http://www.w3.org/ns/ldp#contains', contains],
    ['http://e/time', time],
  ])
  const stored = new Map([...ids].map(([iri, id]) => [iriKey(iri), id]))
  const of = (triples: number, subjects: number, objects: number) => ({triples, subjects, objects, quantiles: []})
  const predicates = new Map([
    [contains, of(500_000, 10_000, 500_000)],
    [time, of(400_000, 400_000, 300_000)],
  ])
  const frequencies = {triples: 10_000_000, predicates, values: new Map(), children}
  const facts = {...emptyStore, hasDocuments: true, extents, frequencies}
  return compileQuery(prepared, {schema: '"q"', stored, facts, now: '2020-01-01T00:00:00Z'}).text
}

const isWalked = /order by t\d+\.o desc fetch first 120 rows with ties/

test('the newest children of a large container are found in the order of time', t => {
  t.regex(sqlOf(new Map([['1001', 300_000]])), isWalked)
})

test('the children of a container of usual size are sorted', t => {
  t.notRegex(sqlOf(new Map()), isWalked)
  t.notRegex(sqlOf(new Map([['1002', 300_000]])), isWalked)
  t.notRegex(sqlOf(new Map([['1001', 500]])), isWalked)
})
