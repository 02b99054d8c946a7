/**
 * Plans MIN and MAX. DISTINCT does not change them. An error of one member makes the aggregate an error.
 *
 * Uses min and max of PostgreSQL where SQL has the order of the values: ids of one inline kind, or numbers in the order
 * of dates, computed numbers, texts of IRIs or of simple literals.
 * Source: SPARQL 1.1 §18.5.1.5, §18.5.1.6.
 */

import {
  endOfKind,
  firstLiteralId,
  firstOfClass,
  firstOfKind,
  firstOwnIri,
  firstOwnLiteral,
  inlineKinds,
  literalClasses,
} from '../../../rdf/id-layout.ts'
import {keyLetters, simpleKeyStart} from '../../../rdf/term-key.ts'
import {type Column, keyOfNumber} from '../block.ts'
import type {Value} from '../expression/value.ts'
import {type Extent, formBitsOf, inlineKind, isText, isWithin, isWithoutValue, reaches} from '../extent.ts'
import {all, any, call, equal, isNull, not, number, operator, type Scalar, text} from '../relation.ts'
import {type GroupMembers, hasNone, type Summands, wholeOf} from './total.ts'

type Extreme = 'min' | 'max'

type ExtremeMembers = Omit<GroupMembers, 'isDistinct'> & {
  readonly ordered: Scalar | undefined // of computed floats or doubles that keep a lexical form: sparql_member
  readonly stored: Scalar | undefined // the part of the terms that `storedPartOf` names, or a computed text
}

/** The part of stored terms that decides their order, if all terms of the extent have it. */
export function storedPartOf({rep, extent}: Column): OnlyPart | undefined {
  if (rep !== 'id' || extent === undefined) return undefined
  if (isWithoutValue(extent)) return 'typed'
  if (!isText(extent)) return undefined
  return extent.high < firstOfClass(literalClasses.string + 1n) ? 'text' : 'tagged'
}

type OnlyPart = 'text' | 'tagged' | 'typed'

/** A float or a double that keeps a lexical form, as a member of MIN and MAX; undefined for others. */
export function orderedOf({type, float}: Value, held: Column): Scalar | undefined {
  if (type !== 'key' || float === undefined || float.isCanonical) return undefined
  return call('sparql_member', float.scalar, held.scalar)
}

export function extremeColumn(name: Extreme, members: ExtremeMembers): Column {
  const {argument, summands, term, isOfAll, ordered, stored} = members
  const {scalar, rep, extent, isNullable, number: likely} = argument
  if (formBitsOf(extent) !== undefined) return complete(argument, over(name, scalar), isOfAll)
  if (inlineKind(extent) === inlineKinds.date) {
    return complete(argument, call('sparql_date_of', over(name, call('sparql_date_order', scalar))), isOfAll)
  }
  if (rep === 'duration') return complete(argument, over(name, scalar), isOfAll)
  const whole = wholeOf(summands)
  if (whole !== undefined) {
    const {scalar: value, rep} = whole
    return complete({...argument, scalar: value, rep, isNullable: true}, over(name, value), isOfAll)
  }
  const part = storedPartOf(argument)
  if (part !== undefined) {
    const key = keyOfPart(part, extent, over(name, stored ?? {kind: 'stored', id: scalar, part}))
    return complete({scalar, rep: 'key', isNullable, isNode: false}, key, isOfAll)
  }
  if (rep === 'key' && stored !== undefined) {
    const text: Scalar = {kind: 'aggregate', name, isDistinct: false, arguments: [stored], isText: true}
    return complete({...argument, scalar: stored}, call('sparql_string', text), isOfAll)
  }
  if (ordered !== undefined)
    return {scalar: extremeOfOrdered(name, term, ordered), rep: 'key', isNullable: true, isNode: false}
  if (rep === 'id') {
    if (summands === undefined) return extremeOfKinds(name, argument, term)
    return {...argument, scalar: extremeOfNumbers(name, scalar, summands), isNullable: true}
  }
  const extreme =
    summands === undefined ? call('nullif', over(overKeys[name], term), text('')) : extremeOfComputed(name, summands)
  const column: Column = {scalar: extreme, rep: 'key', isNullable: true, isNode: false}
  return rep === 'key' && likely !== undefined ? {...column, number: likely} : column
}

function keyOfPart(part: OnlyPart, extent: Extent | undefined, value: Scalar): Scalar {
  if (part !== 'text') return call(part === 'tagged' ? 'sparql_tagged' : 'sparql_valueless', value)
  return operator('||', text((extent?.low ?? 0n) >= firstLiteralId ? simpleKeyStart : keyLetters.iri), value)
}

const nothing: Scalar = {kind: 'null', type: 'text'}

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
 * The id of the extreme of stored numbers, of which some are in the dictionary. Ids decide where two values are equal.
 * The key of the extreme is needed only if there are other members.
 */
