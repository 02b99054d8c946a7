/**
 * Estimates the number of graphs and their sizes, from the statistics of the store.
 *
 * Pure.
 */
import type {ActiveGraph, Planner} from '../block.ts'
import {triplesOfDocument} from './predicate-frequency.ts'

/**
 * Triples of one graph. A graph that is not known yet is between one of average size, as those of a catalogue are, and
 * the graph of a random triple, which is one of the larger ones: the geometric mean of both.
 */
export function triplesOfGraph(planner: Planner, graph: ActiveGraph): number {
  const {triples, graphs = new Map<string, number>()} = planner.facts.frequencies
  if (graph.kind === 'named' && graph.scalar.kind === 'number')
    return graphs.get(graph.scalar.value) ?? triplesOfDocument
  const squares = [...graphs.values()].reduce((sum, quads) => sum + quads * quads, 0)
  const ofTriple = squares / Math.max(triples, 1)
  return Math.max(triplesOfDocument, Math.sqrt((ofTriple * triples) / graphsIn(planner)))
}

/** The number of graphs: the counted large ones, and documents of average size for the remaining triples. */
export function graphsIn({facts: {frequencies}}: Planner): number {
  const {triples, graphs = new Map<string, number>()} = frequencies
  const inLarge = [...graphs.values()].reduce((sum, quads) => sum + quads, 0)
  return graphs.size + Math.max(1, triples - inLarge) / triplesOfDocument
}
