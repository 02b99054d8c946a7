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
import {all, call, equal, isNull, number, operator, type Scalar, text} from '../relation.ts'

/** The values of computed members that are exact numbers; null for others. */
export type Summands = {
  readonly scalar: Scalar
  readonly rank: number // 1 integers, 2 decimals
  readonly isWhole: boolean // null means an error, never a float or a double
}

export type Members = {
  readonly argument: Column
  readonly summands: Summands | undefined // undefined: not computed
  readonly isDistinct: boolean
  readonly term: Scalar // key of the argument
  readonly isOfAll: boolean // a single group (no keys, no GRAPH ?g), which may have no members
}

const noDoubles = call('float8', {kind: 'null', type: 'int8'})
const zeroKey = text(termKey(literal('0', xsd.integer)))

/** The column of a sum or an average; null if it is an error. */
export function totalOf(name: 'sum' | 'avg', members: Members): Column {
  const {argument, summands, isDistinct, isOfAll} = members
  const isOfIntegers = summands === undefined && inlineKind(argument.extent) === inlineKinds.integer && !isDistinct
  if (isOfIntegers && argument.rep === 'id') return totalOfIntegers(name, argument, isOfAll)
  const total = totalOfTerms(members)
  return nullable(
    'key',
    name === 'sum' ? call('nullif', total, text('')) : call('sparql_average', total, countOf(members)),
  )
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

function totalOfTerms({argument, summands, isDistinct, term}: Members): Scalar {
  if (isDistinct) return {kind: 'aggregate', name: 'sparql_sum', isDistinct, arguments: [term]}
  if (summands !== undefined) return totalOfNumbers(summands, term)
  return argument.rep === 'key' ? over('sparql_sum', term) : totalOfIds(argument, term)
}

/** The sum of stored terms: inline integers and decimals as numerics, inline doubles as doubles, others as keys. */
function totalOfIds({scalar: id, extent}: Column, term: Scalar): Scalar {
  const rank = call('sparql_exact_rank', id)
  const isExact: Scalar = {kind: 'isNotNull', of: rank}
  const double = call('sparql_double_of', id)
  const others = over('sparql_sum', term, all([isNull(rank), isNull(double)]))
  if (inlineKind(extent) === inlineKinds.decimal) {
    const millionths = over('sum', call('sparql_millionths', id), call('sparql_is_decimal', id))
    return call('sparql_total', call('sparql_of_millionths', millionths), number(2), over('sum', double), others)
  }
  const exact = over('sum', call('sparql_inline_value', id), isExact)
  return call('sparql_total', exact, over('max', rank, isExact), over('sum', double), others)
}

/** The sum of computed numbers and of members that are not exact numbers. */
function totalOfNumbers({scalar, rank}: Summands, term: Scalar): Scalar {
  return call('sparql_total', over('sum', scalar), number(rank), noDoubles, over('sparql_sum', term, isNull(scalar)))
}

/** The number of members for AVG. Members without a value count too; the sum is an error then. */
function countOf({isDistinct, argument}: Members): Scalar {
  return {kind: 'aggregate', name: 'count', isDistinct, arguments: isDistinct ? [argument.scalar] : []}
}
