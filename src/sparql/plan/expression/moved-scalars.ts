/**
 * Moves scalars from the columns of tables to those of a subquery over these tables.
 *
 * Pure.
 */
import type {Column, Columns} from '../block.ts'
import {column, isSameScalar, type Scalar} from '../relation.ts'
import {mapScalars, scalarsIn} from './scalars.ts'

/** Whether a scalar can be computed from columns of a subquery instead. */
export function isMovable(scalar: Scalar): boolean {
  switch (scalar.kind) {
    case 'subquery':
      return scalar.query.kind === 'select' && scalar.query.from === undefined // of constants
    case 'exists':
    case 'isAmong':
    case 'aggregate':
    case 'rowNumber':
    case 'part':
      return false
    default:
      return scalarsIn(scalar).every(isMovable)
  }
}

/**
 * The columns of tables that scalars are computed from, as columns of a block without names of variables.
 *
 * @param held  columns of variables: what is known of them stays known
 */
export function columnsIn(scalars: readonly Scalar[], held: readonly Column[]): Columns {
  const found: Scalar[] = []
  for (const scalar of scalars) collectColumns(scalar, found)
  const unknown = {rep: 'id', isNullable: true, isNode: false} as const
  const known = (scalar: Scalar) => held.find(one => isSameScalar(one.scalar, scalar)) ?? {...unknown, scalar}
  return new Map(found.map((scalar, index) => [`.${index}`, known(scalar)]))
}

export function collectColumns(scalar: Scalar, found: Scalar[]): void {
  if (scalar.kind === 'column' && !found.some(one => isSameScalar(one, scalar))) found.push(scalar)
  for (const operand of scalarsIn(scalar)) collectColumns(operand, found)
}

/** The columns as a table has them that selects them in this order. */
export function namedIn(columns: Columns, alias: string): Columns {
  return new Map([...columns].map(([name, held], index) => [name, {...held, scalar: column(alias, `c${index}`)}]))
}

/**
 * A scalar over the columns of a subquery.
 *
 * @param before  columns in the scalar
 * @param after   the same, as the subquery returns them
 */
export function moveScalar(scalar: Scalar, before: Columns, after: Columns): Scalar {
  const names = [...before.keys()]
  const scalars = [...before.values()].map(held => held.scalar)
  const moved = (one: Scalar): Scalar => {
    const name = names[scalars.findIndex(known => isSameScalar(known, one))]
    return (name === undefined ? undefined : after.get(name)?.scalar) ?? mapScalars(one, moved)
  }
  return moved(scalar)
}
