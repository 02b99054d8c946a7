/**
 * Random RDF with difficult terms and shapes: every character that a term may contain, well-formed and ill-formed
 * lists, cycles, shared blank nodes.
 *
 * For property tests of readers and writers (fast-check).
 */
import fc from 'fast-check'
import {
  blankNode,
  defaultGraph,
  type Graph,
  langLiteral,
  literal,
  namedNode,
  type Quad,
  quad,
  type Resource,
  type Term,
} from '../../src/rdf/term.ts'
import {rdf, rdfNamespace, xsd} from '../../src/rdf/vocabulary.ts'

const iriTails = [
  '',
  '#',
  'a',
  'a.b',
  'a.',
  '%20x',
  '%',
  "o'clock",
  '(x)',
  'a,b;c',
  'x:y',
  '//x',
  'é/ü',
  '名前',
  '😀',
  '-a',
  '1',
  '12/',
  '?q=1&r=[2]',
  '#frag/..',
  '../x/./y',
  '~!$*+=@',
  '_',
  'li',
  'a%2Fb#c',
]
const iriHeads = [
  'http://example.org/',
  'http://example.org/ns#',
  'urn:x:',
  'https://a.b:8080/p/',
  rdfNamespace,
  'tag:a@b,2020:',
]

export const iris = fc
  .tuple(fc.constantFrom(...iriHeads), fc.constantFrom(...iriTails))
  .map(([head, tail]) => head + tail)

/** Predicates that every syntax can write, including RDF/XML: they end in an NCName without a meaning in RDF/XML. */
export const qnameIris = fc
  .tuple(
    fc.constantFrom('http://example.org/', 'http://example.org/ns#', 'urn:x:', 'http://example.org/1-2/'),
    fc.constantFrom('a', 'b.c', 'é', '名前', '_x', 'long-name', 'x1', '9lives', '%20z'),
  )
  .map(([head, tail]) => head + tail)

const nastyTexts = [
  '',
  ' ',
  '  \t ',
  '"',
  '""',
  '"""',
  "'''",
  '\\',
  'ends \\',
  '\\u0041',
  'a\nb',
  'a\rb',
  'a\r\nb',
  '\t',
  '\b\f\u000b\u0001\u001f\u007f\u0085\u2028',
  '😀\u{10FFFD}',
  'e\u0301',
  '<a href="x">&amp;</a>',
  ']]>',
  '\ufeffbom',
  '\ufffe\uffff',
  'x'.repeat(3500),
  '1',
  '01',
  '+1',
  '-0',
  '1.0E0',
  '.5',
  '1.',
  '1.50',
  '1e5',
  'true',
  'TRUE',
  'INF',
  '_:a',
  '@en',
  '{}',
]

const texts = fc.oneof(
  fc.constantFrom(...nastyTexts),
  fc.string({unit: 'grapheme', maxLength: 12}).filter(text => !/[\0\p{Surrogate}]/u.test(text)),
)

/** Texts that XML 1.0 can represent (its Char production). */
export const isXmlText = (text: string): boolean =>
  !/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(text)

const languages = fc.constantFrom('en', 'EN', 'en-US', 'eN-us', 'de-CH-1996', 'x-klingon', 'zh-Hant-TW')
const datatypes = fc.constantFrom(
  ...Object.values(xsd),
  rdf.XMLLiteral,
  rdf.HTML,
  rdf.JSON,
  'http://example.org/type#d',
  'urn:x:t',
)

export const literals = fc.oneof(
  texts.map(text => literal(text)),
  fc.tuple(texts, languages).map(([text, language]) => langLiteral(text, language)),
  fc.tuple(texts, datatypes).map(([text, datatype]) => literal(text, datatype)),
)

const labels = ['a', 'b', 'c', 'd', 'e', '0', 'a.b', 'é', 'x-1', '!1', '!2', 'enc-a', 'A:b', 'qs12']
export const plainLabels = ['a', 'b', 'c', 'd', 'e', '0', 'a.b', 'é', 'x-1', 'qs12']

export type DatasetShape = {
  readonly labels?: readonly string[]
  readonly predicates?: fc.Arbitrary<string>
  readonly literals?: fc.Arbitrary<Term>
  readonly graphs: 'several' | 'one'
}

/** A dataset of up to about thirty quads. About half of them belong to lists or resemble lists. */
export function datasets(shape: DatasetShape): fc.Arbitrary<readonly Quad[]> {
  const blank = fc.constantFrom(...(shape.labels ?? labels)).map(blankNode)
  const resource: fc.Arbitrary<Resource> = fc.oneof(
    {weight: 2, arbitrary: iris.map(namedNode)},
    {weight: 1, arbitrary: blank},
  )
  const nil = fc.constant(namedNode(rdf.nil))
  const object: fc.Arbitrary<Term> = fc.oneof(
    resource,
    nil,
    blank,
    shape.literals ?? literals,
    shape.literals ?? literals,
  )
  const subject: fc.Arbitrary<Resource> = fc.oneof({weight: 9, arbitrary: resource}, {weight: 1, arbitrary: nil})
  const graph: fc.Arbitrary<Graph> =
    shape.graphs === 'one' ? fc.constant(defaultGraph) : fc.oneof(fc.constant(defaultGraph), resource)
  const predicate = fc.oneof(shape.predicates ?? iris, fc.constantFrom(rdf.type, rdf.first, rdf.rest)).map(namedNode)
  const plain = fc.tuple(subject, predicate, object, graph).map(parts => [quad(...parts)])
  const cell = fc
    .tuple(blank, object, fc.oneof(blank, nil), graph)
    .map(([node, first, rest, where]) => [
      quad(node, namedNode(rdf.first), first, where),
      quad(node, namedNode(rdf.rest), rest, where),
    ])
  const list = fc
    .tuple(subject, predicate, fc.array(object, {maxLength: 4}), graph, fc.integer({min: 0, max: 1e9}))
    .map(([owner, property, items, where, seed]) => listQuads(owner, property, items, where, `l${seed}`))
  return fc.array(fc.oneof(plain, plain, cell, list), {maxLength: 12}).map(groups => groups.flat())
}

function listQuads(
  owner: Resource,
  property: Quad['predicate'],
  items: readonly Term[],
  graph: Graph,
  stem: string,
): Quad[] {
  const cells = items.map((_, index) => blankNode(`${stem}x${index}`))
  const end = namedNode(rdf.nil)
  const quads = items.flatMap((item, index) => {
    const cell = cells[index] ?? end
    return [
      quad(cell, namedNode(rdf.first), item, graph),
      quad(cell, namedNode(rdf.rest), cells[index + 1] ?? end, graph),
    ]
  })
  return [...quads, quad(owner, property, cells[0] ?? end, graph)]
}
