/** Plans the parts of dateTimes and dates: of inline ones by their ids. */
import {firstOfKind, inlineKinds, literalClasses} from '../../../rdf/id-layout.ts'
import {inlineKind, isOfClass, isOfKind, isWithin, mayBeInline} from '../extent.ts'
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
  if (type !== 'id' || constant !== undefined || !mayBeInline(extent)) return ofKey
  const [ofTime, ofDay] = [partOfInlineTime(name, id), partOfInlineDay(name, id)]
  if (isInlineTime(value)) return ofTime
  if (inlineKind(extent) === days) return ofDay ?? ofKey
  if (inlineKind(extent) !== undefined) return ofKey
  const numeric = (part: Value): Scalar => call('sparql_numeric', part.scalar)
  const branches: [Scalar, Scalar][] = [[isWithin(id, firstOfKind(zoned), firstOfKind(days)), numeric(ofTime)]]
  if (ofDay !== undefined) branches.push([isOfKind(id, days), numeric(ofDay)])
  // No datatype of this class, such as xsd:gYear, has these functions.
  branches.push([isOfClass(id, literalClasses.other), {kind: 'null', type: 'int8'}])
  return integerValue({kind: 'case', branches, otherwise: generic})
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
