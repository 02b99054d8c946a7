/**
 * Keeps the estimates of groups, and of patterns on their own. The search for an order asks for the estimate of a group
 * again for each first operand and each step, and so do the groups that contain it.
 */
import type {Algebra} from '../../algebra.ts'
import type {ActiveGraph, Planner} from '../block.ts'
import type {Bound, Estimate} from './estimate-triple.ts'

const known = new WeakMap<Planner, Map<Algebra, Map<string, Estimate>>>()

/**
 * The estimate of a group that was made for the same bound variables, and for about as many values of each.
 *
 * @param names  the variables that the group mentions
 */
export function keptEstimate(
  {planner, graph, bound}: {readonly planner: Planner; readonly graph: ActiveGraph; readonly bound: Bound},
  node: Algebra,
  names: Iterable<string>,
  estimate: () => Estimate,
): Estimate {
  const ofPlanner = known.get(planner) ?? new Map<Algebra, Map<string, Estimate>>()
  known.set(planner, ofPlanner)
  const ofNode = ofPlanner.get(node) ?? new Map<string, Estimate>()
  ofPlanner.set(node, ofNode)
  const all = graph.kind === 'each' ? [...names, graph.variable] : [...names]
  const key = all.map(name => valuesIn(bound, name)).join(' ')
  const before = ofNode.get(key)
  if (before !== undefined) return before
  const made = estimate()
  ofNode.set(key, made)
  return made
}

/** The number of values of a bound variable to the nearest power of two; empty for other variables. */
function valuesIn(bound: Bound, name: string): string {
  const domain = bound.get(name)
  return domain === undefined ? '' : `${Math.round(Math.log2(Math.max(domain.values, 0.5)))}`
}
