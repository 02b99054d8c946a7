/**
 * ORDER BY … LIMIT of groups: computes what the order does not need from aggregates for the first groups only.
 *
 *   slice(k, orderBy(n, select(k, n, f(m), groups)))  =>  select(k, n, f(m), slice(k, orderBy(n, groups)))
 *
 * PostgreSQL computes the select list of a subquery with groups for all of them. So the subquery returns the aggregates
 * too, and the query around it, which has the order and the limit, computes the rest after its limit.
 */
import type {Block} from '../block.ts'
import {collectColumns} from '../expression/moved-scalars.ts'
import {mapScalars, scalarsIn} from '../expression/scalars.ts'
import {column, type Scalar} from '../relation.ts'

type Named = {readonly name: string; readonly scalar: Scalar}

/** @returns  an equal block; the same if its table has no groups, or if this saves nothing */
export function finishLate(block: Block): Block {
  const {from, order, where} = block
  if (from?.kind !== 'query' || from.query.kind !== 'select' || order === undefined) return block
  const {query, alias} = from
  const used: Scalar[] = []
  for (const scalar of [...where, ...order.keys.map(key => key.scalar)]) collectColumns(scalar, used)
  const isUsed = (name: string) => used.some(one => one.kind === 'column' && one.table === alias && one.name === name)
  const late = query.columns.filter(
    ({name, scalar}) => !isUsed(name) && has('call', scalar) && has('aggregate', scalar),
  )
  if (late.length === 0) return block
  const added: Named[] = []
  const outside = (scalar: Scalar): Scalar => {
    if (scalar.kind !== 'aggregate') return mapScalars(scalar, outside)
    const name = `a${added.length}`
    added.push({name, scalar})
    return column(alias, name)
  }
  const made = new Map(late.map(({name, scalar}) => [name, outside(scalar)]))
  const finished = (scalar: Scalar): Scalar => {
    if (scalar.kind !== 'column' || scalar.table !== alias) return mapScalars(scalar, finished)
    return made.get(scalar.name) ?? scalar
  }
  const columns = new Map([...block.columns].map(([name, held]) => [name, {...held, scalar: finished(held.scalar)}]))
  // PostgreSQL drops the columns that are not used.
  return {...block, from: {...from, query: {...query, columns: [...query.columns, ...added]}}, columns}
}

function has(kind: Scalar['kind'], scalar: Scalar): boolean {
  return scalar.kind === kind || scalarsIn(scalar).some(one => has(kind, one))
}
