/** Which groups of a query are computed once, as SQL. */
import test from 'ava'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'
import {emptyStore} from '../../support/facts.ts'

function sharedIn(text: string): number {
  const prepared = prepareQuery(`PREFIX : <http://e/> ${text}`, 'http://e/')
  const stored = new Map([...prepared.constants.keys()].map((key, index) => [key, String(1000 + index)]))
  const {text: sql} = compileQuery(prepared, {schema: '"q"', stored, facts: emptyStore, now: '2020-01-01T00:00:00Z'})
  const names = new Set(sql.match(/\bsame\d+(?= as materialized)/g))
  for (const name of names) if ((sql.match(new RegExp(`from ${name}\\b`, 'g'))?.length ?? 0) < 2) return Number.NaN
  return names.size
}

const total = (name: string, end = '') => `{ SELECT ?k (SUM(?v) AS ${name}) { ?s :k ?k ; :v ?v ${end} } GROUP BY ?k }`
const most = (end = '') => `{ SELECT (MAX(?t) AS ?m) { ${total('?t', end)} } }`

const queries: readonly (readonly [query: string, shared: number])[] = [
  [`${most()} ${total('?m')}`, 1],
  [`${most()} { SELECT (MIN(?u) AS ?l) { ${total('?u')} } } ${total('?m')}`, 1],
  [`${most()} ${total('?n')} { SELECT ?k (MIN(?x) AS ?l) { ?s :k ?k ; :x ?x } GROUP BY ?k }`, 1],
  [`${most('FILTER(?v > 1)')} ${total('?m', 'FILTER(?v > 1)')}`, 1],
  [`${most('FILTER(?v > 1)')} ${total('?m', 'FILTER(?v > 2)')}`, 0],
  [`${most('FILTER(STR(?v) > "t1")')} ${total('?m', 'FILTER(STR(?v) > "t2")')}`, 0],
  [`${most('FILTER(RAND() > 0.5)')} ${total('?m', 'FILTER(RAND() > 0.5)')}`, 0],
  [`${total('?m')} ?s :k ?k`, 0],
]

for (const [query, shared] of queries)
  test(`computes ${shared} groups once in ${query}`, t => {
    t.is(sharedIn(`SELECT * { ${query} }`), shared)
  })

test('groups that contain equal groups are computed once as a whole', t => {
  t.is(sharedIn(`SELECT * { { ${most()} ${total('?n')} } UNION { ${most()} ${total('?n')} } }`), 2)
})
