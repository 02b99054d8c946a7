/** Terms: constructors, equality, keys. */
import test from 'ava'
import fc from 'fast-check'
import {
  blankNode,
  defaultGraph,
  type Graph,
  langLiteral,
  literal,
  namedNode,
  quad,
  sameTerm,
  type Term,
  triple,
} from '../../../src/rdf/term.ts'
import {termKey} from '../../../src/rdf/term-key.ts'
import {ldp, platformVocabulary, rdf, xsd} from '../../../src/rdf/vocabulary.ts'

test('constructors return plain data', t => {
  const s = namedNode('http://a/')
  const p = namedNode('http://b/')
  const o = langLiteral('Chat', 'fr-BE')

  t.deepEqual(quad(s, p, o), {
    subject: {termType: 'NamedNode', value: 'http://a/'},
    predicate: {termType: 'NamedNode', value: 'http://b/'},
    object: {
      termType: 'Literal',
      value: 'Chat',
      datatype: {termType: 'NamedNode', value: rdf.langString},
      language: 'fr-BE',
    },
    graph: {termType: 'DefaultGraph', value: ''},
  })
  t.deepEqual(triple(blankNode('x'), p, s), {
    subject: {termType: 'BlankNode', value: 'x'},
    predicate: p,
    object: s,
  })
})

test('a literal without a datatype is an xsd:string', t => {
  t.deepEqual(literal('a'), literal('a', xsd.string))
})

/** All different, although some look alike. */
const different: readonly (Term | Graph)[] = [
  defaultGraph,
  namedNode('a'),
  namedNode(''),
  blankNode('a'),
  literal('a'),
  literal('A'),
  literal('a '),
  literal(' a'),
  literal(''),
  literal('a', xsd.anyURI),
  literal('01', xsd.integer),
  literal('1', xsd.integer),
  literal('1', xsd.int),
  literal('1.0E0', xsd.double),
  literal('1e0', xsd.double),
  langLiteral('a', 'en'),
  langLiteral('a', 'EN'),
  langLiteral('a', 'en-GB'),
  langLiteral('en a', ''),
  literal('\u00e9'),
  literal('e\u0301'),
]

test('a term is equal only to itself', t => {
  const matrix = different.map(left => different.map(right => sameTerm(left, {...right})))

  t.deepEqual(
    matrix,
    different.map((_, row) => different.map((_, column) => row === column)),
  )
})

test('different terms have different keys', t => {
  t.is(new Set(different.map(termKey)).size, different.length)
})

test('keys have the documented form', t => {
  t.deepEqual(
    [namedNode('http://a/'), blankNode('x'), literal('a b'), langLiteral('a', 'en'), defaultGraph].map(termKey),
    ['Ihttp://a/', 'Bx', `L${xsd.string}  a b`, `L${rdf.langString} en a`, ''],
  )
})

const iri = fc.constantFrom('http://a/', 'http://b/', xsd.string, xsd.integer)
const text = fc.string({unit: fc.constantFrom('a', ' ', 'L', '\n', '"', 'é'), maxLength: 4})
const term = fc.oneof(
  iri.map(namedNode),
  fc.constantFrom('a', 'b').map(blankNode),
  fc.tuple(text, iri).map(([value, datatype]) => literal(value, datatype)),
  fc.tuple(text, fc.constantFrom('en', 'EN', 'fr')).map(([value, language]) => langLiteral(value, language)),
)

test('two terms have the same key exactly if they are equal', t => {
  fc.assert(
    fc.property(term, term, (left, right) => sameTerm(left, right) === (termKey(left) === termKey(right))),
    {numRuns: 2000},
  )
  t.pass()
})

test('the vocabularies are IRIs by local name', t => {
  t.deepEqual(
    [xsd.dateTime, rdf.type, ldp.contains, platformVocabulary('http://p/#').checksum],
    [
      'http://www.w3.org/2001/XMLSchema#dateTime',
      'http://www.w3.org/1999/02/22-rdf-syntax-ns#type',
      'http://www.w3.org/ns/ldp#contains',
      'http://p/#checksum',
    ],
  )
})
