/**
 * One more table for a block.
 */

import type {Block} from '../block.ts'
import type {From, Scalar} from '../relation.ts'

/** A block with one more table, joined on conditions over both. */
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
