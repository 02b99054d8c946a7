/**
 * Types of the planner: blocks of SQL under construction, the columns that hold variables, and their environment.
 *
 * A column holds a variable as an id (int8). A computed variable is held as a key (text, see
 * sql/functions/sparql/3_term.sql), or as a number (int8 or numeric) if its value is an xsd:integer, an xsd:decimal or
 * an xsd:dayTimeDuration in canonical form. Null means unbound in each case. A block becomes one flat SELECT, so that a
 * join of blocks stays a join of tables.
 */

import type {Realms} from '../../base/realms.ts'
import {inlineKinds, limitOfKind} from '../../rdf/id-layout.ts'
import type {Literal, NamedNode, Term} from '../../rdf/term.ts'
import type {Algebra, OrderKey} from '../algebra.ts'
import {type Extent, integers, isInside} from './extent.ts'
import type {Forced} from './forced.ts'
import type {CountObserver, Frequencies} from './frequencies.ts'
import {keyOfId} from './id-parts.ts'
import {type LikelyNumber, likelyNumber, type NumberForm} from './likely-number.ts'
import type {Wanted} from './order/first-rows.ts'
import {
  all,
  call,
  column,
  type From,
  isNull,
  isSameScalar,
  number,
  type OwnTerms,
  operator,
  type Scalar,
  type SortKey,
  type SqlQuery,
} from './relation.ts'

/** The forms in which the SQL of a query returns terms. */
export type TermRep = 'id' | 'key'

/** The forms of computed numbers: numeric for xsd:integer and xsd:decimal, float8 for xsd:float and xsd:double. */
export type NumberRep = Exclude<NumberForm, 'scaled'>

export type Column = {
  readonly scalar: Scalar
  readonly rep: TermRep | NumberRep | 'duration'
  readonly isNullable: boolean
  readonly isNode: boolean // known to be a subject or object in some graph
  readonly isSubstituted?: boolean // EXISTS puts its value in place of the variable
  readonly extent?: Extent // of its ids, if known
  readonly constants?: readonly Term[] // all terms that it can have, if the query names them
  readonly number?: LikelyNumber // if all keys are those of computed numbers
  readonly isSimple?: boolean // if all keys are those of simple literals
}

export type Columns = ReadonlyMap<string, Column>

export type Block = {
  readonly from: From | undefined // undefined: one row without columns
  readonly where: readonly Scalar[]
  readonly columns: Columns
  readonly order: Order | undefined // of its rows; joins drop it
  readonly rows?: number // estimated
  readonly isWalked?: boolean // has the order of an index and must not be sorted (order/rank.ts)
}

const unknownRows = 1000

export function rowsOf({rows}: Block): number {
  return rows ?? unknownRows
}

export type Order = {
  readonly keys: readonly SortKey[]
  readonly expressions: readonly OrderKey[] // from which the keys were made
  readonly variables: ReadonlySet<string> // of the expressions
}

/** The active graph of a pattern: the default graph, one named graph, or GRAPH ?variable. */
export type ActiveGraph =
  | {readonly kind: 'default'}
  | {readonly kind: 'named'; readonly scalar: Scalar}
  | {readonly kind: 'each'; readonly variable: string}

export type Environment = {
  readonly graph: ActiveGraph
  readonly outer: Columns // the solution for which EXISTS is evaluated
  readonly given: Columns // bound variables: only solutions with these ids are needed (join/lateral.ts)
  readonly wanted?: Wanted | undefined
  readonly needed?: Needed | undefined
  readonly isPartial?: boolean // the first solutions may be enough
}

/** Whether all solutions of a pattern are needed, and once: not per solution of another pattern. */
export function areAllNeeded({isPartial, outer, given}: Environment): boolean {
  return isPartial !== true && outer.size + given.size === 0
}

/** For each conjunction whose duplicate solutions do not count, the variables whose different values do. */
export type Needed = ReadonlyMap<Algebra, ReadonlySet<string>>

/** Facts about the store on which a plan depends, and the realms that the query may read. */
export type Facts = {
  readonly realms?: Realms | undefined // undefined: all graphs are readable
  readonly hasDocuments: boolean
  readonly memberRelations: readonly string[] // ids of the predicates of derived membership triples
  readonly extents: ReadonlyMap<string, Extent> // of the objects of a predicate, by its id
  readonly uncopied: ReadonlySet<string> // ids of predicates of which no triple is stored in two graphs
  readonly frequencies: Frequencies
  readonly past?: PastNames // the tables are those of a past state
}

