/** The registry of formats. */
import test from 'ava'
import {formatOfMediaType, formats} from '../../../src/format/registry.ts'

test('every format of the interface is registered, for reading and writing', t => {
  const inward = formats.filter(format => format.parse !== undefined).flatMap(format => format.mediaTypes)
  const outward = formats.flatMap(format => format.mediaTypes)

  t.deepEqual(inward.sort(), [
    'application/ld+json',
    'application/n-quads',
    'application/n-triples',
    'application/rdf+xml',
    'application/trig',
    'application/turtle',
    'text/nquads',
    'text/turtle',
    'text/x-nquads',
  ])
  t.deepEqual(outward.sort(), [
    ...[
      'application/ld+json',
      'application/n-quads',
      'application/n-triples',
      'application/rdf+json',
      'application/rdf+xml',
    ],
    ...[
      'application/trig',
      'application/trix',
      'application/turtle',
      'application/x-binary-rdf',
      'text/n3',
      'text/nquads',
    ],
    ...['text/rdf+n3', 'text/turtle', 'text/x-nquads'],
  ])
})

test('a Content-Type names its format, whatever its case and parameters', t => {
  const ids = [
    'text/turtle; charset=utf-8',
    'Application/LD+JSON;profile="http://www.w3.org/ns/json-ld#expanded"',
    ' text/x-nquads ',
    'text/rdf+n3',
    'application/json',
    'text/html',
    '',
  ].map(type => formatOfMediaType(type)?.id)

  t.deepEqual(ids, ['turtle', 'json-ld', 'n-quads', 'n3', undefined, undefined, undefined])
})

test('JSON-LD has no charset, Turtle has one; formats without graphs are marked', t => {
  t.deepEqual(
    formats.map(format => [format.id, format.charset, format.hasGraphs]),
    [
      ['turtle', true, false],
      ['json-ld', false, true],
      ['trig', true, true],
      ['rdf-xml', true, false],
      ['n-triples', false, false],
      ['n-quads', false, true],
      ['binary', false, true],
      ['trix', true, true],
      ['rdf-json', false, false],
      ['n3', true, false],
    ],
  )
})
