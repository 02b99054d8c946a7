/**
 * Finds the columns that sort keys are computed from, so that a subquery can return these and the keys are computed
 * outside of it.
 *
 * Pure.
 */
import type {Block, Column, Columns} from '../block.ts'
import {collectColumns, isMovable, moveScalar} from '../expression/moved-scalars.ts'
import type {Scalar, SortKey} from '../relation.ts'

const hidden = '.order'

/** The columns of a block and those that its sort keys need in addition; undefined if a key cannot be moved. */
export function withKeyColumns({columns, order}: Block): Columns | undefined {
  const keys = order?.keys ?? []
  if (!keys.every(({scalar}) => isMovable(scalar))) return undefined
  const found: Scalar[] = [...columns.values()].map(({scalar}) => scalar)
  const shown = found.length
  for (const {scalar} of keys) collectColumns(scalar, found)
  const added = found.slice(shown).map((scalar, index): [string, Column] => {
    return [`${hidden}${index}`, {scalar, rep: 'id', isNullable: true, isNode: false}]
  })
  return new Map([...columns, ...added])
}

/**
 * Sort keys over the columns of a subquery.
 *
 * @param before  the columns of `withKeyColumns`
 * @param after   the same, as the subquery returns them
 */
export function moveKeys(keys: readonly SortKey[], before: Columns, after: Columns): readonly SortKey[] {
  return keys.map(key => ({...key, scalar: moveScalar(key.scalar, before, after)}))
}

/** The columns without those that `withKeyColumns` has added. */
export function withoutKeyColumns(columns: Columns): Columns {
  return new Map([...columns].filter(([name]) => !name.startsWith(hidden)))
}
