/** Round trips of random RDF through every format that can be read and written. */
import test from 'ava'
import fc from 'fast-check'
import {groupQuads} from '../../../src/format/grouping.ts'
import {formats, serialise} from '../../../src/format/registry.ts'
import type {Format} from '../../../src/format/types.ts'
import type {Quad} from '../../../src/rdf/term.ts'
import {rdfNamespace} from '../../../src/rdf/vocabulary.ts'
import {datasets, iris, isXmlText, literals, plainLabels, qnameIris} from '../../support/arbitrary-rdf.ts'
import {isIsomorphic, quadKey} from '../../support/isomorphism.ts'

const base = 'http://base.example/doc/'
const prefixes = {
  ex: 'http://example.org/ns#',
  e: 'http://example.org/',
  rdf: rdfNamespace,
  x: 'urn:x:',
  '': 'https://a.b:8080/p/',
}
const bytes = (text: string | Uint8Array) => (typeof text === 'string' ? new TextEncoder().encode(text) : text)

/** Whether a format can represent the quads. */
function arbitraryFor(format: Format): fc.Arbitrary<readonly Quad[]> {
  const graphs = format.hasGraphs ? 'several' : 'one'
  if (format.id !== 'rdf-xml') return datasets({graphs})
  return datasets({graphs, predicates: qnameIris, literals: literals.filter(term => isXmlText(term.value))})
}

async function readBack(format: Format, document: string | Uint8Array): Promise<readonly Quad[]> {
  if (format.parse === undefined) throw new Error(`${format.id} is not read`)
  return await format.parse(bytes(document), {base})
}

for (const format of formats.filter(each => each.parse !== undefined)) {
  test(`${format.id} reads the quads that it wrote`, async t => {
    await fc.assert(
      fc.asyncProperty(arbitraryFor(format), async quads => {
        const document = serialise(format, quads, {prefixes})
        const back = await readBack(format, document)
        if (!isIsomorphic(quads, back)) throw new Error(String(document))
      }),
      {numRuns: 300},
    )
    t.pass()
  })

  test(`${format.id} keeps the labels that it can represent, outside of lists`, async t => {
    const noLists = datasets({
      graphs: 'one',
      labels: plainLabels.filter(label => format.id !== 'rdf-xml' || label !== '0'),
      predicates: qnameIris,
    }).map(quads =>
      quads.filter(
        quad =>
          !quad.predicate.value.startsWith(rdfNamespace) &&
          (quad.object.termType !== 'Literal' || isXmlText(quad.object.value)),
      ),
    )
    await fc.assert(
      fc.asyncProperty(noLists, async quads => {
        const back = await readBack(format, serialise(format, quads))
        t.deepEqual(sortedKeys(back), sortedKeys(quads))
      }),
      {numRuns: 50},
    )
  })

  test(`${format.id} streams the same quads as it writes in one piece`, async t => {
    await fc.assert(
      fc.asyncProperty(arbitraryFor(format), async quads => {
        const grouped = groupQuads(quads, format.hasGraphs ? 'kept' : 'merged')
        const document = stream(format, grouped)
        const isSame = isIsomorphic(grouped, await readBack(format, document))
        if (!isSame && !sharesLabels(grouped)) throw new Error(String(document))
      }),
      {numRuns: 150},
    )
    t.pass()
  })
}

test('every absolute IRI is written such that every syntax reads the same IRI', async t => {
  await fc.assert(
    fc.asyncProperty(iris, async iri => {
      for (const format of formats.filter(each => each.parse !== undefined)) {
        const quad = {
          subject: {termType: 'NamedNode', value: iri},
          predicate: {termType: 'NamedNode', value: 'http://e/p'},
        } as const
        const quads = [
          {...quad, object: {termType: 'NamedNode', value: iri}, graph: {termType: 'DefaultGraph', value: ''}} as const,
        ]
        t.deepEqual(
          sortedKeys(await readBack(format, serialise(format, quads, {prefixes}))),
          sortedKeys(quads),
          format.id,
        )
      }
    }),
    {numRuns: 150},
  )
})

function sortedKeys(quads: readonly Quad[]): string[] {
  return [...new Set(quads.map(quad => quadKey(quad, label => label)))].sort()
}

/** Writes with the streaming writer, which needs grouped quads. */
function stream(format: Format, quads: readonly Quad[]): string {
  const writer = format.createWriter({prefixes})
  return [...quads.map(quad => writer.write(quad)), writer.end()].join('')
}

/** Whether a blank node is in two graphs, which streaming does not allow. */
function sharesLabels(quads: readonly Quad[]): boolean {
  const graphs = new Map<string, string>()
  return quads.some(
    ({subject, object, graph}) =>
      graph.termType === 'BlankNode' ||
      [subject, object].some(term => {
        if (term.termType !== 'BlankNode') return false
        const known = graphs.get(term.value)
        graphs.set(term.value, graph.value)
        return known !== undefined && known !== graph.value
      }),
  )
}
