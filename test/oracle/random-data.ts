/** Random small datasets: few nodes, so that patterns have matches; every kind of literal; overlapping graphs. */
import fc from 'fast-check'
import {
  blankNode,
  langLiteral,
  literal,
  type NamedNode,
  namedNode,
  type Quad,
  quad,
  type Resource,
  type Term,
} from '../../src/rdf/term.ts'
import {ldp, xsd} from '../../src/rdf/vocabulary.ts'

export const namespace = 'http://e/'

export const nodes: readonly NamedNode[] = ['a', 'b', 'c'].map(name => namedNode(namespace + name))
export const predicates: readonly NamedNode[] = ['p', 'q', 'r'].map(name => namedNode(namespace + name))
export const graphs: readonly NamedNode[] = ['g', 'h', 'a'].map(name => namedNode(namespace + name))

/** Values of which some are equal, some ordered and some incomparable, and some pairs are errors. */
export const literals: readonly Term[] = [
  literal(''),
  literal('a'),
  literal('B'),
  literal('1'),
  literal('é\u{1F600}'),
  literal('\u0000\u0001\u0002a'),
  literal('\u0001'),
  langLiteral('a', 'en'),
  langLiteral('a', 'EN'),
  langLiteral('b', 'en-GB'),
  literal('0', xsd.integer),
  literal('1', xsd.integer),
  literal('01', xsd.integer),
  literal('-2', xsd.integer),
  literal('1', xsd.int),
  literal('1.0', xsd.decimal),
  literal('2.50', xsd.decimal),
  literal('1.0E0', xsd.double),
  literal('NaN', xsd.double),
  literal('-INF', xsd.double),
  literal('0.5', xsd.float),
  literal('-0.4', xsd.float),
  literal('-0.0E0', xsd.double),
  literal('99999999999999999999', xsd.integer),
  literal('x', xsd.integer),
  literal('true', xsd.boolean),
  literal('0', xsd.boolean),
  literal('yes', xsd.boolean),
  literal('2020-01-01T12:00:00Z', xsd.dateTime),
  literal('2020-01-01T13:00:00.0+01:00', xsd.dateTime),
  literal('2020-01-01T12:00:00', xsd.dateTime),
  literal('2021-06-01T00:00:00', xsd.dateTime),
  literal('2020-01-01', xsd.date),
  literal('2020-01-02Z', xsd.date),
  literal('2020-02-30', xsd.date),
  literal('u', 'http://e/unknown'),
  literal('v', 'http://e/unknown'),
]

export const contains = namedNode(ldp.contains)

const iri = fc.constantFrom(...nodes)
const simple = literals.slice(1, 12)

/** Blank nodes belong to one graph: two documents never share one. */
function nodeIn(graph: NamedNode): fc.Arbitrary<Resource> {
  const label = graph.value.slice(namespace.length)
  return fc.oneof({weight: 4, arbitrary: iri}, fc.constantFrom(blankNode(`${label}1`), blankNode(`${label}2`)))
}

const randomQuad: fc.Arbitrary<Quad> = fc
  .constantFrom(...graphs)
  .chain(graph =>
    fc
      .tuple(
        nodeIn(graph),
        fc.constantFrom(...predicates),
        fc.oneof<fc.Arbitrary<Term>[]>(nodeIn(graph), fc.constantFrom(...simple), fc.constantFrom(...literals)),
      )
      .map(([subject, predicate, object]) => quad(subject, predicate, object, graph)),
  )

/** Copies triples without blank nodes to another graph. The default graph has them once. */
export const randomQuads: fc.Arbitrary<readonly Quad[]> = fc
  .tuple(fc.array(randomQuad, {minLength: 1, maxLength: 14}), fc.array(fc.nat(13), {maxLength: 4}))
  .map(([quads, copied]) => {
    const copies = copied.flatMap(index => {
      const original = quads[index % quads.length]
      const isShareable = original !== undefined && ![original.subject, original.object].some(isBlank)
      return isShareable ? [{...original, graph: graphs[index % graphs.length] ?? original.graph}] : []
    })
    return withoutDuplicates([...quads, ...copies])
  })

/** A document. Its graph also contains the triples that are derived from its children. */
export type RandomDocument = {
  readonly iri: NamedNode
  readonly parent: NamedNode | undefined
  readonly memberBy: NamedNode | undefined // the relation by which it is a member of its parent
}

/** No documents, or a root and up to two below it. They are members by relations that patterns use too. */
export const randomDocuments: fc.Arbitrary<readonly RandomDocument[]> = fc
  .tuple(
    fc.boolean(),
    fc.constantFrom(0, 1, 2),
    fc.array(fc.option(fc.constantFrom(...predicates), {nil: undefined}), {minLength: 2, maxLength: 2}),
    fc.nat(1),
  )
  .map(([hasNone, below, relations, parentOfLast]) => {
    const [root, child, last] = graphs
    if (hasNone || root === undefined || child === undefined || last === undefined) return []
    const all: RandomDocument[] = [
      {iri: root, parent: undefined, memberBy: undefined},
      {iri: child, parent: root, memberBy: relations[0]},
      {iri: last, parent: parentOfLast === 0 ? root : child, memberBy: relations[1]},
    ]
    return all.slice(0, below + 1)
  })

/** The triples that the service derives: containment and membership, in the graph of the parent. */
export function derivedQuads(documents: readonly RandomDocument[]): readonly Quad[] {
  return documents.flatMap(({iri: child, parent, memberBy}) => {
    if (parent === undefined) return []
    const contained = quad(parent, contains, child, parent)
    return memberBy === undefined ? [contained] : [contained, quad(parent, memberBy, child, parent)]
  })
}

/** The triples that the service adds to every document. */
export function ownQuads(documents: readonly RandomDocument[]): readonly Quad[] {
  return documents.map(({iri: document}) => quad(document, namedNode(`${namespace}r`), literal('document'), document))
}

function isBlank(term: Term): boolean {
  return term.termType === 'BlankNode'
}

export function withoutDuplicates(quads: readonly Quad[]): readonly Quad[] {
  return [...new Map(quads.map(one => [JSON.stringify(one), one])).values()]
}
