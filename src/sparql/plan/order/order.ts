/**
 * The SQL sort keys of ORDER BY.
 *
 * Source: SPARQL 1.1 §15.1.
 */
import {isDeepStrictEqual} from 'node:util'
import {
  firstBlankNodeId,
  firstLiteralId,
  firstOfClass,
  firstOwnIri,
  firstOwnLiteral,
  literalClasses,
} from '../../../rdf/id-layout.ts'
import type {Expression, OrderKey} from '../../algebra.ts'
import {type Block, type Column, derive, type Environment, type Order, type Planner, rowsOf} from '../block.ts'
import {planExpression, type Sight} from '../expression/expression.ts'
import {numberOf} from '../expression/number-of.ts'
import {areListedSimple, type StringParts, simpleKind, toKey, toText, type Value} from '../expression/value.ts'
import {toColumn} from '../expression/value-column.ts'
import {
  areTexts,
  type Extent,
  formBitsOf,
  inlineKind,
  isNodes,
  isOfClass,
  isText,
  isWithin,
  isWithoutValue,
  mayBeOfClass,
} from '../extent.ts'
import {mayBeOwn, partOfId} from '../id-parts.ts'
import {areInstants, instantOrder} from '../instants.ts'
import {
  all,
  any,
  call,
  equal,
  isNotNull,
  isNull,
  not,
  number,
  operator,
  type Scalar,
  type SortKey,
  text,
} from '../relation.ts'

export function orderOf(planner: Planner, expressions: readonly OrderKey[], sight: Sight): Order {
  return orderBy(planner, expressions, valuesOf(planner, expressions, sight))
}

function valuesOf(planner: Planner, expressions: readonly OrderKey[], sight: Sight): readonly Value[] {
  return expressions.map(({expression}) => planExpression(planner, expression, sight))
}

/**
 * @param values  of the expressions
 * @param rows    expected
 */
function orderBy(
  planner: Planner,
  expressions: readonly OrderKey[],
  values: readonly Value[],
  rows = Number.POSITIVE_INFINITY,
): Order {
  const [first] = values
  const isDescending = expressions[0]?.isDescending === true
  // Equal values may come in any order. The order of ids is one that an index has (rank.ts), the same for all pages.
  const isById = values.length === 1 && first?.type === 'id' && formBitsOf(first.extent) !== undefined
  const keys = isById
    ? [{scalar: first.scalar, isDescending, isText: false}]
    : values.flatMap((value, index) => sortKeys(planner, value, expressions[index]?.isDescending === true, rows))
  return {keys, expressions, variables: new Set(expressions.flatMap(({expression}) => variablesOf(expression)))}
}

/**
 * The first keys of an order as keys whose equal values tie. A key alone may be sorted by ids, which tell forms of a
 * value apart, as `1` and `01`. The same key twice is sorted by values.
 */
export function tiedByValue(first: readonly OrderKey[]): readonly OrderKey[] {
  return first.length === 1 ? [...first, ...first] : first
}

/**
 * A block in the order of its keys. Terms that several sort keys are made from are computed once, in a subquery, unless
 * it would compute other terms as well, which the rows that are shown may not need.
 */
export function ordered(
  planner: Planner,
  block: Block,
  expressions: readonly OrderKey[],
  environment: Environment,
): Block {
  const values = valuesOf(planner, expressions, {columns: block.columns, environment})
  const computed = new Map<string, Column>()
  const byColumn = expressions.map((key, index): OrderKey => {
    const value = values[index]
    if (value === undefined || !hasSeveralKeys(planner, value)) return key
    const held = toColumn(planner, value)
    const shown = [...block.columns].find(([, {scalar}]) => isDeepStrictEqual(scalar, held.scalar))
    const name = shown?.[0] ?? `.sorted${index}`
    computed.set(name, held)
    return {...key, expression: {type: 'variable', name}}
  })
  const isPlain = [...block.columns].every(([name, {scalar}]) => computed.has(name) || scalar.kind === 'column')
  if (computed.size === 0 || !isPlain) return {...block, order: orderBy(planner, expressions, values, rowsOf(block))}
  const columns = new Map([...block.columns, ...computed])
  const made = derive(planner, {...block, columns, order: undefined}, {isFenced: true})
  const order = orderBy(
    planner,
    expressions,
    valuesOf(planner, byColumn, {columns: made.columns, environment}),
    rowsOf(block),
  )
  return {...made, columns: new Map([...made.columns].filter(([name]) => block.columns.has(name))), order}
}

