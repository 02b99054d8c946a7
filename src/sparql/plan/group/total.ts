/**
 * Plans SUM and AVG.
 *
 * SQL adds inline numbers, each datatype on a type of its own. The few other members are added as keys. An error of one
 * member makes the aggregate an error.
 * Source: SPARQL 1.1 §18.5.1.3, §18.5.1.4.
 */

import {endOfKind, firstOfKind, inlineKinds} from '../../../rdf/id-layout.ts'
import {literal} from '../../../rdf/term.ts'
import {termKey} from '../../../rdf/term-key.ts'
import {xsd} from '../../../rdf/vocabulary.ts'
import {type Column, keyOfNumber, type NumberRep} from '../block.ts'
import {toFloat4} from '../expression/float.ts'
import {inlineInteger} from '../expression/integer.ts'
import {fineDecimal, fineDouble} from '../expression/stored-number.ts'
import type {Float} from '../expression/value.ts'
import {inlineKind, isOfKind, isWithin} from '../extent.ts'
import {type LikelyNumber, likelyNumber, type NumberForm} from '../likely-number.ts'
import {all, any, call, equal, isNull, not, number, operator, type Scalar, text} from '../relation.ts'

/** The values of computed members whose datatype is known; null for others. */
export type Summands = {
  readonly scalar: Scalar
  readonly form: NumberForm
  readonly floats: readonly Pick<Float, 'scalar' | 'rep'>[] // of members that are floats, or doubles, instead
  readonly rest: Scalar | undefined // key of a member without such a value; undefined if only errors have none
}

export type GroupMembers = {
  readonly argument: Column
  readonly summands: Summands | undefined // undefined: not computed
  readonly isDistinct: boolean
  readonly term: Scalar // key of the argument
  readonly isOfAll: boolean // a single group (no keys, no GRAPH ?g), which may have no members
}

const noSum = call('sparql_numeric', {kind: 'null', type: 'text'})
const noFloats: Scalar = call('float4', {kind: 'null', type: 'int8'})
const noDoubles: Scalar = call('float8', {kind: 'null', type: 'int8'})
const zeroKey = text(termKey(literal('0', xsd.integer)))

/** The column of a sum or an average; null if it is an error. */
export function totalOf(name: 'sum' | 'avg', members: GroupMembers): Column {
  const {argument, summands, isDistinct, isOfAll} = members
  const {scalar: id, rep, extent, isNullable} = argument
  if (!isDistinct && summands === undefined && rep === 'id' && inlineKind(extent) === inlineKinds.integer)
    return totalOfKnown(name, {scalar: inlineInteger(id).scalar, rep: 'integer'}, {isNullable, isOfAll})
  const known = isDistinct ? undefined : wholeOf(summands)
  if (known !== undefined && (known.rep === 'integer' || !isOfAll))
    return totalOfKnown(name, known, {isNullable: true, isOfAll})
  const parts = partsOf(members)
  const likely = likelyTotal(members)
  if (name === 'avg') return canonical(likely, call('sparql_average', ...parts, countOf(members)))
  return canonical(likely, call('nullif', call('sparql_total', ...parts), text('')))
}

/** A number of one datatype that each computed member is, unless it is an error. */
export type WholeSummand = {readonly scalar: Scalar; readonly rep: NumberRep}

/** @returns  undefined if members may be something else, or have several datatypes */
export function wholeOf(summands: Summands | undefined): WholeSummand | undefined {
  if (summands === undefined || summands.rest !== undefined || summands.form === 'scaled') return undefined
  return {scalar: summands.scalar, rep: summands.form}
}

/** Whether a member has none of the values, so that it is added and compared as a key. */
export function hasNone(values: readonly {readonly scalar: Scalar}[]): Scalar {
  return all(values.map(({scalar}) => isNull(scalar)))
}

function nullable(rep: Column['rep'], scalar: Scalar): Column {
  return {scalar, rep, isNullable: true, isNode: false}
}

/** A column of the keys of computed numbers. */
function canonical(number: LikelyNumber, scalar: Scalar): Column {
  return {...nullable('key', scalar), number}
}

function likelyTotal({argument, summands}: GroupMembers): LikelyNumber {
  return summands === undefined ? (argument.number ?? 'exact') : likelyNumber(summands.form)
}

function over(name: string, argument?: Scalar, filter?: Scalar): Scalar {
  const args = argument === undefined ? [] : [argument]
  return {kind: 'aggregate', name, isDistinct: false, arguments: args, ...(filter === undefined ? {} : {filter})}
}

/**
 * The total of numbers of one datatype, which stays a number. Null is an error. The sum and the average of no members
 * are the integer 0.
 */
