/** TriX, RDF/JSON and binary RDF: independent readers find exactly the written quads. */
import test from 'ava'
import fc from 'fast-check'
import {formatOfMediaType, serialise} from '../../../src/format/registry.ts'
import type {Quad} from '../../../src/rdf/term.ts'
import {datasets, isXmlText, literals} from '../../support/arbitrary-rdf.ts'
import {readBinary, readRdfJson, readTrix} from '../../support/foreign-readers.ts'
import {isIsomorphic} from '../../support/isomorphism.ts'

const cases = [
  {
    type: 'application/trix',
    quads: datasets({graphs: 'several', literals: literals.filter(term => isXmlText(term.value))}),
    read: (document: string | Uint8Array) => readTrix(String(document)),
  },
  {
    type: 'application/rdf+json',
    quads: datasets({graphs: 'one'}),
    read: (document: string | Uint8Array) => readRdfJson(String(document)),
  },
  {
    type: 'application/x-binary-rdf',
    quads: datasets({graphs: 'several'}),
    read: (document: string | Uint8Array) => (typeof document === 'string' ? [] : readBinary(document)),
  },
]

for (const {type, quads, read} of cases) {
  test(`${type} contains exactly the written quads`, t => {
    fc.assert(
      fc.property(quads, written => {
        const document = write(type, written)
        if (!isIsomorphic(written, read(document))) throw new Error(String(document))
      }),
      {numRuns: 200},
    )
    t.pass()
  })
}

test('binary RDF keeps labels and refers back to terms across batches', t => {
  const node = (value: string) => ({termType: 'NamedNode', value}) as const
  const quads: Quad[] = Array.from({length: 20_000}, (_, index) => ({
    subject: node(`http://e/${index >> 3}`),
    predicate: node('http://e/p'),
    object: {termType: 'BlankNode', value: `b ${index % 70_000}`},
    graph: node('http://e/g'),
  }))

  const document = write('application/x-binary-rdf', quads)

  t.deepEqual(readBinary(document as Uint8Array), quads)
  t.true(document.length < 20_000 * 60, `${document.length} bytes`)
})

function write(type: string, quads: readonly Quad[]): string | Uint8Array {
  const format = formatOfMediaType(type)
  if (format === undefined) throw new Error(`No format ${type}`)
  return serialise(format, quads)
}
