/**
 * MIN and MAX, which duplicates do not change; an error of a member is one of the whole.
 *
 * By PostgreSQL's own aggregates where SQL has the order of the values: ids of one inline kind, computed
 * numbers, texts of IRIs or of simple literals. Source: SPARQL 1.1 §18.5.1.5, §18.5.1.6.
 */

import {firstLiteralId} from '../../../rdf/term-id.ts'
import {firstOwnLiteral} from '../../analyse/constants.ts'
import type {Column} from '../block.ts'
import {firstOfClass, firstOfKind, formBitsOf, isText, isWithin} from '../extent.ts'
import {all, any, call, equal, isNull, not, number, operator, type Scalar, text} from '../relation.ts'
import type {Summands} from './total.ts'

type Extreme = 'min' | 'max'

type Members = {
  readonly argument: Column
  readonly summands: Summands | undefined
  readonly term: Scalar // key of the argument
  readonly isOfAll: boolean // in one group, which may have no members
}

export function extremeColumn(name: Extreme, {argument, summands, term, isOfAll}: Members): Column {
  const {scalar, extent} = argument
  if (formBitsOf(extent) !== undefined) return complete(argument, over(name, scalar), isOfAll)
  if (summands?.isWhole === true) {
    const rep = summands.rank === 1 ? 'integer' : 'decimal'
    return complete({...argument, scalar: summands.scalar, rep, isNullable: true}, over(name, summands.scalar), isOfAll)
  }
  if (isText(extent) && extent !== undefined && extent.high < firstOfClass(1n)) {
    const kind = text(extent.low >= firstLiteralId ? simpleKind : 'I')
    const least = over(name, {kind: 'stored', id: scalar, part: 'text'})
    const key = operator('||', kind, least)
    return complete({scalar, rep: 'key', isNullable: argument.isNullable, isNode: false}, key, isOfAll)
  }
  return {scalar: extremeOf(name, argument, term), rep: 'key', isNullable: true, isNode: false}
}

const simpleKind = 'Lhttp://www.w3.org/2001/XMLSchema#string  '

function over(name: string, argument: Scalar, filter?: Scalar): Scalar {
  const made: Scalar = {kind: 'aggregate', name, isDistinct: false, arguments: [argument]}
  return filter === undefined ? made : {...made, filter}
}

/** An extreme, if no member is unbound or an error. */
function complete(argument: Column, extreme: Scalar, isOfAll: boolean): Column {
  if (!argument.isNullable) return {...argument, scalar: extreme, isNullable: isOfAll}
  const members: Scalar = {kind: 'aggregate', name: 'count', isDistinct: false, arguments: []}
  const isComplete = equal(members, over('count', argument.scalar))
  return {...argument, scalar: {kind: 'case', branches: [[isComplete, extreme]]}, isNullable: true}
}

/**
 * Of terms of several kinds: ids of inline literals lie in the order of their values, kind by kind (rdf/inline.ts; not
 * dates, whose zones stand last), simple literals are compared by their texts, all others as keys.
 */
function extremeOf(name: Extreme, {scalar: id, rep}: Column, term: Scalar): Scalar {
  const overKeys = name === 'min' ? 'sparql_min' : 'sparql_max'
  if (rep === 'key') return call('nullif', over(overKeys, term), text(''))
  const isOfKind = (kind: bigint) => isWithin(id, firstOfKind(kind), firstOfKind(kind + 1n))
  const inline = [0n, 1n, 2n, 3n, 4n].map(kind => over(name, id, isOfKind(kind)))
  const isSimple = isWithin(id, firstLiteralId, firstOwnLiteral)
  const simple = over(name, {kind: 'stored', id, part: 'text'}, isSimple)
  const others = any([isNull(id), all([operator('>=', id, number(firstOfKind(5n))), not(isSimple)])])
  const items: Scalar = {kind: 'array', type: 'int8', items: inline}
  return call('sparql_extreme', text(name), items, simple, over(overKeys, term, others))
}
