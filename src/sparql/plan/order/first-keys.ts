/**
 * ORDER BY … LIMIT where only later keys need the dictionary, or only other columns are computed: takes the first rows
 * by the keys before, with all that tie with the last. Terms are looked up, and columns computed, for these rows only.
 *
 *   slice(k, orderBy(n, text, A))  =>  slice(k, orderBy(n, text, first k with ties(orderBy(n, A))))
 */
import {isVolatile} from '../../analyse/volatile.ts'
import {type Block, derive, type Planner, rowsOf} from '../block.ts'
import {needsLookup, scalarsIn} from '../expression/scalars.ts'
import type {Scalar} from '../relation.ts'
import {moveKeys, withKeyColumns, withoutKeyColumns} from './moved-keys.ts'

const mostRows = 10_000 // of the slice: beyond, one sort of all rows is as good

/**
 * @param count  rows up to the end of the slice
 * @returns      a block with the same first rows; the same block if this saves nothing
 */
export function takeFirst(planner: Planner, block: Block, count: number): Block {
  const {order} = block
  const keys = order?.keys ?? []
  const place = keys.findIndex(({scalar}) => needsLookup(scalar))
  const first = place < 0 && [...block.columns.values()].some(({scalar}) => isCostly(scalar)) ? keys.length : place
  const isWorthwhile = count <= mostRows && rowsOf(block) > 2 * count
  if (order === undefined || first < 1 || !isWorthwhile || block.isWalked === true) return block
  // Volatile expressions would have other values when they are computed again.
  if (order.expressions.some(({expression}) => isVolatile(expression))) return block
  const columns = withKeyColumns(block)
  if (columns === undefined) return block
  const early = {...order, keys: keys.slice(0, first)}
  const some = derive(planner, {...block, columns, order: early}, {limit: count, hasTies: true})
  return {
    ...some,
    columns: withoutKeyColumns(some.columns),
    order: {...order, keys: moveKeys(keys, columns, some.columns)},
  }
}

/** Whether a scalar looks up a term or calls a function. */
function isCostly(scalar: Scalar): boolean {
  return scalar.kind === 'stored' || scalar.kind === 'call' || scalarsIn(scalar).some(isCostly)
}
