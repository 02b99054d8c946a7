/**
 * LIMIT without ORDER BY: finds the conjunction for which the planner should prefer a plan that returns its first rows
 * soon over one that returns all rows soon.
 *
 * Pure.
 */

import type {Algebra} from '../../algebra.ts'
import {isConjunction, type Operand} from '../join/operand.ts'

/** How many solutions of a conjunction the query needs, not counting those that later operators drop. */
export type Wanted = {readonly node: Algebra; readonly count: number}

/**
 * @param count  1: the query does not tell apart a solution and the same one twice
 * @returns      undefined if the LIMIT does not apply to the solutions of a conjunction in any order
 */
export function wantedFrom(node: Algebra, count: number): Wanted | undefined {
  if (isConjunction(node)) return {node, count}
  switch (node.type) {
    case 'project':
    case 'extend':
    case 'filter':
    case 'graph':
    case 'reduced':
      return wantedFrom(node.input, count)
    case 'leftJoin':
    case 'minus':
      return wantedFrom(node.left, count)
    default:
      return undefined
  }
}

/** Whether an operand has to find all of its rows before it returns the first. */
export function isMadeFirst(operand: Operand): boolean {
  let node = operand.type === 'other' ? operand.node : undefined
  while (node?.type === 'project' || node?.type === 'extend' || node?.type === 'filter') node = node.input
  return node?.type === 'group' || node?.type === 'orderBy' || node?.type === 'distinct' || node?.type === 'slice'
}
