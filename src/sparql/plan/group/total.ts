/**
 * Plans SUM and AVG.
 *
 * SQL adds inline numbers, each datatype on a type of its own. The few other members are added as keys. An error of one
 * member makes the aggregate an error.
 * Source: SPARQL 1.1 §18.5.1.3, §18.5.1.4.
 */

import {firstOfKind, inlineKinds} from '../../../rdf/id-layout.ts'
import {literal} from '../../../rdf/term.ts'
import {termKey} from '../../../rdf/term-key.ts'
import {xsd} from '../../../rdf/vocabulary.ts'
import type {Column} from '../block.ts'
import {inlineKind, integers, isOfKind, isWithin} from '../extent.ts'
import {any, call, equal, isNull, not, number, operator, type Scalar, text} from '../relation.ts'

/** The values of computed members that are exact numbers; null for others. */
export type Summands = {
  readonly scalar: Scalar
  readonly rank: number // 1 integers, 2 decimals
  readonly isWhole: boolean // null means an error, never a float or a double
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
    return totalOfExact(name, {scalar: integerOf(id), rank: 1}, {isNullable, isOfAll})
  if (!isDistinct && summands?.isWhole === true && (summands.rank === 1 || !isOfAll))
    return totalOfExact(name, summands, {isNullable: true, isOfAll})
  const parts = partsOf(members)
  if (name === 'avg') return nullable('key', call('sparql_average', ...parts, countOf(members)))
  return nullable('key', call('nullif', call('sparql_total', ...parts), text('')))
}

function nullable(rep: Column['rep'], scalar: Scalar): Column {
  return {scalar, rep, isNullable: true, isNode: false}
}

function over(name: string, argument?: Scalar, filter?: Scalar): Scalar {
  const args = argument === undefined ? [] : [argument]
  return {kind: 'aggregate', name, isDistinct: false, arguments: args, ...(filter === undefined ? {} : {filter})}
}

/** The value of an inline integer as int8: it is above the bits of the datatype. */
function integerOf(id: Scalar): Scalar {
  const bits = number(Math.log2(Number(integers.step)))
  return operator('-', operator('>>', id, bits), number(integers.low / integers.step))
}

/** The total of exact numbers, which stays a number. Null is an error. The sum and the average of no members are 0. */
function totalOfExact(
  name: 'sum' | 'avg',
  {scalar, rank}: Pick<Summands, 'scalar' | 'rank'>,
  {isNullable, isOfAll}: {readonly isNullable: boolean; readonly isOfAll: boolean},
): Column {
  const sum = over('sum', scalar)
  const complete = (total: Scalar): Scalar =>
    isNullable ? {kind: 'case', branches: [[equal(over('count'), over('count', scalar)), total]]} : total
  if (name === 'sum') {
    const rep = rank === 1 ? 'integer' : 'decimal'
    return nullable(rep, complete(call('coalesce', sum, number(0))))
  }
  const average = call('sparql_quotient', sum, over('count'))
  if (!isOfAll) return nullable('decimal', complete(average))
  return nullable('key', complete(call('coalesce', call('sparql_decimal', average), zeroKey)))
}

/** The arguments of sparql_total: the sums of integers, decimals, floats, doubles, and of other members as a key. */
type Parts = readonly [integers: Scalar, decimals: Scalar, floats: Scalar, doubles: Scalar, others: Scalar]

function partsOf({argument, summands, isDistinct, term}: GroupMembers): Parts {
  if (isDistinct) return onlyKeys({kind: 'aggregate', name: 'sparql_sum', isDistinct, arguments: [term]})
  if (summands !== undefined) return partsOfNumbers(summands, term)
  return argument.rep === 'key' ? onlyKeys(over('sparql_sum', term)) : partsOfIds(argument, term)
}

function onlyKeys(sum: Scalar): Parts {
  return [noSum, noSum, noFloats, noDoubles, sum]
}

/** The sums of stored terms: inline numbers on SQL's own types, others as keys. PostgreSQL adds int8 fastest. */
function partsOfIds({scalar: id, extent, isNullable}: Column, term: Scalar): Parts {
  const {integer, decimal} = inlineKinds
  const integers = over('sum', integerOf(id), isOfKind(id, integer))
  const millionths = call('sparql_millionths', id)
  const value = call('sparql_of_millionths', call('float8', millionths))
  const [first, end] = [firstOfKind(integer), firstOfKind(decimal + 1n)]
  const isNumbers = extent !== undefined && extent.low >= first && extent.high < end
  const isOther = any([...(isNumbers ? [] : [not(isWithin(id, first, end))]), ...(isNullable ? [isNull(id)] : [])])
  return [
    inlineKind(extent) === decimal ? noSum : integers,
    call('sparql_of_millionths', over('sum', millionths, call('sparql_is_decimal', id))),
    over('sum', call('float4', value), call('sparql_is_float', id)),
    over('sum', value, call('sparql_is_double', id)),
    isNumbers && !isNullable ? zeroKey : over('sparql_sum', term, isOther),
  ]
}

/** The sums of computed numbers and of members that are not exact numbers. */
function partsOfNumbers({scalar, rank}: Summands, term: Scalar): Parts {
  const [sum, others] = [over('sum', scalar), over('sparql_sum', term, isNull(scalar))]
  return rank === 1 ? [sum, noSum, noFloats, noDoubles, others] : [noSum, sum, noFloats, noDoubles, others]
}

/** The number of members for AVG. Members without a value count too; the sum is an error then. */
function countOf({isDistinct, argument}: GroupMembers): Scalar {
  return {kind: 'aggregate', name: 'count', isDistinct, arguments: isDistinct ? [argument.scalar] : []}
}
