/**
 * Rewrite: joins a selective basic graph pattern with each branch of a union instead of the whole union.
 *
 *   join(A, union(B, C))  =>  union(bgp(A B), bgp(A C))      A, B, C basic graph patterns, A with a constant end
 *
 * Pure. Joins distribute over unions of multisets, so no solution is lost or duplicated. A branch that starts from the
 * constant of A reads a few triples. The union alone would read all triples of its predicates.
 * Source: SPARQL 1.1 §18.5 (Join, Union); Pérez et al., Semantics and Complexity of SPARQL, proposition 1.
 */
import type {Algebra, TriplePattern} from '../algebra.ts'
import {mapChildren} from '../algebra.ts'

const branchLimit = 8
const patternLimit = 6 // of A, because each branch repeats it

export function distributeUnions(tree: Algebra): Algebra {
  const node = mapChildren(tree, distributeUnions)
  if (node.type !== 'join') return node
  return distributed(node.left, node.right) ?? distributed(node.right, node.left) ?? node
}

function distributed(outer: Algebra, union: Algebra): Algebra | undefined {
  if (outer.type !== 'bgp' || union.type !== 'union' || union.inputs.length > branchLimit) return undefined
  if (outer.patterns.length > patternLimit || !outer.patterns.some(isSelective)) return undefined
  const inputs: Algebra[] = []
  for (const branch of union.inputs) {
    if (branch.type !== 'bgp') return undefined
    inputs.push({type: 'bgp', patterns: [...outer.patterns, ...branch.patterns]})
  }
  return {...union, inputs}
}

function isSelective({subject, object}: TriplePattern): boolean {
  return subject.termType === 'NamedNode' || object.termType !== 'Variable'
}
