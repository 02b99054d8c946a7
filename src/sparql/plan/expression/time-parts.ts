/**
 * Plans the parts of dateTimes, dates, times of day and years: of inline ones by their ids, of those in the dictionary
 * by their texts.
 */
import {endOfKind, firstOfKind, inlineKinds, literalClasses} from '../../../rdf/id-layout.ts'
import {type Extent, everyTerm, inlineKind, isOfClass, isOfKind, isWithin} from '../extent.ts'
import {areInstants, isInMilliseconds, isInstant} from '../instants.ts'
import {any, call, equal, type Scalar, text} from '../relation.ts'
import {isBoolean, withinExtent} from '../within-extent.ts'
import {integerValue, keyValue, textValue, type Value} from './value.ts'

const {dateTime: firstInstants, date: days} = inlineKinds

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
  const [ofTime, ofDay] = [partOfInlineTime(name, id, extent), partOfInlineDay(name, id)]
  if (isInlineTime(value)) return ofTime
  if (inlineKind(extent) === days) return ofDay ?? ofKey
  const numeric = (part: Value): Scalar => call('sparql_numeric', part.scalar)
  const stored = call('sparql_time_field', text(name), storedPart(id, 'text'), storedPart(id, 'localName'))
  const inline: readonly Branch[] = [
    [isInstant(id), numeric(ofTime)],
    ...(ofDay === undefined ? [] : [[isOfKind(id, days), numeric(ofDay)] as const]),
    [isOfClass(id, literalClasses.other), partOfYear(name, id, call('coalesce', stored, generic))],
  ]
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
  return keyValue(byRanges(value, [[isInstant(id), inline]], stored, generic))
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
    byRanges(value, [[isWithin(id, firstOfKind(firstInstants), endOfKind(days)), inline]], stored, generic),
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

function storedPart(id: Scalar, part: 'text' | 'localName'): Scalar {
  return {kind: 'stored', id, part}
}

function partOfInlineTime(name: string, id: Scalar, extent: Extent | undefined): Value {
  const clock = localTime(id, extent ?? everyTerm)
  if (name === 'hours') return integerValue(call('sparql_hours', clock))
  if (name === 'minutes') return integerValue(call('sparql_minutes', clock))
  return integerValue(call('sparql_day_number', text(name), call('sparql_clock_day', clock)), bitsOfYear)
}

/** The milliseconds of an inline dateTime since the year 1, in its own time zone. */
function localTime(id: Scalar, extent: Extent): Scalar {
  const [coarse, fine] = [call('sparql_local_time', id), call('sparql_local_micro_time', id)]
  const isCoarse = withinExtent(isInMilliseconds(id), id, extent)
  if (isBoolean(isCoarse, true)) return coarse
  return isBoolean(isCoarse, false) ? fine : {kind: 'case', branches: [[isCoarse, coarse]], otherwise: fine}
}

/** Undefined if a date has no such part. */
function partOfInlineDay(name: string, id: Scalar): Value | undefined {
  if (name === 'hours' || name === 'minutes') return undefined
  return integerValue(call('sparql_day_number', text(name), call('sparql_date_day', id)), bitsOfYear)
}

/** Of literals of other datatypes only years have such parts. */
function partOfYear(name: string, id: Scalar, part: Scalar): Scalar {
  const types = {year: ['gYear', 'gYearMonth'], month: ['gYearMonth']}[name] ?? []
  const tests = types.map(type => equal(storedPart(id, 'localName'), text(type)))
  return tests.length === 0 ? {kind: 'null', type: 'int8'} : {kind: 'case', branches: [[any(tests), part]]}
}

/** Whether a value is the id of an inline dateTime. */
function isInlineTime({type, constant, extent}: Value): boolean {
  return type === 'id' && constant === undefined && areInstants(extent)
}
