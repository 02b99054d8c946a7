/**
 * Joins a table, or a block, to a block.
 */

import {type Block, type Column, matchColumns, type Planner} from '../block.ts'
import type {From, Scalar} from '../relation.ts'

/**
 * @param on     join conditions, over columns of both
 * @param where  further conditions on the result
 */
export function attach(
  block: Block,
  table: From | undefined,
  on: readonly Scalar[],
  where: readonly Scalar[] = [],
): {readonly from: From | undefined; readonly where: readonly Scalar[]} {
  if (table === undefined || block.from === undefined) {
    return {from: block.from ?? table, where: [...block.where, ...on, ...where]}
  }
  return {
    from: {kind: 'join', type: 'inner', left: block.from, right: table, on},
    where: [...block.where, ...where],
  }
}

/** Joins two blocks; the result has no order. */
export function joinBlocks(planner: Planner, left: Block, right: Block): Block {
  const columns = new Map<string, Column>(left.columns)
  const conditions: Scalar[] = []
  for (const [name, held] of right.columns) {
    const known = left.columns.get(name)
    const match = known === undefined ? undefined : matchColumns(planner, known, held)
    if (match !== undefined) conditions.push(...match.conditions)
    columns.set(name, match?.column ?? held)
  }
  return {...attach(left, right.from, conditions, right.where), columns, order: undefined}
}
