/**
 * Rewrite: DISTINCT disappears over solutions that are all different.
 *
 *   distinct(project(V, A))  =>  project(V, A)      V has the variables that determine the solutions of A
 *
 * Pure. A graph is a set of triples, so no two solutions of a basic graph pattern bind all its variables alike, unless
 * a constant matches several terms (analyse/spellings.ts).
 * Source: SPARQL 1.1 §18.3 (basic graph patterns), §18.5 (Distinct).
 */
import {type Algebra, mapChildren} from '../algebra.ts'
import {hasSpellings} from '../analyse/spellings.ts'
import {certainVariables} from '../analyse/variables.ts'

type Names = ReadonlySet<string>

export function dropDistinct(tree: Algebra): Algebra {
  const node = mapChildren(tree, dropDistinct)
  return node.type === 'distinct' && determining(node.input) !== undefined ? node.input : node
}

/** Variables that each solution binds, and no two solutions alike; undefined if there may be none. */
function determining(node: Algebra): Names | undefined {
  switch (node.type) {
    case 'bgp':
      return node.patterns.some(hasSpellings) ? undefined : certainVariables(node)
    case 'graph': {
      const inner = determining(node.input)
      return inner && (node.name.termType === 'Variable' ? new Set([...inner, node.name.value]) : inner)
    }
    case 'join': {
      const [left, right] = [determining(node.left), determining(node.right)]
      return left && right && new Set([...left, ...right])
    }
    case 'group': {
      const keys = new Set(node.keys.map(({variable}) => variable))
      const certain = certainVariables(node)
      return [...keys].every(key => certain.has(key)) ? keys : undefined
    }
    case 'project': {
      const inner = determining(node.input)
      return inner && [...inner].every(name => node.variables.includes(name)) ? inner : undefined
    }
    case 'filter':
    case 'extend':
    case 'orderBy':
    case 'distinct':
    case 'slice':
      return determining(node.input)
    default:
      return undefined
  }
}
