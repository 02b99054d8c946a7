/** Plans the parts of dateTimes and dates: of inline ones by their ids, of those in the dictionary by their texts. */
import {firstOfKind, inlineKinds, literalClasses} from '../../../rdf/id-layout.ts'
import {everyTerm, inlineKind, isBoolean, isOfClass, isOfKind, isWithin, withinExtent} from '../extent.ts'
import {call, type Scalar, text} from '../relation.ts'
import {integerValue, type Value} from './value.ts'

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
  const may = (test: Scalar) => !isBoolean(withinExtent(test, id, extent ?? everyTerm), false)
  const numeric = (part: Value): Scalar => call('sparql_numeric', part.scalar)
  const part = (of: 'text' | 'localName'): Scalar => ({kind: 'stored', id, part: of})
  const isStored = isOfClass(id, literalClasses.time)
  const stored = call('sparql_time_field', text(name), part('text'), part('localName'))
  const otherwise = may(isStored) ? call('coalesce', {kind: 'case', branches: [[isStored, stored]]}, generic) : generic
  const inline: readonly Branch[] = [
    [isWithin(id, firstOfKind(zoned), firstOfKind(days)), numeric(ofTime)],
    ...(ofDay === undefined ? [] : [[isOfKind(id, days), numeric(ofDay)] as const]),
    // No datatype of this class, such as xsd:gYear, has these functions.
    [isOfClass(id, literalClasses.other), {kind: 'null', type: 'int8'}],
  ]
  const branches = inline.filter(([test]) => may(test))
  return integerValue(branches.length === 0 ? otherwise : {kind: 'case', branches, otherwise})
}

type Branch = readonly [test: Scalar, part: Scalar]

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
