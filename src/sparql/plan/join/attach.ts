/**
 * Joins a table, or a block, to a block.
 */

import {type Block, type Column, matchColumns, type Planner, rowsOf, selectColumns} from '../block.ts'
import {comparesIds} from '../expression/compares-ids.ts'
import {namedIn} from '../expression/moved-scalars.ts'
import type {From, Scalar, SqlQuery} from '../relation.ts'

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

/** Joins two blocks; the result has no order. */
export function joinBlocks(planner: Planner, left: Block, right: Block): Block {
  const [one, other] = isProduct(left, right) ? [repeatable(planner, left), repeatable(planner, right)] : [left, right]
  const columns = new Map<string, Column>(one.columns)
  const conditions: Scalar[] = []
  for (const [name, held] of other.columns) {
    const known = one.columns.get(name)
    const match = known === undefined ? undefined : matchColumns(planner, known, held)
    if (match !== undefined) conditions.push(...match.conditions)
    columns.set(name, match?.column ?? held)
  }
  return {...attach(one, other.from, conditions, other.where), columns, order: undefined}
}

/** Whether each row of one block is joined with each row of the other one. A lateral table depends on the rows. */
function isProduct(left: Block, {from, columns}: Block): boolean {
  if (left.from === undefined || from === undefined || (from.kind === 'query' && from.isLateral)) return false
  return [...columns.keys()].every(name => !left.columns.has(name))
}

/**
 * A block for a product. For each row of one side PostgreSQL reads the other side again, and it chooses the sides. So
 * what it would compute again is kept in a table.
 */
function repeatable(planner: Planner, block: Block): Block {
  return tablesIn(block.from, mostTables) <= 0 || isRepeatable(block) ? block : kept(planner, block)
}

const mostTables = 60 // of a side that is kept, so that many parts are not nested in one another

/** What is left of a number of tables after those of a side; 0 or less if it has too many. */
function tablesIn(from: From | undefined, room: number): number {
  if (room <= 0) return room
  switch (from?.kind) {
    case 'join':
      return tablesIn(from.left, tablesIn(from.right, room)) // the left side is the long one
    case 'query':
      return tablesInQuery(from.query, room - 1)
    default:
      return room - 1
  }
}

function tablesInQuery(query: SqlQuery, room: number): number {
  switch (query.kind) {
    case 'select':
      return query.from === undefined ? room : tablesIn(query.from, room)
    case 'with':
      return tablesInQuery(query.body, tablesInQuery(query.query, room))
    case 'union':
    case 'unionAll':
      return query.queries.reduce((rest, one) => tablesInQuery(one, rest), room)
    default:
      return room - 1
  }
}

/** Whether a block can be read again at the cost of its rows: a list, or triples that are selected by ids. */
function isRepeatable({from, where}: Pick<Block, 'from' | 'where'>): boolean {
  if (!where.every(comparesIds)) return false
  switch (from?.kind) {
    case 'query':
      return !from.isLateral && isRepeatableQuery(from.query)
    case 'join':
      return from.on.length === 0 && [from.left, from.right].every(side => isRepeatable({from: side, where: []}))
    case 'function':
      return false
    default:
      return true
  }
}

function isRepeatableQuery(query: SqlQuery): boolean {
  if (query.kind !== 'select')
    return query.kind === 'values' || (query.kind === 'with' && isRepeatableQuery(query.body))
  const {from, where, isDistinct, groupBy, orderBy} = query
  return isDistinct !== true && groupBy === undefined && orderBy === undefined && isRepeatable({from, where})
}

/** A block whose rows are computed once, at their first use. */
function kept(planner: Planner, block: Block): Block {
  const [name, row, alias] = [planner.fresh(), planner.fresh(), planner.fresh()]
  const query: SqlQuery = {kind: 'select', columns: selectColumns(block), from: block.from, where: block.where}
  const body: SqlQuery = {
    kind: 'select',
    columns: query.columns.map(({name}) => ({name, scalar: {kind: 'column', table: row, name}})),
    from: {kind: 'common', name, alias: row},
    where: [],
  }
  const from: From = {kind: 'query', query: {kind: 'with', name, query, body}, alias, isLateral: false}
  return {from, where: [], columns: namedIn(block.columns, alias), order: undefined, rows: rowsOf(block)}
}
