/**
 * Computes what depends on one value of joined rows once for each different value, where a value may be inline or a
 * term of the dictionary.
 *
 *   filter(f(?a) > f(?b), A)  =>  filter(u.c0 > v.c0, join(S, u, v))
 *   with S = A; u = the different values of ?a in S, each with c0 = f(?a); v = the same of ?b
 *
 * If all values are terms of the dictionary, they are looked up together (joined-terms.ts). A join repeats the values
 * of its sides, and a function of a text takes longer than a place in a hash table.
 */
import {firstLiteralId} from '../../../rdf/id-layout.ts'
import {type Block, type Column, type Planner, selectColumns} from '../block.ts'
import {mayBeInline} from '../extent.ts'
import {column, equal, type From, isSameScalar, type Once, type Scalar, type SelectQuery} from '../relation.ts'
import {guardedTerm} from './computed-once.ts'
import {columnsIn, isMovable, moveScalar, namedIn} from './moved-scalars.ts'
import {type ColumnScalar, volatileFunctions} from './once-per-term.ts'
import {alwaysEvaluated, mapScalars, needsLookup, scalarsIn} from './scalars.ts'
import {sizeOf} from './size.ts'

const mostNodes = 500 // of a scalar
const leastFunctions = 2 // of the service: reading the text of a value takes as long as finding the value again

/** What is computed of the values of a column, and the alias of the table of these values. */
type OfValues = {readonly id: ColumnScalar; readonly alias: string; readonly made: readonly Scalar[]}

/** @returns  an equal block; the same block if this saves nothing */
export function computeForValues(planner: Planner, block: Block): Block {
  const held = [...block.columns.values()]
  const shown = held.map(({scalar}) => scalar)
  const found = foundIn(planner, isJoined(block.from) ? [...block.where, ...shown] : shown, held)
  const late = block.where.filter(test => found.some(({made}) => made.some(one => contains(test, one))))
  const scalars = [...late, ...shown]
  if (found.length === 0 || !scalars.every(isMovable)) return block
  const [name, row, alias] = [planner.fresh(), planner.fresh(), planner.fresh()]
  const read = columnsIn(scalars, held)
  const rest = {...block, columns: read, where: block.where.filter(test => !late.includes(test))}
  const query: SelectQuery = {kind: 'select', columns: selectColumns(rest), from: block.from, where: rest.where}
  const inRow = namedIn(read, row)
  const known = (scalar: Scalar): Scalar => {
    for (const {alias, made} of found) {
      const index = made.indexOf(scalar)
      if (index >= 0) return column(alias, `c${index}`)
    }
    return scalar.kind === 'column' ? moveScalar(scalar, read, inRow) : mapScalars(scalar, known)
  }
  const body: SelectQuery = {
    kind: 'select',
    columns: shown.map((scalar, index) => ({name: `c${index}`, scalar: known(scalar)})),
    from: found.reduce<From>(
      (left, one) => {
        const id = moveScalar(one.id, read, inRow) as ColumnScalar
        const right: From = {kind: 'query', query: valuesOf(planner, name, id, one), alias: one.alias, isLateral: false}
        return {kind: 'join', type: 'inner', left, right, on: [equal(column(one.alias, 'id'), id)]}
      },
      {kind: 'common', name, alias: row},
    ),
    where: late.map(known),
  }
  const from: From = {kind: 'query', query: {kind: 'with', name, query, body}, alias, isLateral: false}
  return {...block, from, where: [], columns: namedIn(block.columns, alias)}
}

/** Whether rows are those of a join, perhaps fenced. */
function isJoined(from: From | undefined): boolean {
  return from?.kind === 'join' || (from?.kind === 'query' && from.query.kind === 'select' && isJoined(from.query.from))
}

/** The different values of a column of the rows, with what is computed of each. Each term is looked up once. */
function valuesOf(planner: Planner, name: string, id: ColumnScalar, {id: before, made}: OfValues): SelectQuery {
  const [rows, values, term] = [planner.fresh(), planner.fresh(), planner.fresh()]
  const value = column(values, 'id')
  const ofValue = (scalar: Scalar): Scalar => {
    if (isSameScalar(scalar, before)) return value
    if (scalar.kind === 'stored' && isSameScalar(scalar.id, before))
      return {kind: 'part', table: term, part: scalar.part}
    return mapScalars(scalar, ofValue)
  }
  const different: SelectQuery = {
    kind: 'select',
    columns: [{name: 'id', scalar: column(rows, id.name)}],
    from: {kind: 'common', name, alias: rows},
    where: [],
    isDistinct: true,
  }
  const left: From = {kind: 'query', query: different, alias: values, isLateral: false}
  const from: From = {kind: 'join', type: 'left', left, right: {...guardedTerm(value), alias: term}, on: []}
  const {columns, table} = sharedValues(planner, made.map(ofValue), from)
  return {
    kind: 'select',
    columns: [{name: 'id', scalar: value}, ...columns.map((scalar, index) => ({name: `c${index}`, scalar}))],
    from: table,
    where: [],
    isFenced: true,
  }
}

