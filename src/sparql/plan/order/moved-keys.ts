/**
 * Finds the columns that sort keys are computed from, so that a subquery can return these and the keys are computed
 * outside of it.
 *
 * Pure.
 */
import type {Block, Column, Columns} from '../block.ts'
import {mapScalars, scalarsIn} from '../expression/scalars.ts'
import {column, isSameScalar, type Scalar, type SortKey} from '../relation.ts'

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
  const names = [...before.keys()]
  const scalars = [...before.values()].map(({scalar}) => scalar)
  const moved = (scalar: Scalar): Scalar => {
    const name = names[scalars.findIndex(one => isSameScalar(one, scalar))]
    return (name === undefined ? undefined : after.get(name)?.scalar) ?? mapScalars(scalar, moved)
  }
  return keys.map(key => ({...key, scalar: moved(key.scalar)}))
}

/** The columns as a table has them that selects them in this order. */
export function namedIn(columns: Columns, alias: string): Columns {
  return new Map([...columns].map(([name, held], index) => [name, {...held, scalar: column(alias, `c${index}`)}]))
}

/** The columns without those that `withKeyColumns` has added. */
export function withoutKeyColumns(columns: Columns): Columns {
  return new Map([...columns].filter(([name]) => !name.startsWith(hidden)))
}

/** Whether a scalar can be computed from columns of a subquery instead. */
function isMovable(scalar: Scalar): boolean {
  switch (scalar.kind) {
    case 'exists':
    case 'subquery':
    case 'isAmong':
    case 'aggregate':
    case 'rowNumber':
    case 'part':
      return false
    default:
      return scalarsIn(scalar).every(isMovable)
  }
}

function collectColumns(scalar: Scalar, found: Scalar[]): void {
  if (scalar.kind === 'column' && !found.some(one => isSameScalar(one, scalar))) found.push(scalar)
  for (const operand of scalarsIn(scalar)) collectColumns(operand, found)
}
