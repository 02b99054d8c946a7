/**
 * Rewrite: DISTINCT disappears over solutions that are all different.
 *
 *   distinct(project(V, A))  =>  project(V, A)      V has the variables that determine the solutions of A
 *
 * Pure. Source: SPARQL 1.1 §18.5 (Distinct).
 */
import {type Algebra, mapChildren} from '../algebra.ts'
import {determiningVariables} from '../analyse/unique.ts'

export function dropDistinct(tree: Algebra): Algebra {
  const node = mapChildren(tree, dropDistinct)
  return node.type === 'distinct' && determiningVariables(node.input) !== undefined ? node.input : node
}
