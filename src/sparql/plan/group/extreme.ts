/**
 * Plans MIN and MAX. DISTINCT does not change them. An error of one member makes the aggregate an error.
 *
 * Uses min and max of PostgreSQL where SQL has the order of the values: ids of one inline kind, computed numbers, texts
 * of IRIs or of simple literals.
 * Source: SPARQL 1.1 §18.5.1.5, §18.5.1.6.
 */

import {
  firstLiteralId,
  firstOfClass,
  firstOfKind,
  firstOwnLiteral,
  inlineKinds,
  literalClasses,
} from '../../../rdf/id-layout.ts'
import {keyLetters, simpleKeyStart} from '../../../rdf/term-key.ts'
import type {Column} from '../block.ts'
import {formBitsOf, isOfKind, isText, isWithin} from '../extent.ts'
import {all, any, call, equal, isNull, not, number, operator, type Scalar, text} from '../relation.ts'
import type {Summands} from './total.ts'

type Extreme = 'min' | 'max'

type Members = {
  readonly argument: Column
  readonly summands: Summands | undefined
  readonly term: Scalar // key of the argument
  readonly isOfAll: boolean // a single group (no keys, no GRAPH ?g), which may have no members
}

export function extremeColumn(name: Extreme, {argument, summands, term, isOfAll}: Members): Column {
  const {scalar, extent} = argument
  if (formBitsOf(extent) !== undefined) return complete(argument, over(name, scalar), isOfAll)
  if (summands?.isWhole === true) {
    const rep = summands.rank === 1 ? 'integer' : 'decimal'
    return complete({...argument, scalar: summands.scalar, rep, isNullable: true}, over(name, summands.scalar), isOfAll)
  }
  if (isText(extent) && extent !== undefined && extent.high < firstOfClass(literalClasses.string + 1n)) {
    const kind = text(extent.low >= firstLiteralId ? simpleKeyStart : keyLetters.iri)
    const least = over(name, {kind: 'stored', id: scalar, part: 'text'})
    const key = operator('||', kind, least)
    return complete({scalar, rep: 'key', isNullable: argument.isNullable, isNode: false}, key, isOfAll)
  }
  return {scalar: extremeOf(name, argument, term), rep: 'key', isNullable: true, isNode: false}
}

function over(name: string, argument: Scalar, filter?: Scalar): Scalar {
  const made: Scalar = {kind: 'aggregate', name, isDistinct: false, arguments: [argument]}
  return filter === undefined ? made : {...made, filter}
}

/** The extreme; null if a member is unbound or an error. */
function complete(argument: Column, extreme: Scalar, isOfAll: boolean): Column {
  if (!argument.isNullable) return {...argument, scalar: extreme, isNullable: isOfAll}
  const members: Scalar = {kind: 'aggregate', name: 'count', isDistinct: false, arguments: []}
  const isComplete = equal(members, over('count', argument.scalar))
  return {...argument, scalar: {kind: 'case', branches: [[isComplete, extreme]]}, isNullable: true}
}

/**
 * The extreme of terms of several kinds. Within a kind, ids of inline literals have the order of their values
 * (rdf/id-layout.ts; except dates, whose low bits are the time zone). Simple literals are compared by their texts, all
 * other terms by their keys.
 */
function extremeOf(name: Extreme, {scalar: id, rep}: Column, term: Scalar): Scalar {
  const overKeys = name === 'min' ? 'sparql_min' : 'sparql_max'
  if (rep === 'key') return call('nullif', over(overKeys, term), text(''))
  const ordered = Object.values(inlineKinds).filter(kind => kind !== inlineKinds.date)
  const inline = ordered.map(kind => over(name, id, isOfKind(id, kind)))
  const isSimple = isWithin(id, firstLiteralId, firstOwnLiteral)
  const simple = over(name, {kind: 'stored', id, part: 'text'}, isSimple)
  const others = any([isNull(id), all([operator('>=', id, number(firstOfKind(inlineKinds.date))), not(isSimple)])])
  const items: Scalar = {kind: 'array', type: 'int8', items: inline}
  return call('sparql_extreme', text(name), items, simple, over(overKeys, term, others))
}
