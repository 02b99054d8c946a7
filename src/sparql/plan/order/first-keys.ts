/**
 * ORDER BY … LIMIT by several keys of which only later ones need the dictionary: takes the first rows by the keys
 * before, with all that tie with the last, and looks up terms for these rows only.
 *
 *   slice(k, orderBy(n, text, A))  =>  slice(k, orderBy(n, text, first k with ties(orderBy(n, A))))
 */
import {isVolatile} from '../../analyse/volatile.ts'
import {type Block, type Column, derive, type Planner, rowsOf} from '../block.ts'
import {mapScalars, scalarsIn} from '../expression/scalars.ts'
import {isSameScalar, type Scalar} from '../relation.ts'

const mostRows = 10_000 // of the slice: beyond, one sort of all rows is as good

/**
 * @param count  rows up to the end of the slice
 * @returns      a block with the same first rows; the same block if this saves nothing
 */
export function takeFirst(planner: Planner, block: Block, count: number): Block {
  const {order} = block
  const keys = order?.keys ?? []
  const first = keys.findIndex(({scalar}) => needsLookup(scalar))
  const isWorthwhile = count <= mostRows && rowsOf(block) > 2 * count
  if (order === undefined || first < 1 || !isWorthwhile || block.isWalked === true) return block
  const [early, late] = [keys.slice(0, first), keys.slice(first)]
  // Volatile expressions would have other values when they are computed again.
  if (order.expressions.some(({expression}) => isVolatile(expression))) return block
  if (!keys.every(({scalar}) => isMovable(scalar))) return block
  const needed: Scalar[] = []
  for (const {scalar} of keys) collectColumns(scalar, needed)
  const hidden = needed.map((scalar, index): [string, Column] => [
    `.order${index}`,
    {scalar, rep: 'id', isNullable: true, isNode: false},
  ])
  const columns = new Map([...block.columns, ...hidden])
  const some = derive(planner, {...block, columns, order: {...order, keys: early}}, {limit: count, hasTies: true})
  const moved = (scalar: Scalar): Scalar => {
    const index = needed.findIndex(one => isSameScalar(one, scalar))
    return some.columns.get(`.order${index}`)?.scalar ?? mapScalars(scalar, moved)
  }
  return {
    ...some,
    columns: new Map([...some.columns].filter(([name]) => block.columns.has(name))),
    order: {...order, keys: [...early, ...late].map(key => ({...key, scalar: moved(key.scalar)}))},
  }
}

/** Whether a scalar looks up a term in the dictionary. */
function needsLookup(scalar: Scalar): boolean {
  return scalar.kind === 'stored' || scalarsIn(scalar).some(needsLookup)
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
