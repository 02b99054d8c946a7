/**
 * Estimates the rows and the cost of a property path.
 *
 * Pure. A path of one step has the rows of its predicates. There are no statistics on the reach of closures (`*`, `+`).
 * Where a step leads to one term, as to a parent or to the next item of a list, a closure is a chain, and in the other
 * direction a tree. Else it gets a constant, or the number of all terms that it can reach if that is less.
 */
import type {Algebra, PropertyPath, TriplePattern} from '../../algebra.ts'
import type {ActiveGraph, Planner} from '../block.ts'
import {type Closure, isClosure} from '../path/relation.ts'
import {type Bound, type Estimate, isBound, probeCost, tripleRows} from './estimate-triple.ts'
import {graphsIn} from './graph-size.ts'
import {frequencyOf} from './predicate-frequency.ts'

export function estimatePath(
  planner: Planner,
  {subject, path, object}: Extract<Algebra, {type: 'path'}>,
  bound: Bound,
  graph: ActiveGraph,
): Estimate {
  if (!isClosure(path)) return estimateStep(planner, {subject, path, object}, bound, graph)
  const ends = [subject, object].filter(end => isBound(end, bound)).length
  const isPlaced = graph.kind !== 'each' || bound.has(graph.variable)
  if (!isPlaced && ends > 0) {
    const graphs = path.type === 'oneOrMore' ? Math.min(graphsIn(planner), graphsOfStep) : graphsIn(planner)
    return {rows: 2 * graphs, cost: 5 * graphs * probeCost}
  }
  if (ends === 0) return estimatePairs(planner, path)
  if (path.type === 'zeroOrOne' && ends === 1) {
    const {rows, cost} = estimateStep(planner, {subject, path: path.path, object}, bound, graph)
    return {rows: rows + 1, cost: cost + 1}
  }
  const reached = reachOf(planner, path, isBound(subject, bound) ? 'objects' : 'subjects')
  return {rows: ends === 2 ? 0.5 : reached, cost: recursionCost + reached * probeCost}
}

function estimateStep(
  planner: Planner,
  {subject, path, object}: Omit<Extract<Algebra, {type: 'path'}>, 'type'>,
  bound: Bound,
  graph: ActiveGraph,
): Estimate {
  const links = linksOf(path).map(predicate => tripleRows(planner, {subject, predicate, object}, bound, graph).rows)
  const rows = links.reduce((sum, one) => sum + one, 0)
  return {rows, cost: probeCost * links.length + rows}
}

const recursionCost = 3 * probeCost // of beginning a recursive query for one start
const [usualReach, reachOfChain] = [100, 5] // terms
const leastMatches = 1.2 // of a term on average, from which on a step leads to more than one term

/** The terms that a closure reaches from one term, on average. @param end  the end that it leads to */
export function reachOf(planner: Planner, {path}: Closure, end: 'subjects' | 'objects'): number {
  const [starts, ends] = [endsOf(planner, path, end === 'objects' ? 'subjects' : 'objects'), endsOf(planner, path, end)]
  const most = Math.min(usualReach, ends)
  const matches = triplesOf(planner, path) / starts
  if (matches < leastMatches) return Math.min(reachOfChain, most)
  const isTree = matches * starts < leastMatches * ends // as many pairs as in the other direction, from fewer starts
  return isTree ? Math.min(reachOfChain * matches, most) : most
}

const readPerStart = 6 // steps that are read and hashed in the time of a probe for a start and one for its end

/**
 * Whether reading all steps of a closure takes less time than probing for each term that some starts reach. They are
 * read once: PostgreSQL keeps the hash table for all rounds of the recursion.
 */
export function isScanWorthwhile(planner: Planner, {path}: Closure, starts: number): boolean {
  return areLinks(path) && triplesOf(planner, path) <= readPerStart * starts
}

function areLinks(path: PropertyPath): boolean {
  if (path.type === 'inverse') return areLinks(path.path)
  if (path.type === 'alternative') return path.paths.every(areLinks)
  return path.type === 'link'
}

const mostPairs = 1e6
const [costOfPair, costOfNode] = [8, 4] // of one row until it is in the set

/** All pairs of ends of a closure. Zero steps lead from each node to itself, so all triples are read for their ends. */
function estimatePairs(planner: Planner, closure: Closure): Estimate {
  const nodes = closure.type === 'oneOrMore' ? 0 : planner.facts.frequencies.triples
  const steps = triplesOf(planner, closure.path)
  const reaches = (['objects', 'subjects'] as const).map(end => reachOf(planner, closure, end))
  const reached = closure.type === 'zeroOrOne' ? 1 : Math.min(...reaches)
  const pairs = Math.min(mostPairs, steps * reached)
  return {rows: nodes + pairs, cost: 2 * costOfNode * nodes + costOfPair * (steps + pairs)}
}

function triplesOf(planner: Planner, path: PropertyPath): number {
  if (path.type === 'inverse') return triplesOf(planner, path.path)
  return linksOf(path).reduce((sum, predicate) => sum + frequencyOf(planner, {predicate}).triples, 0)
}

/** The different terms at one end of a path: a closure reaches no others. */
function endsOf(planner: Planner, path: PropertyPath, end: 'subjects' | 'objects'): number {
  if (path.type === 'inverse') return endsOf(planner, path.path, end === 'objects' ? 'subjects' : 'objects')
  return linksOf(path).reduce((sum, predicate) => sum + frequencyOf(planner, {predicate})[end], 1)
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
