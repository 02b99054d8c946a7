/** Negotiates Accept values with the formats of the interface, in its order. */
import test from 'ava'
import fc from 'fast-check'
import {negotiate, readRangeParameter} from '../../../src/http/accept.ts'

const documents = [
  ['text/turtle', 'application/turtle'],
  ['application/ld+json'],
  ['application/trig'],
  ['application/rdf+xml'],
  ['application/n-triples'],
  ['text/n3', 'text/rdf+n3'],
  ['application/n-quads', 'text/x-nquads', 'text/nquads'],
  ['application/rdf+json'],
].map(mediaTypes => ({mediaTypes}))

const results = [
  ['application/sparql-results+json', 'application/json'],
  ['application/sparql-results+xml', 'application/xml'],
  ['text/csv'],
].map(mediaTypes => ({mediaTypes}))

/** Accept → the Content-Type to answer with, or undefined for a 406. */
const cases: [string | undefined, string | undefined][] = [
  [undefined, 'text/turtle'],
  ['', 'text/turtle'],
  [' , ,', 'text/turtle'],
  ['*/*', 'text/turtle'],
  ['*', 'text/turtle'],
  ['text/*', 'text/turtle'],
  ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'text/turtle'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/turtle'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', 'text/turtle'],
  ['application/ld+json', 'application/ld+json'],
  ['APPLICATION/LD+JSON', 'application/ld+json'],
  ['application/*', 'application/ld+json'],
  // Aliases are returned as requested, and only if they are named.
  ['application/turtle', 'application/turtle'],
  ['text/rdf+n3', 'text/rdf+n3'],
  ['text/x-nquads', 'text/x-nquads'],
  ['text/nquads;q=0.5, text/x-nquads;q=0.4', 'text/nquads'],
  ['application/turtle, text/turtle', 'text/turtle'],
  ['application/turtle, text/turtle;q=0.9', 'application/turtle'],
  ['text/turtle;q=0, application/turtle', 'application/turtle'],
  // Weights.
  ['text/turtle;q=0.5, application/ld+json', 'application/ld+json'],
  ['text/turtle;q=0.5, application/ld+json;q=0.500', 'text/turtle'],
  ['application/ld+json;q=0.9, application/trig;q=0.8', 'application/ld+json'],
  ['application/ld+json; Q=0.1, application/trig; q=.3', 'application/trig'],
  ['application/ld+json; q="0.1", application/trig; q=0.05', 'application/ld+json'],
  ['text/turtle;q=0', undefined],
  ['text/turtle;q=0, */*', 'application/ld+json'],
  ['*/*, text/*;q=0', 'application/ld+json'],
  ['*/*;q=0', undefined],
  ['*/*;q=0.001', 'text/turtle'],
  // A named type is preferred to a wildcard, and a partial wildcard to a full one.
  ['application/ld+json, */*', 'application/ld+json'],
  ['*/*, application/ld+json', 'application/ld+json'],
  ['application/*, */*', 'application/ld+json'],
  ['application/rdf+xml;q=0.5, */*;q=0.5', 'application/rdf+xml'],
  ['text/*;q=0.3, text/n3;q=0.7, */*;q=0.5', 'text/n3'],
  ['text/*;q=0.3, application/*;q=0.2, */*;q=0.5', 'text/turtle'],
  // Parameters never prevent a match; a range without them is used if both exist.
  ['application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"', 'application/ld+json'],
  ['application/ld+json;profile="a,b;q=0";q=0.7, text/turtle;q=0.6', 'application/ld+json'],
  ['text/turtle;version=1.2, application/ld+json;q=0.9, text/turtle;q=0.8', 'application/ld+json'],
  ['text/turtle; charset=utf-8', 'text/turtle'],
  ['text/turtle;q=1;extension=x', 'text/turtle'],
  // Nothing acceptable, or nothing well-formed.
  ['image/png', undefined],
  ['text/html', undefined],
  ['turtle', undefined],
  ['*/turtle', undefined],
  ['text/turtle;q=high', undefined],
  ['text/turtle;q=1.5', undefined],
  ['text/turtle;q=0.1234', undefined],
  ['text/turtle;q=.', undefined],
  ['text/turtle;q=-1', undefined],
  ['turtle, application/trig', 'application/trig'],
  ['text/turtle;q=x, */*;q=0.1', 'text/turtle'],
  ['"text/turtle', undefined],
]

for (const [accept, mediaType] of cases)
  test(`Accept ${accept} is answered with ${mediaType ?? 'nothing'}`, t => {
    const offer = documents.find(({mediaTypes}) => mediaType !== undefined && mediaTypes.includes(mediaType))

    t.deepEqual(negotiate(accept, documents), offer === undefined ? undefined : {offer, mediaType: mediaType ?? ''})
  })

test('the Accept of existing clients for ASK and SELECT gets JSON results', t => {
  const negotiated = negotiate('application/ld+json; q=0.9, application/sparql-results+json', results)

  t.is(negotiated?.mediaType, 'application/sparql-results+json')
})

test('the same Accept has another result with other offers', t => {
  const accept = 'application/json, application/ld+json;q=0.5'

  t.deepEqual(
    [negotiate(accept, documents)?.mediaType, negotiate(accept, results)?.mediaType],
    ['application/ld+json', 'application/json'],
  )
})

test('without offers there is no result', t => {
  t.is(negotiate('*/*', []), undefined)
})

test('the result is always a name of its offer, whatever the field contains', t => {
  const pieces = fc.constantFrom(
    ...[
      'text/',
      'turtle',
      'application/',
      'ld+json',
      '*',
      '/',
      ',',
      ';',
      'q=',
      '0',
      '.5',
      '1',
      ' ',
      '"',
      '\\',
      '<',
      'x=y',
    ],
  )
  const field = fc.oneof(
    fc.string(),
    fc.array(pieces, {maxLength: 30}).map(parts => parts.join('')),
  )
  fc.assert(
    fc.property(field, accept => {
      const negotiated = negotiate(accept, documents)
      return negotiated === undefined || negotiated.offer.mediaTypes.includes(negotiated.mediaType)
    }),
    {numRuns: 500},
  )
  t.pass()
})

test('a parameter of a media range is read from the first range of that name that has it', t => {
  const read = (accept: string) => readRangeParameter(accept, 'text/x', 'level')

  t.is(read('text/x; level=1; q=0.5'), '1')
  t.is(read('text/y; level=1, text/x, TEXT/X; q=1; Level="2, 3"'), '2, 3')
  t.is(read('text/x; q=0.5'), undefined)
  t.is(read('*/*; level=1'), undefined)
})
