/** The registry of formats. */
import test from 'ava'
import {Refusal} from '../../../src/base/refusal.ts'
import {formatOfMediaType, formats} from '../../../src/format/registry.ts'
import {formatOf, inputNames} from '../../../src/transfer/input.ts'

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

test('no two formats share an id, a name, a media type or an extension', t => {
  const all = [
    formats.map(({id}) => id),
    formats.map(({name}) => name),
    formats.flatMap(({mediaTypes}) => mediaTypes),
    formats.flatMap(({extensions}) => extensions),
  ]

  for (const values of all) t.is(new Set(values).size, values.length)
})

test('every readable format is one for import, by its name and by the extension of a file', t => {
  for (const {id, extensions, parse} of formats) {
    const name = id.replaceAll('-', '')
    t.deepEqual(inputNames.get(name)?.id as string | undefined, parse && id)
    for (const extension of parse === undefined ? [] : extensions) t.is(String(formatOf(`a.${extension}.gz`).id), id)
  }
  t.throws(() => formatOf('a.brf'), {
    instanceOf: Refusal,
    message: /--format: turtle, jsonld, trig, rdfxml, ntriples, nq/,
  })
})
