/** Checksums of single graphs: their definition, and the fast method compared with rdf-canonize. */
import test from 'ava'
import fc from 'fast-check'
import {canonicalForm, canonicalGroundForm, checksumOf, groundChecksumOf} from '../../../src/checksum/canonical.ts'
import {blankNode, langLiteral, literal, namedNode, quad, type Triple, triple} from '../../../src/rdf/term.ts'
import {cliqueOf, property} from './graphs.ts'

const subject = namedNode('http://e/s')

test('the checksum is the SHA-256 of the sorted lines', async t => {
  const graph = [triple(subject, property, literal('b')), triple(subject, property, literal('a'))]

  const form = canonicalGroundForm(graph)

  t.is(form, '<http://e/s> <http://e/p> "a" .\n<http://e/s> <http://e/p> "b" .\n')
  t.is(groundChecksumOf(graph), '902aa07d8cc0c054f7f1034adb9810f437b3df977d913eb3c0a920e7f1f18b31')
})

test('the checksum of an empty graph is the SHA-256 of the empty string', async t => {
  const nothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

  t.deepEqual([groundChecksumOf([]), await checksumOf([])], [nothing, nothing])
})

test('the name of the graph, the labels of blank nodes, order and repetition do not count', async t => {
  const [one, other] = [blankNode('x'), blankNode('y')]
  const left = [quad(subject, property, one, namedNode('http://e/g')), quad(one, property, literal('v'))]
  const right = [quad(other, property, literal('v')), quad(subject, property, other), quad(subject, property, other)]

  t.is(await checksumOf(left), await checksumOf(right))
})

test('lexical form, datatype, and the case of a language tag count', t => {
  const objects = [
    literal('1'),
    literal('01'),
    langLiteral('1', 'en'),
    langLiteral('1', 'EN'),
    literal('1', 'http://e/d'),
  ]

  const checksums = objects.map(object => groundChecksumOf([triple(subject, property, object)]))

  t.is(new Set(checksums).size, objects.length)
})

test('a graph that needs too much work is refused by name', async t => {
  const error = await t.throwsAsync(checksumOf(cliqueOf(6), {workFactor: 1}))

  t.like(error, {
    status: 422,
    rule: 'checksum-work',
    message: 'The canonical form takes more than n to the 1 steps for n blank nodes that look alike',
    members: {workFactor: 1},
  })
})

const text = fc.string({
  unit: fc.oneof(
    fc.string({unit: 'binary', minLength: 1, maxLength: 1}),
    fc.constantFrom('"', '\\', '\n', '\u007f', '\t'),
  ),
  maxLength: 6,
})
const iri = fc.oneof(
  fc.constantFrom('http://e/a', 'http://e/é', 'http://e/\u{10000}', 'http://e/\uffee', 'a b<'),
  fc.webUrl(),
)
const ground: fc.Arbitrary<Triple> = fc
  .tuple(
    iri.map(namedNode),
    iri.map(namedNode),
    fc.oneof(
      iri.map(namedNode),
      text.map(value => literal(value)),
      fc.tuple(text, iri).map(([value, datatype]) => literal(value, datatype)),
      fc.tuple(text, fc.constantFrom('en', 'EN', 'de-AT')).map(([value, language]) => langLiteral(value, language)),
    ),
  )
  .map(([s, p, o]) => triple(s, p, o))

test('without blank nodes the fast method gives the same as rdf-canonize', async t => {
  await fc.assert(
    fc.asyncProperty(fc.array(ground, {maxLength: 6}), async graph => {
      const quads = graph.map(({subject: s, predicate, object}) => quad(s, predicate, object))
      t.is(canonicalGroundForm([...graph, ...graph]), await canonicalForm(quads))
      t.is(groundChecksumOf(graph), await checksumOf(graph))
    }),
    {numRuns: 300},
  )
})