/** Whether the sort keys of a value are rank, value and text of a term that is computed. */
function hasSeveralKeys(planner: Planner, value: Value): boolean {
  const {type, constant, string, float, scalar} = value
  if (constant !== undefined || string !== undefined || float?.isWhole) return false
  if (type === 'number') return value.otherwise !== undefined
  return type === 'key' && scalar.kind !== 'column' && scalar.kind !== 'null' && numberOf(planner, value) === undefined
}

/** Adds the terms of all columns to an order, which makes it total. */
export function withTies({columns, order}: Pick<Block, 'columns' | 'order'>): Order | undefined {
  if (order === undefined) return undefined
  const ties = [...columns.values()].map(
    ({scalar, rep}): SortKey => ({scalar, isDescending: false, isText: rep === 'key'}),
  )
  return {...order, keys: [...order.keys, ...ties]}
}

/** The order of §15.1: unbound, blank nodes, IRIs, literals. Literals are sorted by value if they have one. */
function sortKeys(planner: Planner, value: Value, isDescending: boolean, rows: number): readonly SortKey[] {
  if (value.type === 'text') return [{scalar: value.scalar, isDescending, isText: true}]
  if (areListedSimple(value)) return [{scalar: toText(planner, value), isDescending, isText: true}]
  if (value.type === 'id' && value.constant === undefined) return idSortKeys(planner, value, isDescending, rows)
  if (value.string !== undefined) return stringSortKeys(value.string, isDescending)
  if (value.float?.isWhole) return [{scalar: value.float.scalar, isDescending, isText: false}]
  if (value.type === 'duration') return [{scalar: value.scalar, isDescending, isText: false}]
  const plain = value.type === 'number' || value.type === 'key' ? numberOf(planner, value) : value
  const isPlain = plain !== undefined && plain.type !== 'id' && plain.otherwise === undefined
  if (isPlain) return [{scalar: plain.scalar, isDescending, isText: false}]
  if (value.number !== undefined && value.scalar.kind === 'column')
    return [{scalar: call('sparql_canonical', value.scalar), isDescending, isText: false}]
  return keySortKeys(toKey(planner, value), isDescending)
}

/** Sort keys of computed terms. The value of a number in a column is found without a function call. */
function keySortKeys(key: Scalar, isDescending: boolean): readonly SortKey[] {
  const [rank, value, words] = [
    call('sparql_order_rank', key),
    call('sparql_order_value', key),
    call('sparql_order_text', key),
  ]
  const keysOf = (ranks: Scalar, values: Scalar, texts: Scalar): readonly SortKey[] => [
    {scalar: ranks, isDescending, isText: false},
    {scalar: values, isDescending, isText: false},
    {scalar: texts, isDescending, isText: true},
  ]
  if (key.kind !== 'column') return keysOf(rank, value, words)
  const known = call('sparql_usual_number', key)
  const isOther = isNull(known)
  return keysOf(
    {kind: 'case', branches: [[isOther, rank]], otherwise: call('int4', number(numberRank))},
    call('coalesce', known, value),
    {kind: 'case', branches: [[isOther, words]]},
  )
}

const numberRank = 4 // of sparql_order_rank

/** Sort keys of computed strings: those without a language come before the others. */
function stringSortKeys({kind, text: scalar}: StringParts, isDescending: boolean): readonly SortKey[] {
  const byText: SortKey = {scalar, isDescending, isText: true}
  return kind === simpleKind
    ? [byText]
    : [{scalar: operator('<>', kind, simpleKind), isDescending, isText: false}, byText]
}

/** Sort keys of a column of ids. Inline literals need no text. */
function idSortKeys(
  planner: Planner,
  {scalar: id, extent}: Value,
  isDescending: boolean,
  rows: number,
): readonly SortKey[] {
  const bits = formBitsOf(extent)
  if (bits !== undefined) return [{scalar: operator('>>', id, number(bits)), isDescending, isText: false}]
  if (areInstants(extent)) return [{scalar: instantOrder(id, extent), isDescending, isText: false}]
  if (extent !== undefined && extent.high < 0n) {
    const keys = [call('sparql_id_rank', id), call('sparql_inline_value', id)]
    return keys.slice(inlineKind(extent) === undefined ? 0 : 1).map(scalar => ({scalar, isDescending, isText: false}))
  }
  const stored: SortKey = {scalar: {kind: 'stored', id, part: 'text'}, isDescending, isText: true}
  if (isText(extent) || isWithoutValue(extent)) return [stored]
  if (areTexts(extent)) {
    const hasLanguage = operator('>=', id, number(firstOfClass(literalClasses.langString)))
    return [{scalar: hasLanguage, isDescending, isText: false}, stored]
  }
  // Blank nodes have no text, so they come first, together with unbound. The second key puts unbound before them.
  if (isNodes(extent))
    return [stored, {scalar: operator('<', id, number(firstBlankNodeId)), isDescending, isText: false}]
  const isStoredNow = !mayBeOwn(planner, extent) && planner.facts.past === undefined
  if (isStoredNow && rows <= fewRows) return [{scalar: call('sparql_order_key', id), isDescending, isText: false}]
  return anySortKeys(planner, {id, extent}, isDescending)
}

