/** What is known of the terms of a variable, from all patterns that bind it. */
import test from 'ava'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'
import {emptyStore} from '../../support/facts.ts'

function sqlOf(pattern: string): string {
  const prepared = prepareQuery(`PREFIX : <http://e/> SELECT * ${pattern}`, 'http://e/')
  return compileQuery(prepared, {
    schema: '"q"',
    stored: new Map(),
    facts: emptyStore,
    now: '2020-01-01T00:00:00Z',
  }).text
}

test('an object that is also a subject is sorted as a node', t => {
  t.regex(sqlOf('{ ?s :p ?o } ORDER BY ?o'), /sparql_order_rank/)
  t.notRegex(sqlOf('{ ?s :p ?o . ?o :q ?x } ORDER BY ?o'), /sparql_order_rank/)
  t.notRegex(sqlOf('{ ?o :q ?x . ?s :p ?o } ORDER BY ?o'), /sparql_order_rank/)
  const probed = sqlOf('{ :a :p ?o . ?o :q ?x } ORDER BY ?o')
  t.regex(probed, /lateral/)
  t.notRegex(probed, /sparql_order_rank/)
})

test('an object that may be unbound in the other pattern is sorted as any term', t => {
  t.regex(sqlOf('{ ?s :p ?o OPTIONAL { ?o :q ?x } } ORDER BY ?o'), /sparql_order_rank/)
})
