/** The rows that are read for triples of graphs, if no triple of a predicate is stored in two graphs. */
import test from 'ava'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'
import {emptyStore} from '../../support/facts.ts'

const prologue = 'PREFIX : <http://e/>'

function sqlOf(text: string, uncopied: readonly string[], realms?: readonly string[]): string {
  const prepared = prepareQuery(`${prologue} ${text}`, 'http://e/')
  const stored = new Map(Array.from(prepared.constants.keys(), key => [key, idOf(key)]))
  const facts = {
    ...emptyStore,
    hasDocuments: true,
    uncopied: new Set(uncopied.map(name => idOf(`Ihttp://e/${name}`))),
    ...(realms === undefined ? {} : {realms}),
  }
  return compileQuery(prepared, {schema: '"q"', stored, facts, now: '2020-01-01T00:00:00Z'}).text
}

function idOf(key: string): string {
  return String(1000 + (key.codePointAt(key.length - 1) ?? 0))
}

function readsCopies(sql: string): boolean {
  const count = (pattern: RegExp) => sql.match(pattern)?.length ?? 0
  return count(/\.quad as \w+/g) > count(/\w+\.copy is null/g)
}

const patterns: Readonly<Record<string, string>> = {
  'a pattern of each graph': 'SELECT * { GRAPH ?g { ?s :p ?o } }',
  'a probe of a graph': 'SELECT * { GRAPH :g { :s :p ?o } }',
  'a pattern of some graphs': 'SELECT * FROM :g FROM :h { :s :p ?o }',
  'a path': 'SELECT * { GRAPH ?g { :s :p+ ?o } }',
  'an alternative': 'SELECT * { GRAPH ?g { ?s (:q|:p)+ ?o } }',
}

for (const [what, text] of Object.entries(patterns)) {
  test(`${what} reads copies unless its predicates have none`, t => {
    t.true(readsCopies(sqlOf(text, [])))
    t.true(readsCopies(sqlOf(text, ['q'])))
    t.false(readsCopies(sqlOf(text, ['p', 'q'])))
  })
}

test('what may match any predicate reads copies', t => {
  for (const text of ['GRAPH ?g { :s ?p ?o }', 'GRAPH ?g { :s !:p ?o }', 'GRAPH ?g { ?s :p* ?o }'])
    t.true(readsCopies(sqlOf(`SELECT * { ${text} }`, ['p'])), text)
})

test('a caller who may not read all graphs reads copies unless the predicate has none', t => {
  const text = 'SELECT * { :s :p ?o }'

  t.true(readsCopies(sqlOf(text, [], ['5'])))
  const sql = sqlOf(text, ['p'], ['5'])
  t.false(readsCopies(sql))
  t.regex(sql, /realm/)
})

test('the predicates under GRAPH and of a dataset are those of triples that are read graph by graph', t => {
  const predicatesOf = (text: string) => prepareQuery(`${prologue} ${text}`, 'http://e/').predicates
  const keys = (...names: readonly string[]) => names.map(name => `Ihttp://e/${name}`)

  t.deepEqual(predicatesOf('SELECT * { ?s :p ?o GRAPH ?g { ?o (:q/^:r)* ?e FILTER EXISTS { ?e :t ?f } } }'), {
    all: keys('p', 'q', 'r', 't'),
    inGraphs: keys('q', 'r', 't'),
  })
  t.deepEqual(predicatesOf('SELECT * FROM :g { ?s :p ?o; !:q ?e }'), {all: keys('p'), inGraphs: keys('p')})
})
