/**
 * A pattern evaluated for each solution to its left.
 *
 *   join(L, R)  =  for each solution of L: R with the values that it binds        (Join is commutative selection)
 *
 * A selection of a variable's value may be made anywhere below where every solution binds it; planners of operators
 * that it does not pass (groups, slices, what an OPTIONAL may leave unbound) take the value out of `given`.
 */

import {type Block, type Column, type Columns, derive, type Planner} from '../block.ts'
import {isSameScalar} from '../relation.ts'

/** Columns that a pattern to the right may be given: ids that every solution has. */
export function givable(columns: Columns): Columns {
  return new Map([...columns].filter(([, held]) => !held.isNullable && held.rep === 'id'))
}

export function only(columns: Columns, names: Iterable<string>): Columns {
  return new Map(
    Array.from(new Set(names)).flatMap(name => {
      const held = columns.get(name)
      return held === undefined ? [] : [[name, held]]
    }),
  )
}

/** A block that was planned with `given`, as one table whose rows are looked for again and again. */
export function lateral(planner: Planner, block: Block, given: Columns): Block {
  const own = [...block.columns].filter(([name, held]) => !isGiven(given.get(name), held))
  const table = derive(planner, {...block, columns: new Map(own)}, {isFenced: true})
  if (table.from?.kind !== 'query') throw new Error('a derived block is no query')
  return {...table, from: {...table.from, isLateral: true}}
}

function isGiven(given: Column | undefined, held: Column): boolean {
  return given !== undefined && isSameScalar(given.scalar, held.scalar)
}
