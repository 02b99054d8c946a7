/** What is known of the terms of a variable, from all patterns that bind it. */
import test from 'ava'
import {firstOfClass, literalClasses} from '../../../src/rdf/id-layout.ts'
import {iriKey} from '../../../src/rdf/term-key.ts'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'
import {emptyStore} from '../../support/facts.ts'

/** The SQL in a store whose objects of :year are literals of one class. */
function sqlOf(pattern: string, yearClass: bigint = literalClasses.other): string {
  const prepared = prepareQuery(`PREFIX : <http://e/> SELECT * ${pattern}`, 'http://e/')
  return compileQuery(prepared, {
    schema: '"q"',
    stored: new Map([[iriKey('http://e/year'), '2000']]),
    facts: {...emptyStore, extents: new Map([['2000', ofClass(yearClass)]])},
    now: '2020-01-01T00:00:00Z',
  }).text
}

function ofClass(number: bigint) {
  return {low: firstOfClass(number), high: firstOfClass(number + 1n) - 1n}
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

test('literals of datatypes without values are sorted by their texts', t => {
  t.notRegex(sqlOf('{ ?s :year ?o } ORDER BY ?o'), /sparql_/)
  t.regex(sqlOf('{ ?s :year ?o } ORDER BY ?o', literalClasses.boolean), /sparql_order_rank/)
  t.regex(sqlOf('{ { ?s :year ?o } UNION { ?s :p ?o } } ORDER BY ?o'), /sparql_order_rank/)
})

test('the ends of a path have the extent of the objects of its last steps', t => {
  const ordered = (path: string) => sqlOf(`{ ?s ${path} ?o } ORDER BY ?o`)

  for (const path of [':year|^:p', ':year|:p', ':p/:year?', ':year*']) t.regex(ordered(path), /sparql_order_rank/, path)
  for (const path of [':year|(:p/:year)', ':year+', '^:p|^:q']) t.notRegex(ordered(path), /sparql_order/, path)
})
