/**
 * Estimates the number of graphs and their sizes, from the statistics of the store.
 *
 * Pure.
 */
import type {ActiveGraph, Planner} from '../block.ts'
import {triplesOfDocument} from './predicate-frequency.ts'

/** Triples of one graph. For a graph that is not known yet, the average size of the graph of a random triple. */
export function triplesOfGraph({facts: {frequencies}}: Planner, graph: ActiveGraph): number {
  const {triples, graphs = new Map<string, number>()} = frequencies
  if (graph.kind === 'named' && graph.scalar.kind === 'number')
    return graphs.get(graph.scalar.value) ?? triplesOfDocument
  const squares = [...graphs.values()].reduce((sum, quads) => sum + quads * quads, 0)
  return Math.max(triplesOfDocument, squares / Math.max(triples, 1))
}

/** The number of graphs: the counted large ones, and documents of average size for the remaining triples. */
export function graphsIn({facts: {frequencies}}: Planner): number {
  const {triples, graphs = new Map<string, number>()} = frequencies
  const inLarge = [...graphs.values()].reduce((sum, quads) => sum + quads, 0)
  return graphs.size + Math.max(1, triples - inLarge) / triplesOfDocument
}