const fewRows = 50 // for which a call for each takes less time than preparing the keys of anySortKeys

/**
 * Rank, value and text of any term. The id of an inline literal gives all three. The id of an IRI, a blank node or a
 * string gives the rank; these have a text and no value, as have literals of the other datatypes. For numbers and times
 * of the dictionary, their parts give all three. Only booleans of the dictionary and own terms need a key. Classes that
 * the extent does not reach have no branches.
 */
function anySortKeys(
  planner: Planner,
  {id, extent}: {readonly id: Scalar; readonly extent: Extent | undefined},
  isDescending: boolean,
): readonly SortKey[] {
  const isInline = operator('<', id, number(0))
  const isNumber = isOfClass(id, literalClasses.number)
  const isTime = isOfClass(id, literalClasses.time)
  const isOther = isOfClass(id, literalClasses.other)
  const part = (name: 'text' | 'localName'): Scalar => ({kind: 'stored', id, part: name})
  const value = call('sparql_number_of', part('text'), part('localName'))
  const moment = call('sparql_moment', part('text'), part('localName'))
  const hasMoment = call('sparql_has_moment', part('text'), part('localName'))
  const rank = call('sparql_id_rank', id)
  const key = partOfId(planner, {scalar: id}, 'key', own => own)
  const isTextual = any([
    isWithin(id, 0n, firstOwnIri),
    isWithin(id, firstLiteralId, firstOwnLiteral),
    isOfClass(id, literalClasses.langString),
    isOther,
  ])
  const none: Scalar = {kind: 'null', type: 'text'}
  const when = (...branches: (readonly [Scalar, Scalar])[]): Scalar => ({kind: 'case', branches})
  const {number: numbers, time: times, other: others} = literalClasses
  const ofClass = (one: bigint, ...branch: readonly [Scalar, Scalar]) => (mayBeOfClass(extent, one) ? [branch] : [])
  const isBound: Scalar = isNotNull(id)
  const fixed = (one: number): Scalar => call('int4', number(one))
  const numberRanks = when([isNull(value), fixed(9)], [isBound, fixed(numberRank)])
  const timeRanks = when(
    [not(hasMoment), fixed(9)],
    [equal(part('localName'), text('date')), fixed(6)],
    [isBound, fixed(5)],
  )
  const otherRanks = when(
    ...ofClass(numbers, isNumber, numberRanks),
    ...ofClass(times, isTime, timeRanks),
    ...ofClass(others, isOther, fixed(9)),
    [isBound, call('sparql_order_rank', key)],
  )
  const ranks = call('coalesce', rank, otherRanks)
  const values = when(
    [isInline, call('sparql_inline_value', id)],
    ...ofClass(numbers, isNumber, value),
    ...ofClass(times, isTime, moment),
    [all([isNull(rank), not(isOther)]), call('sparql_order_value', key)],
  )
  const texts = when(
    [isInline, none],
    [isTextual, part('text')],
    ...ofClass(numbers, isNumber, when([isNull(value), part('text')])),
    ...ofClass(times, isTime, when([not(hasMoment), part('text')])),
    [isBound, call('sparql_order_text', key)],
  )
  return [
    {scalar: ranks, isDescending, isText: false},
    {scalar: values, isDescending, isText: false},
    {scalar: texts, isDescending, isText: true},
  ]
}

function variablesOf(expression: Expression): readonly string[] {
  switch (expression.type) {
    case 'variable':
      return [expression.name]
    case 'call':
    case 'function':
      return expression.arguments.flatMap(variablesOf)
    case 'term':
      return []
    case 'exists':
      return ['.exists'] // no column has this name: DISTINCT cannot evaluate it again
  }
}
