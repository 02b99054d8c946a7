/**
 * Sort keys as columns of a subquery, so that they are computed once and its rows can be sorted again outside of it.
 * (moved-keys.ts keeps what keys are computed from. That is better if they are computed for fewer rows outside.)
 *
 * Pure.
 */
import type {Block, Column, Order} from '../block.ts'

/** The block with its keys as further columns. */
export function withKeptKeys(block: Block): Block {
  const made = (block.order?.keys ?? []).map(({scalar}, index): [string, Column] => {
    return [nameOfKey(index), {scalar, rep: 'id', isNullable: true, isNode: false}]
  })
  return {...block, columns: new Map([...block.columns, ...made])}
}

/** The same order over columns that a block with kept keys has become. */
export function overKeptKeys(order: Order, {columns}: Pick<Block, 'columns'>): Order {
  const scalarOf = (index: number) => columns.get(nameOfKey(index))?.scalar
  return {...order, keys: order.keys.map((key, index) => ({...key, scalar: scalarOf(index) ?? key.scalar}))}
}

function nameOfKey(index: number): string {
  return `.key${index}`
}