/** The names of terms in a past state (sql/functions/change/past.sql). */
export type PastNames = {
  readonly first: string | undefined // what was renamed after this position had its older name; undefined: nothing was
}

/** Ids of graphs. */
export type PlannedDataset = {
  readonly default: readonly string[]
  readonly named: readonly string[] | undefined // undefined: all graphs
}

/** Hears of a side and of the side that its values are from (sampled.ts), if samples would improve the plan. */
export type JoinObserver = (side: string, from: string) => void

export type Planner = {
  readonly forced?: Forced | undefined
  readonly plan: (node: Algebra, environment: Environment) => Block
  readonly fresh: () => string // a new table alias
  readonly idOf: (term: Term) => string // a stored id, or one of this query
  readonly patternIdsOf: (term: Term) => readonly [string, ...string[]] // the ids that match a term of a pattern
  readonly local: OwnTerms
  readonly facts: Facts
  readonly onJoin?: JoinObserver | undefined
  readonly onCount?: CountObserver | undefined
  readonly dataset: PlannedDataset | undefined // undefined: all graphs
  readonly base: string
  readonly now: () => string // xsd:dateTime
}

export type Constant = NamedNode | Literal

export const noColumns: Columns = new Map()
export const unitBlock: Block = {from: undefined, where: [], columns: noColumns, order: undefined, rows: 1}

/** Whether the planner added a variable to hold the name of a graph. Joins use it; solutions do not contain it. */
export function isGraphVariable(name: string): boolean {
  return name.startsWith('.g')
}

export function idColumn(scalar: Scalar, isNode: boolean): Column {
  return {scalar, rep: 'id', isNullable: false, isNode}
}

/** The key of a column's term. */
export function keyOf(planner: Planner, {scalar, rep, extent}: Column): Scalar {
  switch (rep) {
    case 'key':
      return scalar
    case 'id':
      return keyOfId(planner, scalar, extent)
    case 'duration':
      return call('sparql_day_time', scalar)
    default:
      return keyOfNumber(scalar, rep)
  }
}

const keyFunctions: Readonly<Record<NumberForm, string>> = {
  integer: 'sparql_integer',
  decimal: 'sparql_decimal',
  scaled: 'sparql_scaled',
  float: 'sparql_float',
  double: 'sparql_double',
}

/** The key of a number in canonical form. */
export function keyOfNumber(number: Scalar, form: NumberForm): Scalar {
  return call(keyFunctions[form], number)
}

/** A column as ids or keys: computed numbers become keys. */
export function termColumn(planner: Planner, held: Column): Column & {readonly rep: TermRep} {
  const {rep} = held
  if (rep === 'id' || rep === 'key') return {...held, rep}
  const key = {...held, rep: 'key', scalar: keyOf(planner, held)} as const
  return rep === 'duration' ? key : {...key, number: likelyNumber(rep)}
}

/** The id of a column's term. A term that is not stored gets an id that no stored term has. */
export function idOfColumn(planner: Planner, held: Column): Scalar {
  if (held.rep === 'id') return held.scalar
  const {local, facts} = planner
  const key = keyOf(planner, held)
  const first = facts.past?.first
  const stored = first === undefined ? call('sparql_id', key) : call('past_id', key, number(first))
  const id = local.keys.length === 0 ? stored : call('coalesce', {kind: 'ownId', own: local, key}, stored)
  return held.rep === 'integer' ? idOfInteger(held.scalar, id) : id
}

/** The id of an integer: an inline one, or `otherwise` if it has too many digits. */
function idOfInteger(value: Scalar, otherwise: Scalar): Scalar {
  const limit = limitOfKind(inlineKinds.integer)
  const isInline = all([operator('>=', value, number(-limit)), operator('<', value, number(limit))])
  const inline = operator('+', operator('*', call('int8', value), number(integers.step)), number(integers.low))
  return {kind: 'case', branches: [[isInline, inline]], otherwise}
}

/** Turns a block into a subquery. Each of its variables becomes a plain column. */
export function derive(
  planner: Planner,
  block: Block,
  how: {
    readonly isFenced?: boolean
    readonly isDistinct?: boolean
    readonly limit?: number | undefined
    readonly offset?: number
    readonly hasTies?: boolean
  } = {},
): Block {
  const alias = planner.fresh()
  const names = [...block.columns.keys()]
  const query: SqlQuery = {
    kind: 'select',
    columns: selectColumns(block),
    from: block.from,
    where: block.where,
    ...(how.limit === undefined && how.offset === undefined ? {} : {orderBy: block.order?.keys ?? []}),
    ...(block.isWalked === undefined ? {} : {isWalked: block.isWalked}),
    ...how,
  }
  const columns = new Map(
    names.map((name, index) => {
      const held = block.columns.get(name) as Column
      return [name, {...held, scalar: column(alias, `c${index}`)}]
    }),
  )
  const rows = Math.min(rowsOf(block), how.limit ?? Number.POSITIVE_INFINITY)
  return {from: {kind: 'query', query, alias, isLateral: false}, where: [], columns, order: undefined, rows}
}

