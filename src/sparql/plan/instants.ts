/**
 * Instants: dateTimes whose literals are inline. Their ids are of four kinds, with and without a time zone, each in
 * milliseconds and in microseconds (rdf/id-layout.ts).
 *
 * Pure. The ids of the two kinds with a time zone are one range, and so are those of the two without.
 */
import {firstOfKind, formBitsOfKind, inlineKinds} from '../../rdf/id-layout.ts'
import {type Extent, inlineKind, isOfKind, isWithin} from './extent.ts'
import {any, call, number, operator, type Scalar} from './relation.ts'

const {dateTime, microDateTime, localDateTime, localMicroDateTime, date} = inlineKinds

export const zonedKinds = [dateTime, microDateTime] as const
export const localKinds = [localDateTime, localMicroDateTime] as const

export type InstantKind = (typeof zonedKinds | typeof localKinds)[number]

/** The microseconds in one unit of the values of a kind. */
export function microsecondsPerUnit(kind: InstantKind): bigint {
  return kind === dateTime || kind === localDateTime ? 1000n : 1n
}

/** The condition that an id is an inline dateTime. */
export function isInstant(id: Scalar): Scalar {
  return isWithin(id, firstOfKind(dateTime), firstOfKind(date))
}

/** The condition that an id is an inline dateTime with a time zone. */
export function isZoned(id: Scalar): Scalar {
  return isWithin(id, firstOfKind(dateTime), firstOfKind(localDateTime))
}

/** The condition that an id is an inline dateTime without a time zone. */
export function isLocal(id: Scalar): Scalar {
  return isWithin(id, firstOfKind(localDateTime), firstOfKind(date))
}

/** The condition that an id is an inline dateTime in milliseconds. */
export function isInMilliseconds(id: Scalar): Scalar {
  return any([isOfKind(id, dateTime), isOfKind(id, localDateTime)])
}

/** Whether all ids of an extent are inline dateTimes. */
export function areInstants(extent: Extent | undefined): boolean {
  return extent !== undefined && extent.low >= firstOfKind(dateTime) && extent.high < firstOfKind(date)
}

/** A number in the order of inline dateTimes, as if they were in UTC if they have no time zone. */
export function instantOrder(id: Scalar, extent: Extent | undefined): Scalar {
  const kind = areInstants(extent) ? inlineKind(extent) : undefined
  return kind === undefined ? microsecondsOf(id) : operator('>>', id, number(formBitsOfKind(kind)))
}

/** The microseconds of an inline dateTime since 1970, as if it were in UTC if it has no time zone. */
export function microsecondsOf(id: Scalar): Scalar {
  return call('sparql_microseconds', id)
}
