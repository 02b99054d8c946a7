/** Reads results of other endpoints. */
import test from 'ava'
import fc from 'fast-check'
import {createJsonResultsWriter, termJson} from '../../../src/format/results-json.ts'
import {readJsonResults} from '../../../src/format/results-read.ts'
import {blankNode, namedNode, type Term} from '../../../src/rdf/term.ts'
import {iris, literals} from '../../support/arbitrary-rdf.ts'

function refuse(reason: string): never {
  throw new Error(reason)
}

test('results that the service writes are read unchanged', t => {
  const terms: fc.Arbitrary<Term | undefined> = fc.oneof(
    iris.map(namedNode),
    literals,
    fc.constantFrom('a', 'b').map(blankNode),
    fc.constant(undefined),
  )
  const variables = ['x', '__proto__', 'constructor']
  fc.assert(
    fc.property(fc.array(fc.tuple(terms, terms, terms)), rows => {
      const writer = createJsonResultsWriter(variables)
      const text = rows.map(row => writer.write(row.map(term => term && termJson(term)))).join('') + writer.end()

      t.deepEqual(readJsonResults(text, variables, refuse), rows)
    }),
  )
})

test('invalid results are refused with a reason', t => {
  const reasonOf = (text: string) => t.throws(() => readJsonResults(text, ['x'], refuse)).message
  const row = (term: unknown) => JSON.stringify({head: {}, results: {bindings: [{x: term}]}})

  t.is(reasonOf('<html>'), 'it is not JSON')
  t.is(reasonOf('[]'), 'the answer is not an object')
  t.is(reasonOf('{"boolean": true}'), '"results" is not an object')
  t.is(reasonOf('{"results": {"bindings": {}}}'), '"bindings" is not an array')
  t.is(reasonOf('{"results": {"bindings": [7]}}'), 'a solution is not an object')
  t.is(reasonOf(row('a')), 'a term is not an object')
  t.is(reasonOf(row({type: 'uri'})), 'a term has no text that RDF can hold')
  t.is(reasonOf(row({type: 'literal', value: '\0'})), 'a term has no text that RDF can hold')
  t.is(reasonOf(row({type: 'literal', value: '\ud800'})), 'a term has no text that RDF can hold')
  t.is(reasonOf(row({type: 'uri', value: 'a b'})), '"a b" is not an absolute IRI')
  t.is(reasonOf(row({type: 'triple', value: 'x'})), 'a term is of the type "triple"')
  t.is(reasonOf(row({type: 'literal', value: 'x', 'xml:lang': 'e n'})), '"e n" is not a language tag')
  t.is(reasonOf(row({type: 'literal', value: 'x', datatype: 7})), '"7" is not an absolute IRI')
})
