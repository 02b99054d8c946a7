/**
 * ORDER BY … LIMIT by terms of the dictionary: looks up the terms of all solutions together.
 *
 *   slice(k, orderBy(text(?v), A))  =>  slice(k, orderBy(t.text, leftJoin(S, t)))
 *   with S = A, and t = the terms whose ids are values of ?v in S
 *
 * From PostgreSQL 17 on, one scan of the dictionary's index for an ordered array of ids takes a fifth of the time of a
 * lookup for each solution; before, about as long. A value that occurs in several solutions is looked up once.
 *
 * If the texts of ?v are the first sort key, the first k terms and those that tie with the last are enough, because
 * each has a solution. The terms of further keys are then left for the solutions with these terms:
 *
 *   slice(k, orderBy(t.text, join(S, slice(k, orderBy(text, t)))))
 */
import {firstBlankNodeId} from '../../../rdf/id-layout.ts'
import {isVolatile} from '../../analyse/volatile.ts'
import {type Block, type Column, type Columns, type Planner, rowsOf, selectColumns} from '../block.ts'
import {areMixed, isAlwaysStored, lookedUpBy, withParts} from '../expression/joined-terms.ts'
import {namedIn} from '../expression/moved-scalars.ts'
import {type CommonTable, isAsked, type JoinedTerm, joinComputed} from '../expression/once-per-term.ts'
import {needsLookup} from '../expression/scalars.ts'
import {hasOwnTexts, isNodes} from '../extent.ts'
import {
  any,
  column,
  equal,
  type From,
  isNotNull,
  isNull,
  isSameScalar,
  number,
  operator,
  type Scalar,
  type SelectQuery,
  type SortKey,
} from '../relation.ts'
import {moveKeys, withKeyColumns, withoutKeyColumns} from './moved-keys.ts'

const leastRows = 50 // of solutions: fewer lookups cost less than the preparation
const mostRows = 1_000_000 // of solutions, whose ids are an array
const mostTerms = 3 // that are looked up for each solution
const leastFactor = 4 // solutions for each row of a slice, from which its first terms are found before the join

/** A variable whose terms are looked up: its id in a solution, and the alias of the table of its terms. */
type LookedUp = JoinedTerm & {readonly first?: First | undefined} // then only the first of the terms
type First = {readonly held: Column; readonly isDescending: boolean; readonly count: number}

/**
 * @param count  rows at the beginning that are enough; undefined: all are needed
 * @returns      a block with the same first rows in the same order; the same block if this saves nothing
 */
export function lookUpTogether(planner: Planner, block: Block, count?: number): Block {
  const {order} = block
  const rows = rowsOf(block)
  if (order === undefined || block.isWalked === true || rows < leastRows || rows > mostRows) return block
  // Volatile expressions would have other values when they are computed again.
  if (order.expressions.some(({expression}) => isVolatile(expression))) return block
  const columns = withKeyColumns(block)
  if (columns === undefined || !order.keys.some(({scalar}) => needsLookup(scalar))) return block
  const [name, solution, alias] = [planner.fresh(), planner.fresh(), planner.fresh()]
  const moved = namedIn(columns, solution)
  const keys = moveKeys(order.keys, columns, moved)
  const ids = lookedUpBy(keys.map(({scalar}) => scalar))
  if (ids.length === 0 || ids.length > mostTerms) return block
  const first = count === undefined || rows < leastFactor * count ? undefined : firstTerms(keys, moved, count)
  const terms = (first === undefined ? ids : ids.slice(0, 1)).map((id): LookedUp => {
    const same = [...moved.values()].filter(held => isSameScalar(held.scalar, id))
    return {id, alias: planner.fresh(), first, isStored: same.some(isAlwaysStored), isMixed: areMixed(same)}
  })
  const solutions: SelectQuery = {
    kind: 'select',
    columns: selectColumns({...block, columns}),
    from: block.from,
    where: block.where,
  }
  const shown = [...moved.values()].map(({scalar}, index) => ({name: `c${index}`, scalar}))
  const parts = keys.map(({scalar}) => withParts(scalar, terms))
  const {from, shown: known} = joinTerms(planner, {name, alias: solution}, terms, parts)
  const made = known.map((scalar, index) => ({name: `k${index}`, scalar})).filter(({scalar}) => !needsLookup(scalar))
  const body: SelectQuery = {kind: 'select', columns: [...shown, ...made], from, where: terms.flatMap(isAmongFirst)}
  const outside = namedIn(columns, alias)
  const later = moveKeys(order.keys, columns, outside)
  const keyAt = (key: SortKey, index: number) =>
    needsLookup(known[index] ?? key.scalar) ? key : {...key, scalar: column(alias, `k${index}`)}
  return {
    from: {kind: 'query', query: {kind: 'with', name, query: solutions, body}, alias, isLateral: false},
    where: [],
    columns: withoutKeyColumns(outside),
    order: {...order, keys: later.map(keyAt)},
    rows,
  }
}

/** The first key, if it is the text of a column. */
function firstTerms([key]: readonly SortKey[], columns: Columns, count: number): First | undefined {
  if (key?.scalar.kind !== 'stored' || key.scalar.part !== 'text') return undefined
  const {id} = key.scalar
  const held = [...columns.values()].find(({scalar}) => isSameScalar(scalar, id))
  return held?.extent === undefined ? undefined : {held, isDescending: key.isDescending, count}
}

/** The condition that a solution has one of the first terms, or no text: it is unbound or a blank node. */
function isAmongFirst({alias, first}: LookedUp): readonly Scalar[] {
  if (first === undefined) return []
  const {scalar, isNullable, extent} = first.held
  const isFound: Scalar = isNotNull(column(alias, 'id'))
  const canBeBlank = isNodes(extent) && (extent?.high ?? 0n) >= firstBlankNodeId
  const isBlank = canBeBlank ? [operator('>=', scalar, number(firstBlankNodeId))] : []
  return [any([isFound, ...(isNullable ? [isNull(scalar)] : []), ...isBlank])]
}

/** Joins the terms to the solutions. @returns  the keys, too, with columns for what is computed of a term */
function joinTerms(
  planner: Planner,
  solutions: CommonTable,
  terms: readonly LookedUp[],
  keys: readonly Scalar[],
): {readonly from: From; readonly shown: readonly Scalar[]} {
  const [term] = terms
  if (term?.first === undefined) return joinComputed(planner, solutions, terms, {shown: keys, tests: []})
  return {from: joinFirst(planner, solutions, term, term.first), shown: keys}
}

/** Joins the first terms of one column of the solutions. */
function joinFirst(planner: Planner, {name, alias: solution}: CommonTable, term: LookedUp, first: First): From {
  const {id, alias} = term
  const row = planner.fresh()
  const query: SelectQuery = {
    kind: 'select',
    columns: ['id', 'lex', 'datatype', 'lang'].map(part => ({name: part, scalar: column(row, part)})),
    from: {kind: 'table', name: 'term', alias: row},
    where: [isAsked(planner, column(row, 'id'), term, name)],
    orderBy: [{scalar: column(row, 'lex'), isDescending: first.isDescending, isText: true, isBound: true}],
    limit: first.count,
    hasTies: !hasOwnTexts(first.held.extent),
  }
  const left: From = {kind: 'common', name, alias: solution}
  const right: From = {kind: 'query', query, alias, isLateral: false}
  return {kind: 'join', type: 'left', left, right, on: [equal(column(alias, 'id'), id)]}
}
