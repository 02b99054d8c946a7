/** What ranges of ids tell: by text as by number, up to their edges. */
import test from 'ava'
import fc from 'fast-check'
import {firstBlankNodeId, firstLiteralId, kindOfId, type TermKind} from '../../../src/rdf/id-layout.ts'

const edges: readonly (readonly [id: bigint, kind: TermKind])[] = [
  [-(2n ** 63n), 'literal'],
  [-1n, 'literal'],
  [1n, 'iri'],
  [999n, 'iri'],
  [1000n, 'iri'],
  [2n ** 60n - 1n, 'iri'],
  [2n ** 60n, 'blank'],
  [2n ** 61n - 1n, 'blank'],
  [2n ** 62n, 'literal'],
  [2n ** 63n - 1n, 'literal'],
]

test('ids at the edges of the ranges', t => {
  t.deepEqual(
    edges.map(([id]) => [id, kindOfId(String(id))]),
    edges.map(([id, kind]) => [id, kind]),
  )
})

test('the text of an id tells what its number does', t => {
  fc.assert(
    fc.property(fc.bigInt({min: -(2n ** 63n), max: 2n ** 63n - 1n}), id => {
      const kind = id < 0n || id >= firstLiteralId ? 'literal' : id < firstBlankNodeId ? 'iri' : 'blank'
      t.is(kindOfId(String(id)), kind)
    }),
  )
})
