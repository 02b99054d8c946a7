/** The parsers n3 and jsonld read the service's output as the same quads. */
import test from 'ava'
import fc from 'fast-check'
import jsonld from 'jsonld'
import {Parser} from 'n3'
import {formatOfMediaType, serialise} from '../../../src/format/registry.ts'
import {defaultGraph, type Literal, type Quad, type Term} from '../../../src/rdf/term.ts'
import {datasets} from '../../support/arbitrary-rdf.ts'
import {isIsomorphic} from '../../support/isomorphism.ts'

type Foreign = {
  readonly termType: string
  readonly value: string
  readonly language?: string
  readonly datatype?: {readonly value: string}
}
type ForeignQuad = {
  readonly subject: Foreign
  readonly predicate: Foreign
  readonly object: Foreign
  readonly graph: Foreign
}

/** Converts a foreign term. Language tags are in lower case, because both libraries may change it. */
function ours(term: Foreign): Term {
  if (term.termType === 'DefaultGraph') return defaultGraph as unknown as Term
  if (term.termType !== 'Literal') return {termType: term.termType, value: term.value} as Term
  return lowerTag({
    termType: 'Literal',
    value: term.value,
    language: term.language ?? '',
    datatype: {termType: 'NamedNode', value: term.datatype?.value ?? ''},
  })
}

function lowerTag(term: Literal): Literal {
  return {...term, language: term.language.toLowerCase()}
}

function oursOf(quads: readonly ForeignQuad[]): readonly Quad[] {
  return quads.map(
    ({subject, predicate, object, graph}) =>
      ({subject: ours(subject), predicate: ours(predicate), object: ours(object), graph: ours(graph)}) as Quad,
  )
}

const lowered = (quads: readonly Quad[]) =>
  quads.map(quad => (quad.object.termType === 'Literal' ? {...quad, object: lowerTag(quad.object)} : quad))

function write(mediaType: string, quads: readonly Quad[]): string {
  const format = formatOfMediaType(mediaType)
  if (format === undefined) throw new Error(mediaType)
  return String(serialise(format, quads, {prefixes: {ex: 'http://example.org/ns#', e: 'http://example.org/'}}))
}

for (const [mediaType, graphs] of [
  ['text/turtle', 'one'],
  ['application/trig', 'several'],
  ['application/n-triples', 'one'],
  ['application/n-quads', 'several'],
] as const) {
  test(`n3 reads written ${mediaType} as the same quads`, t => {
    fc.assert(
      fc.property(datasets({graphs}), quads => {
        const document = write(mediaType, quads)
        const read = new Parser({format: mediaType}).parse(document) as unknown as readonly ForeignQuad[]
        if (!isIsomorphic(lowered(quads), oursOf(read))) throw new Error(document)
      }),
      {numRuns: 150},
    )
    t.pass()
  })
}

test('jsonld reads written application/ld+json as the same quads', async t => {
  const keepsForm = (quad: Quad) =>
    quad.object.termType !== 'Literal' || !/#(?:double|JSON)$/.test(quad.object.datatype.value)
  await fc.assert(
    fc.asyncProperty(
      datasets({graphs: 'several'}).map(quads => quads.filter(keepsForm)), // jsonld rewrites doubles and rdf:JSON
      async quads => {
        const document = write('application/ld+json', quads)
        const read = (await jsonld.toRDF(JSON.parse(document), {
          safe: true,
        } as object)) as unknown as readonly ForeignQuad[]
        if (!isIsomorphic(lowered(quads), oursOf(read))) throw new Error(document)
      },
    ),
    {numRuns: 150},
  )
  t.pass()
})
