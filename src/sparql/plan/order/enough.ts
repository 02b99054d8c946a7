/**
 * Parts of plans that take the first solutions in some way, and find all solutions if these are too few.
 */
import {type Block, derive, type Planner, selectColumns} from '../block.ts'
import {only} from '../join/lateral.ts'
import {type From, number, operator, type Scalar, type SelectQuery} from '../relation.ts'
import {withTies} from './order.ts'

/** The first of all solutions with the columns of some others; undefined if a column has another form. */
export function firstOf(planner: Planner, block: Block, columns: Block['columns'], count: number): Block | undefined {
  if ([...columns].some(([name, {rep}]) => block.columns.get(name)?.rep !== rep)) return undefined
  const same = {...block, columns: inOrder(block.columns, [...columns.keys()])}
  return derive(planner, {...same, order: withTies(same)}, {limit: count})
}

/** The condition that a table has fewer rows. PostgreSQL tests it once, before it reads anything else. */
export function hasFewer(planner: Planner, table: string, count: number): Scalar {
  return operator('<', ofTable(table, planner.fresh(), counted), number(count))
}

export const counted: Scalar = {kind: 'aggregate', name: 'count', isDistinct: false, arguments: []}

/** An aggregate of all rows of a table. */
export function ofTable(name: string, alias: string, scalar: Scalar): Scalar {
  const from: From = {kind: 'common', name, alias}
  return {kind: 'subquery', query: {kind: 'select', columns: [{name: 'c0', scalar}], from, where: []}}
}

export function selectOf(block: Block): SelectQuery {
  return {kind: 'select', columns: selectColumns(block), from: block.from, where: block.where}
}

/** The columns of some variables, in their order, or all columns. */
export function inOrder(columns: Block['columns'], names: readonly string[] | undefined): Block['columns'] {
  return names === undefined ? columns : only(columns, names)
}
