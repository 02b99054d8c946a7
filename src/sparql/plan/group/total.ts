/**
 * Plans SUM and AVG.
 *
 * SQL adds exact numbers. The few other members are added as keys. An error of one member makes the aggregate an error.
 * Source: SPARQL 1.1 §18.5.1.3, §18.5.1.4.
 */

import {inlineKinds} from '../../../rdf/id-layout.ts'
import {literal} from '../../../rdf/term.ts'
import {termKey} from '../../../rdf/term-key.ts'
import {xsd} from '../../../rdf/vocabulary.ts'
import type {Column} from '../block.ts'
import {inlineKind, integers} from '../extent.ts'
import {all, any, call, equal, isNull, number, operator, type Scalar, text} from '../relation.ts'

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

const noText: Scalar = {kind: 'null', type: 'text'}
const noRank: Scalar = {kind: 'null', type: 'int8'}
const noDoubles = call('float8', noRank)
const zeroKey = text(termKey(literal('0', xsd.integer)))

/** The column of a sum or an average; null if it is an error. */
export function totalOf(name: 'sum' | 'avg', members: GroupMembers): Column {
  const {argument, summands, isDistinct, isOfAll} = members
  const isOfIntegers = summands === undefined && inlineKind(argument.extent) === inlineKinds.integer && !isDistinct
  if (isOfIntegers && argument.rep === 'id') return totalOfIntegers(name, argument, isOfAll)
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

/**
 * The total of inline integers, from their ids: the value is above the bits of the datatype. The average of no members
 * is the integer 0.
 */
function totalOfIntegers(name: 'sum' | 'avg', {scalar: id, isNullable}: Column, isOfAll: boolean): Column {
  const bits = number(Math.log2(Number(integers.step)))
  const sum = over('sum', operator('-', operator('>>', id, bits), number(integers.low / integers.step)))
  const complete = (scalar: Scalar): Scalar =>
    isNullable ? {kind: 'case', branches: [[equal(over('count'), over('count', id)), scalar]]} : scalar
  if (name === 'sum') return nullable('integer', complete(call('coalesce', sum, number(0))))
  const average = call('sparql_quotient', sum, over('count'))
  if (!isOfAll) return nullable('decimal', complete(average))
  return nullable('key', complete(call('coalesce', call('sparql_decimal', average), zeroKey)))
}

/** The arguments of sparql_total: sum of integers and decimals, its rank, sum of doubles, sum of other members. */
type Parts = readonly [exact: Scalar, rank: Scalar, doubles: Scalar, others: Scalar]

function partsOf({argument, summands, isDistinct, term}: GroupMembers): Parts {
  if (isDistinct) return onlyKeys({kind: 'aggregate', name: 'sparql_sum', isDistinct, arguments: [term]})
  if (summands !== undefined) return partsOfNumbers(summands, term)
  return argument.rep === 'key' ? onlyKeys(over('sparql_sum', term)) : partsOfIds(argument, term)
}

function onlyKeys(sum: Scalar): Parts {
  return [call('sparql_numeric', noText), noRank, noDoubles, sum]
}

/** The sums of stored terms: inline integers and decimals as numerics, inline doubles as doubles, others as keys. */
function partsOfIds({scalar: id, extent, isNullable}: Column, term: Scalar): Parts {
  if (inlineKind(extent) === inlineKinds.decimal) {
    const millionths = call('sparql_millionths', id)
    const exact = over('sum', millionths, call('sparql_is_decimal', id))
    const double = call('sparql_of_millionths', call('float8', millionths))
    const isFloat = call('sparql_is_float', id)
    const others = over('sparql_sum', term, isNullable ? any([isFloat, isNull(id)]) : isFloat)
    const doubles = over('sum', double, call('sparql_is_double', id))
    return [call('sparql_of_millionths', exact), number(2), doubles, others]
  }
  const rank = call('sparql_exact_rank', id)
  const isExact: Scalar = {kind: 'isNotNull', of: rank}
  const double = call('sparql_double_of', id)
  const others = over('sparql_sum', term, all([isNull(rank), isNull(double)]))
  const exact = over('sum', call('sparql_inline_value', id), isExact)
  return [exact, over('max', rank, isExact), over('sum', double), others]
}

/** The sums of computed numbers and of members that are not exact numbers. */
function partsOfNumbers({scalar, rank}: Summands, term: Scalar): Parts {
  return [over('sum', scalar), number(rank), noDoubles, over('sparql_sum', term, isNull(scalar))]
}

/** The number of members for AVG. Members without a value count too; the sum is an error then. */
function countOf({isDistinct, argument}: GroupMembers): Scalar {
  return {kind: 'aggregate', name: 'count', isDistinct, arguments: isDistinct ? [argument.scalar] : []}
}
