/** Graphs whose blank nodes are hard to distinguish. */
import {blankNode, namedNode, type Triple, triple} from '../../../src/rdf/term.ts'

export const property = namedNode('http://e/p')

/** n blank nodes, each with the property to all others. */
export function cliqueOf(count: number): readonly Triple[] {
  const nodes = Array.from({length: count}, (_, index) => blankNode(`n${index}`))
  return nodes.flatMap(from => nodes.filter(to => to !== from).map(to => triple(from, property, to)))
}
