/** The meaning of ranges of ids, as texts and as numbers, up to their limits. */
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

test('ids at the limits of the ranges', t => {
  t.deepEqual(
    edges.map(([id]) => [id, kindOfId(String(id))]),
    edges.map(([id, kind]) => [id, kind]),
  )
})

test('the text of an id has the same meaning as its number', t => {
  fc.assert(
    fc.property(fc.bigInt({min: -(2n ** 63n), max: 2n ** 63n - 1n}), id => {
      const kind = id < 0n || id >= firstLiteralId ? 'literal' : id < firstBlankNodeId ? 'iri' : 'blank'
      t.is(kindOfId(String(id)), kind)
    }),
  )
})
