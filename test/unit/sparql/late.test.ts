/** What is computed after LIMIT, as SQL. */
import test from 'ava'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'
import {emptyStore} from '../../support/facts.ts'

function sqlOf(text: string): string {
  const prepared = prepareQuery(`PREFIX : <http://e/> ${text}`, 'http://e/')
  const stored = new Map([...prepared.constants.keys()].map((key, index) => [key, String(1000 + index)]))
  return compileQuery(prepared, {schema: '"q"', stored, facts: emptyStore, now: '2020-01-01T00:00:00Z'}).text
}

const groups = 'SELECT ?k (COUNT(*) AS ?n) (GROUP_CONCAT(?v) AS ?all) { ?s :k ?k ; :v ?v } GROUP BY ?k'

test('aggregates that do not decide the order are completed for the first groups', t => {
  const sql = sqlOf(`${groups} ORDER BY DESC(?n) LIMIT 10`)

  t.regex(sql, /sparql_concatenated\(t\d+\.a0, t\d+\.a1, t\d+\.a2, t\d+\.a3\) as c2 from \(select/, sql)
  t.regex(sql, /fetch first 10 rows with ties/, sql)
})

test('aggregates are completed with their groups if the order or a condition needs them', t => {
  for (const end of [
    'ORDER BY ?all LIMIT 10',
    'HAVING(CONTAINS(GROUP_CONCAT(?v), "x")) ORDER BY ?n LIMIT 10',
    'ORDER BY ?n',
  ])
    t.notRegex(sqlOf(`${groups} ${end}`), /\.a0/, end)
})
