/**
 * Decides whether PostgreSQL can keep the order of the first table of a block at no cost.
 *
 * Pure.
 */
import type {From, Scalar} from '../relation.ts'

/**
 * Whether each table after the first is probed per row. A table that is computed once (a path from a constant, OPTIONAL
 * as a whole, MINUS) is best joined by a hash, which loses the order. To keep the order, PostgreSQL would have to
 * compare all pairs of rows.
 *
 * @param first  a table that has the order, however it is made
 */
export function keepsOrder(
  {from, where}: {readonly from: From | undefined; readonly where: readonly Scalar[]},
  first?: From,
): boolean {
  return !where.some(isComputedOnce) && (from === undefined || isProbedThroughout(from, first))
}

function isProbedThroughout(from: From, first: From | undefined): boolean {
  if (from === first) return true
  if (from.kind === 'query' && from.query.kind === 'select') return keepsOrder(from.query, first)
  if (from.kind !== 'join') return true
  const {left, right, on} = from
  const isProbe = right.kind === 'query' && right.isLateral && right.query.kind !== 'recursive'
  return (on.length === 0 || isProbe) && isProbedThroughout(left, first)
}

/** Whether a condition is an EXISTS that PostgreSQL may plan as a semijoin or an antijoin. */
function isComputedOnce(condition: Scalar): boolean {
  if (condition.kind === 'not') return isComputedOnce(condition.condition)
  return condition.kind === 'exists' && !(condition.query.kind === 'select' && condition.query.isFenced === true)
}
