/**
 * The solutions that come first: where a LIMIT cuts without an order, a plan that finds some soon is better than one
 * that finds all soon.
 *
 * Pure.
 */

import type {Algebra} from '../../algebra.ts'
import {isConjunction, type Operand} from '../join/operand.ts'

/** How many solutions of a conjunction are asked for at most; those of it that later parts drop come on top. */
export type Wanted = {readonly node: Algebra; readonly count: number}

/** @returns  undefined when the solutions that are cut are not those of a conjunction as they come */
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

/** Whether all rows of an operand have to be found before its first. */
export function isMadeFirst(operand: Operand): boolean {
  let node = operand.type === 'other' ? operand.node : undefined
  while (node?.type === 'project' || node?.type === 'extend' || node?.type === 'filter') node = node.input
  return node?.type === 'group' || node?.type === 'orderBy' || node?.type === 'distinct' || node?.type === 'slice'
}