function totalOfKnown(
  name: 'sum' | 'avg',
  {scalar, rep}: WholeSummand,
  {isNullable, isOfAll}: {readonly isNullable: boolean; readonly isOfAll: boolean},
): Column {
  const sum = sumOf(rep, scalar)
  const complete = (total: Scalar): Scalar =>
    isNullable ? {kind: 'case', branches: [[equal(over('count'), over('count', scalar)), total]]} : total
  if (name === 'sum') {
    const total = rep === 'integer' || rep === 'decimal' ? call('coalesce', sum, number(0)) : call('float8', sum)
    return nullable(rep, complete(total))
  }
  const [average, ofRep] = averageOf(rep, sum)
  if (!isOfAll) return nullable(ofRep, complete(average))
  return canonical(likelyNumber(ofRep), complete(call('coalesce', keyOfNumber(average, ofRep), zeroKey)))
}

/** The sum of numbers, on the SQL type that has the arithmetic of their datatype. */
function sumOf(rep: NumberRep, scalar: Scalar): Scalar {
  return over('sum', rep === 'float' ? call('float4', scalar) : scalar)
}

function averageOf(rep: NumberRep, sum: Scalar): readonly [Scalar, NumberRep] {
  const members = over('count')
  switch (rep) {
    case 'float':
      return [toFloat4(operator('/', sum, members)), rep]
    case 'double':
      return [operator('/', sum, members), rep]
    default:
      return [call('sparql_quotient', sum, members), 'decimal']
  }
}

/** The arguments of sparql_total: the sums of integers, decimals, floats, doubles, and of other members as a key. */
type Parts = readonly [integers: Scalar, decimals: Scalar, floats: Scalar, doubles: Scalar, others: Scalar]

function partsOf({argument, summands, isDistinct, term}: GroupMembers): Parts {
  if (isDistinct) return onlyKeys({kind: 'aggregate', name: 'sparql_sum', isDistinct, arguments: [term]})
  if (summands !== undefined) return partsOfNumbers(summands)
  return argument.rep === 'id' ? partsOfIds(argument, term) : onlyKeys(over('sparql_sum', term))
}

function onlyKeys(sum: Scalar): Parts {
  return [noSum, noSum, noFloats, noDoubles, sum]
}

/**
 * The sums of stored terms: inline numbers on SQL's own types, others as keys. PostgreSQL adds int8 fastest. A function
 * makes the keys if all terms are stored: PostgreSQL does not inline sparql_total if an aggregate has a sub-select.
 */
function partsOfIds({scalar: id, extent, isNullable}: Column, term: Scalar): Parts {
  const {fine, integer, decimal} = inlineKinds
  const integers = over('sum', inlineInteger(id).scalar, isOfKind(id, integer))
  const millionths = call('sparql_millionths', id)
  const value = call('sparql_of_millionths', call('float8', millionths))
  const [first, end] = [firstOfKind(fine), endOfKind(decimal)]
  const isNumbers = extent !== undefined && extent.low >= first && extent.high < end
  const isOther = any([...(isNumbers ? [] : [not(isWithin(id, first, end))]), ...(isNullable ? [isNull(id)] : [])])
  const decimals = call('sparql_of_millionths', over('sum', millionths, call('sparql_is_decimal', id)))
  const floats = over('sum', call('float4', value), call('sparql_is_float', id))
  const others =
    isNumbers && !isNullable ? zeroKey : over('sparql_sum', extent ? call('sparql_key', id) : term, isOther)
  if (extent !== undefined && extent.low >= endOfKind(fine)) {
    const isShort = inlineKind(extent) === decimal
    return [isShort ? noSum : integers, decimals, floats, over('sum', value, call('sparql_is_double', id)), others]
  }
  const [isFineDecimal, fineExact] = fineDecimal(id)
  const isDouble = call('sparql_is_double', id)
  const [isFineDouble, fineValue] = fineDouble(id)
  const double: Scalar = {kind: 'case', branches: [[isDouble, value]], otherwise: fineValue}
  const fineDecimals = over('sum', fineExact, isFineDecimal)
  return [
    integers,
    call('coalesce', operator('+', decimals, fineDecimals), decimals, fineDecimals),
    floats,
    over('sum', double, any([isDouble, isFineDouble])),
    others,
  ]
}

/** The sums of computed numbers and of other members. */
function partsOfNumbers({scalar, form, floats, rest}: Summands): Parts {
  const others = over('sparql_sum', rest ?? {kind: 'null', type: 'text'}, hasNone([{scalar}, ...floats]))
  const hasFraction = operator('>', call('scale', scalar), number(0))
  const sum = (one: NumberRep, none: Scalar) => {
    if (one === form) return sumOf(one, scalar)
    if (form === 'scaled' && one === 'integer') return over('sum', scalar, not(hasFraction))
    if (form === 'scaled' && one === 'decimal') return over('sum', scalar, hasFraction)
    const float = floats.find(float => float.rep === one)
    return float === undefined ? none : sumOf(one, float.scalar)
  }
  return [sum('integer', noSum), sum('decimal', noSum), sum('float', noFloats), sum('double', noDoubles), others]
}

/** The number of members for AVG. Members without a value count too; the sum is an error then. */
function countOf({isDistinct, argument}: GroupMembers): Scalar {
  return {kind: 'aggregate', name: 'count', isDistinct, arguments: isDistinct ? [argument.scalar] : []}
}
