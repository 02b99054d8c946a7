/** Plans the parts of inline dateTimes and dates. */
import {inlineKinds} from '../../../rdf/id-layout.ts'
import {inlineKind} from '../extent.ts'
import {call, text} from '../relation.ts'
import {integerValue, type Value} from './value.ts'

const {dateTime: zoned, localDateTime: unzoned, date: days} = inlineKinds

const bitsOfYear = 16

/** Plans YEAR, MONTH, DAY, HOURS and MINUTES of inline dateTimes and dates; undefined for others. */
export function partOfTime(name: string, value: Value): Value | undefined {
  const {scalar, extent, constant} = value
  const isTime = isInlineTime(value)
  const isDay = constant === undefined && inlineKind(extent) === days
  if (!isTime && !isDay) return undefined
  switch (name) {
    case 'year':
    case 'month':
    case 'day':
      return integerValue(
        call('sparql_day_number', text(name), call(isTime ? 'sparql_instant_day' : 'sparql_date_day', scalar)),
        bitsOfYear,
      )
    case 'hours':
      return isTime ? integerValue(call('sparql_hours', call('sparql_local_time', scalar))) : undefined
    case 'minutes':
      return isTime ? integerValue(call('sparql_minutes', call('sparql_local_time', scalar))) : undefined
    default:
      return undefined
  }
}

/** Whether a value is the id of an inline dateTime. */
export function isInlineTime({type, constant, extent}: Value): boolean {
  const kind = type === 'id' && constant === undefined ? inlineKind(extent) : undefined
  return kind === zoned || kind === unzoned
}
