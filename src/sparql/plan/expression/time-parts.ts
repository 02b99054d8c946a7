/** Plans the parts of dateTimes and dates: of inline ones by their ids, of those in the dictionary by their texts. */
import {firstOfKind, inlineKinds, literalClasses} from '../../../rdf/id-layout.ts'
import {everyTerm, inlineKind, isBoolean, isOfClass, isOfKind, isWithin, withinExtent} from '../extent.ts'
import {call, type Scalar, text} from '../relation.ts'
import {integerValue, keyValue, textValue, type Value} from './value.ts'

const {dateTime: zoned, localDateTime: unzoned, date: days} = inlineKinds

const bitsOfYear = 16

/**
 * Plans YEAR, MONTH, DAY, HOURS and MINUTES.
 *
 * @param generic  the same by the key of the term, numeric
 */
export function partOfTime(name: string, value: Value, generic: Scalar): Value {
  const {scalar: id, type, extent, constant} = value
  const ofKey = integerValue(generic)
  if (type !== 'id' || constant !== undefined) return ofKey
  const [ofTime, ofDay] = [partOfInlineTime(name, id), partOfInlineDay(name, id)]
  if (isInlineTime(value)) return ofTime
  if (inlineKind(extent) === days) return ofDay ?? ofKey
  const numeric = (part: Value): Scalar => call('sparql_numeric', part.scalar)
  const inline: readonly Branch[] = [
    [isDateTime(id), numeric(ofTime)],
    ...(ofDay === undefined ? [] : [[isOfKind(id, days), numeric(ofDay)] as const]),
    // No datatype of this class, such as xsd:gYear, has these functions.
    [isOfClass(id, literalClasses.other), {kind: 'null', type: 'int8'}],
  ]
  const stored = call('sparql_time_field', text(name), storedPart(id, 'text'), storedPart(id, 'localName'))
  return integerValue(byRanges(value, inline, stored, generic))
}

/**
 * Plans SECONDS.
 *
 * @param generic  the same by the key of the term, a key
 */
export function secondsOfTime(value: Value, generic: Scalar): Value {
  const {scalar: id, type, constant} = value
  if (type !== 'id' || constant !== undefined) return keyValue(generic)
  const inline = call('sparql_inline_seconds', id)
  if (isInlineTime(value)) return keyValue(inline)
  const stored = call('sparql_stored_seconds', storedPart(id, 'text'), storedPart(id, 'localName'))
  return keyValue(byRanges(value, [[isDateTime(id), inline]], stored, generic))
}

/**
 * Plans TZ.
 *
 * @param generic  the same by the key of the term, a text
 */
export function zoneOfTime(value: Value, generic: Scalar): Value {
  const {scalar: id, type, extent, constant} = value
  if (type !== 'id' || constant !== undefined) return textValue(generic)
  const inline = call('sparql_inline_tz', id)
  if (isInlineTime(value) || inlineKind(extent) === days) return textValue(inline)
  const stored = call('sparql_stored_tz', storedPart(id, 'text'), storedPart(id, 'localName'))
  return textValue(
    byRanges(value, [[isWithin(id, firstOfKind(zoned), firstOfKind(days + 1n)), inline]], stored, generic),
  )
}

type Branch = readonly [test: Scalar, part: Scalar]

/**
 * A function of a term by the range of its id.
 *
 * @param inline   of ids in some ranges
 * @param stored   of times of the dictionary; null if the lexical form is unusual
 * @param generic  of all terms
 */
function byRanges({scalar: id, extent}: Value, inline: readonly Branch[], stored: Scalar, generic: Scalar): Scalar {
  const may = (test: Scalar) => !isBoolean(withinExtent(test, id, extent ?? everyTerm), false)
  const isStored = isOfClass(id, literalClasses.time)
  const otherwise = may(isStored) ? call('coalesce', {kind: 'case', branches: [[isStored, stored]]}, generic) : generic
  const branches = inline.filter(([test]) => may(test))
  return branches.length === 0 ? otherwise : {kind: 'case', branches, otherwise}
}

function isDateTime(id: Scalar): Scalar {
  return isWithin(id, firstOfKind(zoned), firstOfKind(days))
}

function storedPart(id: Scalar, part: 'text' | 'localName'): Scalar {
  return {kind: 'stored', id, part}
}

function partOfInlineTime(name: string, id: Scalar): Value {
  if (name === 'hours') return integerValue(call('sparql_hours', call('sparql_local_time', id)))
  if (name === 'minutes') return integerValue(call('sparql_minutes', call('sparql_local_time', id)))
  return integerValue(call('sparql_day_number', text(name), call('sparql_instant_day', id)), bitsOfYear)
}

/** Undefined if a date has no such part. */
function partOfInlineDay(name: string, id: Scalar): Value | undefined {
  if (name === 'hours' || name === 'minutes') return undefined
  return integerValue(call('sparql_day_number', text(name), call('sparql_date_day', id)), bitsOfYear)
}

/** Whether a value is the id of an inline dateTime. */
export function isInlineTime({type, constant, extent}: Value): boolean {
  const kind = type === 'id' && constant === undefined ? inlineKind(extent) : undefined
  return kind === zoned || kind === unzoned
}
