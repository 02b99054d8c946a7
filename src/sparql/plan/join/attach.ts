/**
 * Joins a table to a block.
 */

import type {Block} from '../block.ts'
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