/**
 * A block to which more tables are joined. PostgreSQL tests EXISTS after all joins of its SELECT, so a block with such
 * a test becomes a subquery.
 */
export function joinable(planner: Planner, block: Block): Block {
  const hasExists = block.where.some(
    test => test.kind === 'exists' || (test.kind === 'not' && test.condition.kind === 'exists'),
  )
  return hasExists ? derive(planner, block, {isFenced: true}) : block
}

/** The variables of a block as columns c0, c1, …; a block without variables gets one constant column. */
export function selectColumns(block: Block): readonly {name: string; scalar: Scalar}[] {
  const columns = [...block.columns.values()].map(({scalar}, index) => ({name: `c${index}`, scalar}))
  return columns.length === 0 ? [{name: 'c0', scalar: number(1)}] : columns
}

/** Whether each variable is a plain column of the block's tables. An outer join can make only such columns null. */
export function isPlain(block: Block): boolean {
  return block.from !== undefined && [...block.columns.values()].every(({scalar}) => scalar.kind === 'column')
}

/**
 * The conditions of substitution (§18.6) in EXISTS: variables of the pattern that the tested solution binds have its
 * values. Joins can test the conditions last. Below OPTIONAL, MINUS, groups and slices they must come first.
 */
export function substitution(planner: Planner, columns: Columns, outer: Columns): readonly Scalar[] {
  return [...columns].flatMap(([name, inner]) => {
    const held = outer.get(name)
    return held === undefined ? [] : matchColumns(planner, inner, held).conditions
  })
}

export type Match = {readonly conditions: readonly Scalar[]; readonly column: Column}

/** The extent of ids that two columns have in common, as far as it is known. */
function narrower({extent: one}: Column, {extent: other}: Column): Extent | undefined {
  return one === undefined || (other !== undefined && isInside(other, one)) ? other : one
}

/** The conditions for two columns of a variable to be compatible (§18.3), and the column after the join. */
export function matchColumns(planner: Planner, one: Column, other: Column): Match {
  if (!one.isNullable && one.rep === other.rep && isSameScalar(one.scalar, other.scalar))
    return {conditions: [], column: one}
  // Equal exact numbers of one datatype are one term. Of floats and doubles, 0 and -0 are equal and two terms.
  const areExact = one.rep === other.rep && ['integer', 'decimal', 'duration'].includes(one.rep)
  const [left, right] = areExact ? [one, other] : [termColumn(planner, one), termColumn(planner, other)]
  const asKeys = areExact || (left.rep === 'key' && right.rep === 'key')
  const [l, r] = asKeys ? [left.scalar, right.scalar] : [idOfColumn(planner, one), idOfColumn(planner, other)]
  const equality: Scalar = {kind: 'operator', operator: '=', left: l, right: r}
  // An unbound value is compatible with every value of the other side.
  const isNode = [left, right].some(side => side.isNode && !side.isNullable)
  const nullable = [
    ...(left.isNullable ? [isNull(left.scalar)] : []),
    ...(right.isNullable ? [isNull(right.scalar)] : []),
  ]
  const conditions: Scalar[] = [nullable.length === 0 ? equality : {kind: 'any', conditions: [equality, ...nullable]}]
  const extent = nullable.length === 0 && left.rep === 'id' && right.rep === 'id' ? narrower(left, right) : left.extent
  if (!left.isNullable && (left.rep === 'id' || asKeys))
    return {conditions, column: {...left, isNode, ...(extent === undefined ? {} : {extent})}}
  if (!right.isNullable && (right.rep === 'id' || asKeys)) return {conditions, column: {...right, isNode}}
  if (!left.isNullable) return {conditions, column: left}
  if (!right.isNullable) return {conditions, column: right}
  const isSame = left.rep === right.rep
  const both = isSame ? [left.scalar, right.scalar] : [keyOf(planner, left), keyOf(planner, right)]
  return {
    conditions,
    column: {
      scalar: call('coalesce', ...both),
      rep: isSame ? left.rep : 'key',
      isNullable: true,
      isNode: left.isNode && right.isNode,
    },
  }
}
