/** Text of a query reaches SQL only as the value of a parameter. */
import test from 'ava'
import {compileQuery, prepareQuery} from '../../../src/sparql/compile.ts'
import {emptyStore} from '../../support/facts.ts'

test('no text of a query is text of its SQL', t => {
  const hostile = `x'"\\ $1; drop`
  const prepared = prepareQuery(
    `SELECT (CONCAT(?l, ${JSON.stringify(hostile)}) AS ?${'v'.repeat(100)})
     { ?s <http://e/${encodeURIComponent(hostile)}> ?l }`,
    'http://e/',
  )
  const facts = {...emptyStore, hasDocuments: true}
  const options = {schema: '"q"', stored: new Map(), facts, now: '2020-01-01T00:00:00.000Z'}

  const {text, parameters} = compileQuery(prepared, options)

  t.false(text.includes('drop'))
  t.true(JSON.stringify(parameters).includes('drop'))
  t.false(text.includes('vvvv'))
})

test('each function of the store is named with its schema, also in the past', t => {
  const prepared = prepareQuery(
    'SELECT * { ?s <http://e/p> ?l BIND(IRI(STR(?l)) AS ?o) ?o <http://e/p> ?m }',
    'http://e/',
  )
  const facts = {...emptyStore, hasDocuments: true, past: {first: '7'}}
  const options = {schema: '"q"', stored: new Map(), facts, now: '2020-01-01T00:00:00.000Z'}

  const {text} = compileQuery(prepared, options)

  const named = [...text.matchAll(/(\S*?)\b((?:past|sparql|inline)_\w+)\(/g)].map(([, schema, name]) => [name, schema])
  t.true(named.some(([name]) => name === 'past_id'))
  t.deepEqual(
    named.filter(([, schema]) => !schema?.endsWith('"q".')),
    [],
  )
})
