/**
 * Finds the constant predicates of a query, and those whose triples are read graph by graph.
 *
 * Pure. Negated property sets are left out, because they match other predicates.
 */
import {type Iri, namedNode} from '../../rdf/term.ts'
import {termKey} from '../../rdf/term-key.ts'
import {type Algebra, insides, type PropertyPath, type Query} from '../algebra.ts'

/** Keys, each once. */
export type Predicates = {
  readonly all: readonly string[]
  readonly inGraphs: readonly string[] // under GRAPH, or all if the query has a dataset
}

export function constantPredicates({pattern, dataset}: Query): Predicates {
  const [all, inGraphs] = [new Set<string>(), new Set<string>()]
  const collect = (node: Algebra, isInGraph: boolean): void => {
    for (const iri of irisOf(node)) {
      const key = termKey(namedNode(iri))
      all.add(key)
      if (isInGraph) inGraphs.add(key)
    }
    for (const inside of insides(node)) collect(inside, isInGraph || node.type === 'graph')
  }
  collect(pattern, dataset !== undefined)
  return {all: [...all], inGraphs: [...inGraphs]}
}

function irisOf(node: Algebra): readonly string[] {
  if (node.type === 'path') return linksOf(node.path)
  if (node.type !== 'bgp') return []
  return node.patterns.flatMap(({predicate}) => (predicate.termType === 'NamedNode' ? [predicate.value] : []))
}

/** The predicates of the links of a path. */
export function linksOf(path: PropertyPath): readonly Iri[] {
  switch (path.type) {
    case 'link':
      return [path.iri]
    case 'negated':
      return []
    case 'sequence':
      return [...linksOf(path.left), ...linksOf(path.right)]
    case 'alternative':
      return path.paths.flatMap(linksOf)
    default:
      return linksOf(path.path)
  }
}