type Computed = {readonly columns: readonly Scalar[]; readonly table: From}

/** The scalars over a table with a further table, whose columns are what several of them compute once. */
function sharedValues(planner: Planner, scalars: readonly Scalar[], from: From): Computed {
  const found: {readonly once: Once; count: number}[] = []
  for (const once of scalars.flatMap(onceIn)) {
    const known = found.find(one => isSameScalar(one.once, once))
    if (known === undefined) found.push({once, count: 1})
    else known.count += 1
  }
  const shared = found.flatMap(({once, count}) => (count > 1 ? [once] : []))
  if (shared.length === 0) return {columns: scalars, table: from}
  const alias = planner.fresh()
  const known = (scalar: Scalar): Scalar => {
    const index = scalar.kind === 'once' ? shared.findIndex(one => isSameScalar(one, scalar)) : -1
    return index === -1 ? mapScalars(scalar, known) : column(alias, `c${index}`)
  }
  const columns = shared.map(({of}, index) => ({name: `c${index}`, scalar: of}))
  const query: SelectQuery = {kind: 'select', columns, from: undefined, where: [], isFenced: true}
  const right: From = {kind: 'query', query, alias, isLateral: true}
  return {columns: scalars.map(known), table: {kind: 'join', type: 'cross', left: from, right, on: []}}
}

/** The different outermost scalars that are computed once. */
function onceIn(scalar: Scalar): readonly Once[] {
  if (scalar.kind === 'once') return [scalar]
  const found: Once[] = []
  for (const one of scalarsIn(scalar).flatMap(onceIn))
    if (!found.some(other => isSameScalar(one, other))) found.push(one)
  return found
}

/** What is always computed of one column whose values are of both kinds. */
function foundIn(planner: Planner, scalars: readonly Scalar[], held: readonly Column[]): readonly OfValues[] {
  const ids = held.flatMap(one => (isMixed(one) && one.scalar.kind === 'column' ? [one.scalar] : []))
  const found: {readonly id: ColumnScalar; readonly alias: string; readonly made: Scalar[]}[] = []
  const collect = (scalar: Scalar): void => {
    const id = isComputed(scalar) ? ids.find(one => readsOnly(scalar, one)) : undefined
    if (id === undefined || !needsLookup(scalar) || functionsIn(scalar) < leastFunctions) {
      alwaysEvaluated(scalar).forEach(collect)
      return
    }
    const same = found.find(one => isSameScalar(one.id, id))
    if (same === undefined) found.push({id, alias: planner.fresh(), made: [scalar]})
    else if (!same.made.includes(scalar)) same.made.push(scalar)
  }
  if (ids.length > 0) scalars.filter(scalar => sizeOf(scalar) <= mostNodes).forEach(collect)
  return found
}

function isMixed({rep, isNullable, extent}: Column): boolean {
  return rep === 'id' && !isNullable && extent !== undefined && mayBeInline(extent) && extent.high >= firstLiteralId
}

function isComputed({kind}: Scalar): boolean {
  return kind === 'call' || kind === 'operator' || kind === 'case'
}

function readsOnly(scalar: Scalar, id: ColumnScalar): boolean {
  if (scalar.kind === 'column') return isSameScalar(scalar, id)
  if (scalar.kind === 'call' && volatileFunctions.has(scalar.name)) return false
  return isMovable(scalar) && scalarsIn(scalar).every(one => readsOnly(one, id))
}

/** How many functions of the service a scalar calls. */
function functionsIn(scalar: Scalar): number {
  const own = scalar.kind === 'call' && scalar.name.startsWith('sparql_') ? 1 : 0
  return scalarsIn(scalar).reduce((sum, one) => sum + functionsIn(one), own)
}

function contains(scalar: Scalar, part: Scalar): boolean {
  return scalar === part || scalarsIn(scalar).some(one => contains(one, part))
}
