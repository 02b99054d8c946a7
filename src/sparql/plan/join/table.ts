/**
 * Plans solutions from outside the query's SQL, such as those of SERVICE. Each column is one array parameter, so the
 * length of the SQL does not depend on their number.
 */
import type {Algebra, TableColumn} from '../../algebra.ts'
import type {Block, Column, Environment, Planner} from '../block.ts'
import {column} from '../relation.ts'
import {inGraphs} from './graph.ts'

type Node = Extract<Algebra, {type: 'table'}>

export function planTable(planner: Planner, node: Node, environment: Environment): Block {
  const alias = planner.fresh()
  const columns = new Map(
    node.columns.map(({variable, rep, values}, index): [string, Column] => {
      const isNullable = values.includes(null)
      return [variable, {scalar: column(alias, `c${index}`), rep, isNullable, isNode: false}]
    }),
  )
  const arrays = (node.columns.length === 0 ? [counted(node.rowCount)] : node.columns).map(
    ({rep, values}) => ({values, type: rep === 'id' ? 'int8[]' : 'text[]'}) as const,
  )
  const block: Block = {from: {kind: 'arrays', alias, columns: arrays}, where: [], columns, order: undefined}
  return inGraphs(planner, block, environment)
}

/** A dummy column for solutions without variables, of which only the number counts. */
function counted(rowCount: number): Pick<TableColumn, 'rep' | 'values'> {
  return {rep: 'id', values: Array.from({length: rowCount}, () => '1')}
}
