/**
 * Plans a CONSTRUCT whose OPTIONAL parts are independent: computes the shared trunk once, and appends the rows of each
 * part with UNION ALL instead of multiplying them.
 *
 * A row binds the variables of its part only, so it yields the triples of that part. See analyse/branches.ts.
 */
import type {Branches} from '../../analyse/branches.ts'
import {type Block, type Environment, type Planner, rowsOf, selectColumns} from '../block.ts'
import {leftJoinBlocks} from '../join/left-join.ts'
import {unionBlocks} from '../join/union.ts'
import {column, type From, type SqlQuery} from '../relation.ts'

export type AdditivePlan = {
  readonly block: Block
  /** Adds the shared trunk, as a WITH query, to a query that was made from the block. */
  readonly around: (query: SqlQuery) => SqlQuery
}

export function planBranches(planner: Planner, {trunk, branches}: Branches, environment: Environment): AdditivePlan {
  const planned = planner.plan(trunk, environment)
  const name = planner.fresh()
  const shared: SqlQuery = {
    kind: 'select',
    columns: selectColumns(planned),
    from: planned.from,
    where: planned.where,
  }
  const blocks = branches.map(({optionals, variables}) => {
    const alias = planner.fresh()
    const held = [...planned.columns].map(
      ([variable, one], index) => [variable, {...one, scalar: column(alias, `c${index}`)}] as const,
    )
    const from: From = {kind: 'common', name, alias}
    let block: Block = {from, where: [], columns: new Map(held), order: undefined, rows: rowsOf(planned)}
    for (const {right, condition} of optionals) block = leftJoinBlocks(planner, block, right, condition, environment)
    return {...block, columns: new Map([...block.columns].filter(([variable]) => variables.includes(variable)))}
  })
  return {block: unionBlocks(planner, blocks), around: body => ({kind: 'with', name, query: shared, body})}
}