function extremeOfNumbers(name: Extreme, id: Scalar, {scalar: decimal, floats, rest = nothing}: Summands): Scalar {
  const forms = floats.map(({scalar, rep}) =>
    call('sparql_decimal_form', rep === 'float' ? call('float4', scalar) : scalar),
  )
  const value = call('coalesce', decimal, ...forms)
  const isOther = hasNone([{scalar: decimal}, ...floats])
  const items = [value, call('sparql_numeric', id)]
  const member = over(name, {kind: 'array', type: 'numeric', items}, not(isOther))
  const others = over(overKeys[name], rest, isOther)
  const key = call(`${overKeys[name]}_combine`, call('sparql_key_of_member', member), others)
  return {
    kind: 'case',
    branches: [[isNull(others), call('sparql_id_of_member', member)]],
    otherwise: call('sparql_id', call('nullif', key, text(''))),
  }
}

/**
 * The extreme of computed numbers, and of strings that are cast to numbers, of which most are in canonical form. Then
 * the number determines the term.
 */
function extremeOfComputed(name: Extreme, {scalar, form, floats, rest = nothing}: Summands): Scalar {
  const values = [{scalar, form}, ...floats.map(float => ({scalar: float.scalar, form: float.rep}))]
  const others = over(overKeys[name], rest, hasNone(values))
  const key = values
    .map(value => keyOfNumber(over(name, value.scalar), value.form))
    .reduce((found, key) => call(`${overKeys[name]}_combine`, key, found), others)
  return call('nullif', key, text(''))
}

/** The extreme of floats or doubles. Others, such as infinities and errors, are compared as keys. */
function extremeOfOrdered(name: Extreme, key: Scalar, ordered: Scalar): Scalar {
  const made: Scalar = {kind: 'aggregate', name, isDistinct: false, arguments: [ordered], isText: true}
  const others = over(overKeys[name], key, isNull(ordered))
  return call('nullif', call(`${overKeys[name]}_combine`, call('sparql_key_of_member', made), others), text(''))
}

/** The aggregates of keys. */
const overKeys: Readonly<Record<Extreme, string>> = {min: 'sparql_min', max: 'sparql_max'}

/**
 * The extreme of terms of several kinds, of those that the extent allows. Within most inline kinds, ids have the order
 * of their values (rdf/id-layout.ts); dates have another number for it. Strings, IRIs and literals
 * without a value, such as years, are compared by their texts, all other terms by their keys. If no texts decide, the
 * extreme is an id, and has no key in a group with one kind.
 */
function extremeOfKinds(name: Extreme, argument: Column, term: Scalar): Column {
  const {scalar: id, extent} = argument
  const none: Scalar = {kind: 'array', type: 'text', items: []}
  const known: Scalar[] = []
  /** The extreme of the members within a range of ids; undefined if there are none. */
  const among = (member: Scalar, first: bigint, end: bigint): Scalar | undefined => {
    if (extent !== undefined && !reaches(extent, first, end)) return undefined
    const isAmong = isWithin(id, first, end)
    known.push(isAmong)
    return over(name, member, isAmong)
  }
  const ids = Object.values(inlineKinds).flatMap(kind => {
    const isDate = kind === inlineKinds.date
    const found = among(isDate ? call('sparql_date_order', id) : id, firstOfKind(kind), endOfKind(kind))
    return found === undefined ? [] : [isDate ? call('sparql_date_of', found) : found]
  })
  const {langString, other} = literalClasses
  const stored = (part: OnlyPart): Scalar => ({kind: 'stored', id, part})
  const texts = {
    simple: among(stored('text'), firstLiteralId, firstOwnLiteral),
    tagged: among(stored('tagged'), firstOfClass(langString), firstOfClass(langString + 1n)),
    typed: among(stored('typed'), firstOfClass(other), firstOfClass(other + 1n)),
    iri: among(stored('text'), 0n, firstOwnIri),
  }
  const others = over(overKeys[name], term, any([isNull(id), not(any(known))]))
  const {simple = nothing, tagged = none, typed = none, iri = nothing} = texts
  const inline: Scalar = {kind: 'array', type: 'int8', items: ids}
  const key = call('sparql_extreme', text(name), inline, simple, tagged, typed, iri, others)
  if (Object.values(texts).some(one => one !== undefined) || ids.length === 0)
    return {scalar: key, rep: 'key', isNullable: true, isNode: false}
  const isOne = equal(call('num_nonnulls', ...ids, others), number(1))
  const branches = [[all([isOne, isNull(others)]), call('coalesce', ...ids)]] as const
  return {...argument, scalar: {kind: 'case', branches, otherwise: call('sparql_id', key)}, isNullable: true}
}
