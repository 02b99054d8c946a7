/**
 * Looks up the terms that conditions and columns of a block read for all of its rows together.
 *
 *   filter(f(text(?v)), A)  =>  filter(f(t.text), leftJoin(S, t))
 *   with S = A, and t = the terms whose ids are values of ?v in S
 *
 * From PostgreSQL 17 on, one scan of the dictionary's index for an ordered array of ids takes a fifth of the time of a
 * lookup for each row; before, about as long. A value of several rows is looked up once, and so is a value that several
 * conditions and columns read.
 */
import {firstLiteralId} from '../../../rdf/id-layout.ts'
import {type Block, type Column, type Planner, rowsOf, selectColumns} from '../block.ts'
import {areStrings, isNodes, isStored, mayBeInline} from '../extent.ts'
import {storedIn} from '../id-parts.ts'
import {type From, isSameScalar, type Scalar, type SelectQuery} from '../relation.ts'
import {columnsIn, isMovable, moveScalar, namedIn} from './moved-scalars.ts'
import {type ColumnScalar, type JoinedTerm, joinComputed} from './once-per-term.ts'
import {computeForValues} from './once-per-value.ts'
import {alwaysEvaluated, looksUp, mapScalars, scalarsIn} from './scalars.ts'

const leastRows = 50 // fewer lookups cost less than the preparation
const mostRows = 200_000 // whose ids are an array, and which are kept until all terms are known
const mostTerms = 3 // of a row

/** Whether it is worthwhile to look up the terms of so many rows together. */
export function areMany(rows: number): boolean {
  return rows >= leastRows && rows <= mostRows
}

/**
 * @param rows  before the conditions
 * @returns     an equal block; the same block if this saves nothing
 */
export function lookUpForRows(planner: Planner, block: Block, rows = rowsOf(block)): Block {
  if (!areMany(rows) || block.isWalked === true || block.order !== undefined) return block
  const held = [...block.columns.values()]
  const idsIn = (scalars: readonly Scalar[], isLookedUp: (held: Column) => boolean) =>
    lookedUpBy(scalars).filter(id => held.some(one => isSameScalar(one.scalar, id) && isLookedUp(one)))
  const computed = held.map(({scalar}) => scalar)
  const sure = [
    ...idsIn([...block.where, ...computed].filter(looksUp), isInDictionary),
    ...idsIn(computed, isOftenStored),
  ]
  const often = idsIn(block.where.filter(looksUpStored), isOftenStored)
  if (sure.length === 0) {
    // What depends on one value is rather computed once for each different value.
    const once = computeForValues(planner, block)
    if (once !== block || often.length === 0) return once
  }
  const [ids, needsTerm] = sure.length === 0 ? [often, looksUpStored] : [sure, looksUp]
  if (ids.length > mostTerms) return block
  const isLate = (test: Scalar) =>
    needsTerm(test) && lookedUpBy([test]).some(id => ids.some(one => isSameScalar(one, id)))
  const late = block.where.filter(isLate)
  const scalars = [...late, ...held.map(({scalar}) => scalar)]
  if (!scalars.every(isMovable)) return block
  const [name, row, alias] = [planner.fresh(), planner.fresh(), planner.fresh()]
  const read = columnsIn(scalars, held)
  const early = block.where.filter(test => !isLate(test))
  const before: Block = {...block, columns: read, where: early}
  const rest = computeForValues(planner, before)
  // Columns may read what these conditions compute of each value.
  const isRead = (id: ColumnScalar) => lookedUpBy(early).some(one => isSameScalar(one, id))
  if (rest !== before && late.length === 0 && ids.every(isRead)) return computeForValues(planner, block)
  const query: SelectQuery = {kind: 'select', columns: selectColumns(rest), from: rest.from, where: rest.where}
  const inRow = namedIn(read, row)
  const terms = ids.map((id): JoinedTerm => {
    const same = held.filter(one => isSameScalar(one.scalar, id))
    const [isString, isStored] = [same.some(one => areStrings(one.extent)), same.some(isAlwaysStored)]
    const moved = moveScalar(id, read, inRow) as ColumnScalar
    return {id: moved, alias: planner.fresh(), isString, isStored, isMixed: areMixed(same)}
  })
  const known = (scalar: Scalar) => withParts(moveScalar(scalar, read, inRow), terms)
  const joined = joinComputed(planner, {name, alias: row}, terms, {
    shown: held.map(({scalar}) => known(scalar)),
    tests: late.map(known),
  })
  const body: SelectQuery = {
    kind: 'select',
    columns: joined.shown.map((scalar, index) => ({name: `c${index}`, scalar})),
    from: joined.from,
    where: joined.tests,
  }
  const from: From = {kind: 'query', query: {kind: 'with', name, query, body}, alias, isLateral: false}
  return {...block, from, where: [], columns: namedIn(block.columns, alias)}
}

/** Whether all values are terms of the dictionary or blank nodes. */
function isInDictionary({rep, extent}: Column): boolean {
  return rep === 'id' && (isStored(extent) || isNodes(extent))
}

const leastStored = 1 / 3 // share of values for which reading the terms of all rows together takes less time

/** Whether some values are inline literals, but many are terms of the dictionary. */
function isOftenStored({rep, extent}: Column): boolean {
  if (rep !== 'id' || extent === undefined || !mayBeInline(extent) || extent.high < 0n) return false
  return extent.stored === undefined ? extent.high >= firstLiteralId : extent.stored >= leastStored
}

/** Whether all values are terms of the dictionary. */
export function isAlwaysStored({rep, extent, isNullable}: Column): boolean {
  return rep === 'id' && !isNullable && isStored(extent)
}

/** Whether some values are inline literals, as far as is known of the columns of one variable. */
export function areMixed(same: readonly Column[]): boolean {
  return same.every(({extent}) => mayBeInline(extent))
}

/** Whether a scalar always looks up a term, unless its value is an inline literal. */
function looksUpStored(scalar: Scalar): boolean {
  const stored = scalar.kind === 'case' ? storedIn(scalar) : undefined
  return scalar.kind === 'stored' || (stored ? [stored] : alwaysEvaluated(scalar)).some(looksUpStored)
}

/** The columns whose terms scalars look up. */
export function lookedUpBy(scalars: readonly Scalar[]): readonly ColumnScalar[] {
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

/**
 * The scalar with parts of joined terms instead of lookups. Of strings the text needs no test of the id, so a filter on
 * it is null for rows without a term, and PostgreSQL tests it before it joins the terms.
 */
export function withParts(scalar: Scalar, terms: readonly JoinedTerm[]): Scalar {
  if (scalar.kind !== 'stored') return mapScalars(scalar, operand => withParts(operand, terms))
  const term = terms.find(({id}) => isSameScalar(id, scalar.id))
  if (term === undefined) return scalar
  const part = scalar.part === 'string' && term.isString === true ? 'text' : scalar.part
  return {kind: 'part', table: term.alias, part}
}
