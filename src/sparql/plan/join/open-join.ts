/**
 * Joins two tables by a variable that some of their solutions leave unbound.
 *
 *   join(L, R)  =  union(join(bound(L), bound(R)), join(unbound(L), R), join(bound(L), unbound(R)))
 *
 * An unbound variable is compatible with each value (§18.3), so the condition is `l.v = r.v or l.v is null or …`, for
 * which PostgreSQL compares all pairs. Each of the three parts reads both tables, which are computed once: the first
 * part joins them by a hash, the others read the solutions that leave the variable unbound, which are few or none.
 */
import {type Block, type Column, type Columns, type Planner, rowsOf, selectColumns} from '../block.ts'
import {namedIn} from '../expression/moved-scalars.ts'
import {isNotNull, isNull, type SqlQuery} from '../relation.ts'
import {joinBlocks} from './attach.ts'
import {unionBlocks} from './union.ts'

const leastPairs = 10_000 // fewer are compared in less time than the tables are kept

/** @returns  undefined if a variable that both always bind joins them, if they are small, or if none can be hashed */
export function joinOpen(planner: Planner, left: Block, right: Block): Block | undefined {
  const shared = [...right.columns].flatMap(([name, other]) => {
    const one = left.columns.get(name)
    return one === undefined ? [] : [{name, one, other}]
  })
  const isSure = ({isNullable}: Column) => !isNullable
  // The id of a computed term that is not stored stands for any such term.
  const open = shared.find(({one, other}) => (one.rep === 'id') === (other.rep === 'id'))
  if (open === undefined || shared.some(({one, other}) => isSure(one) && isSure(other))) return undefined
  if (rowsOf(left) * rowsOf(right) < leastPairs) return undefined
  const {name} = open
  const [kept, other] = [keep(planner, left), keep(planner, right)]
  const bound = (side: Kept) => binding(read(planner, side), name)
  const unbound = (side: Kept) => leaving(read(planner, side), name)
  const parts = [
    joinBlocks(planner, bound(kept), bound(other)),
    ...(isSure(open.one) ? [] : [joinBlocks(planner, unbound(kept), read(planner, other))]),
    ...(isSure(open.other) ? [] : [joinBlocks(planner, bound(kept), unbound(other))]),
  ]
  const all = unionBlocks(planner, parts)
  if (all.from?.kind !== 'query') throw new Error('a union is no query')
  const body: SqlQuery = {kind: 'with', name: other.name, query: other.query, body: all.from.query}
  return {...all, from: {...all.from, query: {kind: 'with', name: kept.name, query: kept.query, body}}}
}

/** A table that is computed once. */
type Kept = {readonly name: string; readonly query: SqlQuery; readonly columns: Columns; readonly rows: number}

function keep(planner: Planner, block: Block): Kept {
  const query: SqlQuery = {kind: 'select', columns: selectColumns(block), from: block.from, where: block.where}
  return {name: planner.fresh(), query, columns: block.columns, rows: rowsOf(block)}
}

function read(planner: Planner, {name, columns, rows}: Kept): Block {
  const alias = planner.fresh()
  return {from: {kind: 'common', name, alias}, where: [], columns: namedIn(columns, alias), order: undefined, rows}
}

/** The solutions of a block that bind a variable. */
function binding(block: Block, name: string): Block {
  const held = block.columns.get(name)
  if (held?.isNullable !== true) return block
  const columns = new Map([...block.columns, [name, {...held, isNullable: false}]])
  return {...block, columns, where: [isNotNull(held.scalar)]}
}

/** The solutions of a block that leave a variable unbound, without a column for it. */
function leaving(block: Block, name: string): Block {
  const held = block.columns.get(name)
  if (held === undefined) throw new Error(`no column for ${name}`)
  const columns = new Map([...block.columns].filter(([other]) => other !== name))
  return {...block, columns, where: [isNull(held.scalar)]}
}
