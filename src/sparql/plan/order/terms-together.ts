/**
 * ORDER BY … LIMIT by terms of the dictionary: looks up the terms of all solutions together.
 *
 *   slice(k, orderBy(text(?v), A))  =>  slice(k, orderBy(t.text, leftJoin(S, t)))
 *   with S = A, and t = the terms whose ids are values of ?v in S
 *
 * One scan of the dictionary's index for an ordered array of ids takes a fifth of the time of a lookup for each
 * solution. A value that occurs in several solutions is looked up once.
 */
import {isVolatile} from '../../analyse/volatile.ts'
import {type Block, type Columns, type Planner, rowsOf, selectColumns} from '../block.ts'
import {mapScalars, scalarsIn} from '../expression/scalars.ts'
import {column, equal, type From, isSameScalar, type Scalar, type SelectQuery} from '../relation.ts'
import {moveKeys, withKeyColumns, withoutKeyColumns} from './moved-keys.ts'

const leastRows = 50 // of solutions: fewer lookups cost less than the preparation
const mostRows = 1_000_000 // of solutions, whose ids are an array
const mostTerms = 3 // that are looked up for each solution

/** A variable whose terms are looked up: its id in a solution, and the alias of the table of its terms. */
type LookedUp = {readonly id: ColumnScalar; readonly alias: string}
type ColumnScalar = Extract<Scalar, {kind: 'column'}>

/** @returns  a block with the same rows in the same order; the same block if this saves nothing */
export function lookUpTogether(planner: Planner, block: Block): Block {
  const {order} = block
  const rows = rowsOf(block)
  if (order === undefined || block.isWalked === true || rows < leastRows || rows > mostRows) return block
  // Volatile expressions would have other values when they are computed again.
  if (order.expressions.some(({expression}) => isVolatile(expression))) return block
  const columns = withKeyColumns(block)
  if (columns === undefined) return block
  const [name, solution, alias] = [planner.fresh(), planner.fresh(), planner.fresh()]
  const keys = moveKeys(order.keys, columns, namedIn(columns, solution))
  const terms = lookedUpBy(keys.map(({scalar}) => scalar)).map(id => ({id, alias: planner.fresh()}))
  if (terms.length === 0 || terms.length > mostTerms) return block
  const solutions: SelectQuery = {
    kind: 'select',
    columns: selectColumns({...block, columns}),
    from: block.from,
    where: block.where,
  }
  const shown = [...namedIn(columns, solution).values()].map(({scalar}, index) => ({name: `c${index}`, scalar}))
  const made = keys.map(({scalar}, index) => ({name: `k${index}`, scalar: withParts(scalar, terms)}))
  const from = terms.reduce<From>((left, term) => joinTerms(planner, left, term, name), {
    kind: 'common',
    name,
    alias: solution,
  })
  const body: SelectQuery = {kind: 'select', columns: [...shown, ...made], from, where: []}
  return {
    from: {kind: 'query', query: {kind: 'with', name, query: solutions, body}, alias, isLateral: false},
    where: [],
    columns: withoutKeyColumns(namedIn(columns, alias)),
    order: {...order, keys: keys.map((key, index) => ({...key, scalar: column(alias, `k${index}`)}))},
    rows,
  }
}

/** The columns as a table has them that selects them in this order. */
function namedIn(columns: Columns, alias: string): Columns {
  return new Map([...columns].map(([name, held], index) => [name, {...held, scalar: column(alias, `c${index}`)}]))
}

/** The columns whose terms scalars look up. */
function lookedUpBy(scalars: readonly Scalar[]): readonly ColumnScalar[] {
  const found: ColumnScalar[] = []
  const visit = (scalar: Scalar): void => {
    const id = scalar.kind === 'stored' ? scalar.id : undefined
    if (id?.kind === 'column') {
      if (!found.some(one => isSameScalar(one, id))) found.push(id)
    } else for (const operand of scalarsIn(scalar)) visit(operand)
  }
  scalars.forEach(visit)
  return found
}

/** The scalar with parts of joined terms instead of lookups. */
function withParts(scalar: Scalar, terms: readonly LookedUp[]): Scalar {
  if (scalar.kind !== 'stored') return mapScalars(scalar, operand => withParts(operand, terms))
  const term = terms.find(({id}) => isSameScalar(id, scalar.id))
  return term === undefined ? scalar : {kind: 'part', table: term.alias, part: scalar.part}
}

/** Joins the terms of one column of the solutions. A value that is not in the dictionary gets a row of nulls. */
function joinTerms(planner: Planner, left: From, {id, alias}: LookedUp, solutions: string): From {
  const solution = planner.fresh()
  const ids: SelectQuery = {
    kind: 'select',
    columns: [{name: 'c0', scalar: column(solution, id.name)}],
    from: {kind: 'common', name: solutions, alias: solution},
    where: [],
  }
  const term = column(alias, 'id')
  return {
    kind: 'join',
    type: 'left',
    left,
    right: {kind: 'table', name: 'term', alias},
    on: [equal(term, id), {kind: 'isAmong', of: term, query: ids}],
  }
}
