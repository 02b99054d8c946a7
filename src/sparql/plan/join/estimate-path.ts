/**
 * Estimates the rows and the cost of a property path.
 *
 * Pure. A path of one step has the rows of its predicates. There are no statistics on the reach of closures (`*`, `+`),
 * so these get constants.
 */
import type {Algebra, PropertyPath, TriplePattern} from '../../algebra.ts'
import type {ActiveGraph, Planner} from '../block.ts'
import {isClosure} from '../path/relation.ts'
import {type Bound, type Estimate, graphsIn, isBound, probeCost, tripleRows} from './estimate-triple.ts'

export function estimatePath(
  planner: Planner,
  {subject, path, object}: Extract<Algebra, {type: 'path'}>,
  bound: Bound,
  graph: ActiveGraph,
): Estimate {
  if (!isClosure(path)) {
    const links = linksOf(path).map(predicate => tripleRows(planner, {subject, predicate, object}, bound, graph).rows)
    const rows = links.reduce((sum, one) => sum + one, 0)
    return {rows, cost: probeCost * links.length + rows}
  }
  const ends = [subject, object].filter(end => isBound(end, bound)).length
  const isPlaced = graph.kind !== 'each' || bound.has(graph.variable)
  if (!isPlaced && ends > 0) {
    const graphs = path.type === 'oneOrMore' ? Math.min(graphsIn(planner), graphsOfStep) : graphsIn(planner)
    return {rows: 2 * graphs, cost: 5 * graphs * probeCost}
  }
  const rows = ends === 2 ? 0.5 : ends === 1 ? 100 : 1e6
  return {rows, cost: ends === 0 ? 1e7 : 100 * probeCost}
}

const graphsOfStep = 10 // graphs that contain a triple with the known end, in which a `+` closure can begin

/** The predicates of a path of one step. A variable stands for a negated property set, which matches nearly all. */
function linksOf(path: PropertyPath): readonly TriplePattern['predicate'][] {
  switch (path.type) {
    case 'link':
      return [{termType: 'NamedNode', value: path.iri}]
    case 'alternative':
      return path.paths.flatMap(linksOf)
    default:
      return [{termType: 'Variable', value: '.p'}]
  }
}
