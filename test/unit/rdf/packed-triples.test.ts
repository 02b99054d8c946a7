/** Triples as flat memory are unpacked unchanged, in order. */
import test from 'ava'
import fc from 'fast-check'
import {countPacked, isPacked, packInSlices, packPiece, unpackTriples} from '../../../src/rdf/packed-triples.ts'
import {blankNode, langLiteral, literal, namedNode, type Triple, triple} from '../../../src/rdf/term.ts'

const text = fc.string({unit: 'binary', maxLength: 6})
const iri = fc.constantFrom('http://e/a', 'http://e/b', 'urn:x').map(namedNode)
const subject = fc.oneof(iri, text.map(blankNode))
const object = fc.oneof(
  subject,
  text.map(value => literal(value)),
  fc.tuple(text, fc.constantFrom('http://e/type', 'urn:t')).map(([value, datatype]) => literal(value, datatype)),
  fc.tuple(text, fc.constantFrom('en', 'de-CH')).map(([value, tag]) => langLiteral(value, tag)),
)
const triples = fc.array(fc.tuple(subject, iri, object).map((parts): Triple => triple(...parts)))

test('triples are unpacked unchanged, from one piece and from several', t => {
  fc.assert(
    fc.property(triples, triples, (first, second) => {
      const packed = [packPiece(first), packPiece(second)]
      t.deepEqual(unpackTriples(structuredClone(packed)), [...first, ...second])
      t.is(countPacked(packed), first.length + second.length)
    }),
  )
})

test('very many triples are packed in slices without blocking the event loop', async t => {
  const many = Array.from({length: 200_000}, (_, at) =>
    triple(namedNode(`http://e/${at}`), namedNode('urn:p'), literal(`${at}`)),
  )
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)

  const packed = await packInSlices(many)

  clearInterval(timer)
  t.true(turns > 2, `${turns}`)
  t.true(isPacked(packed))
  t.deepEqual(unpackTriples(packed), many)
})
