/**
 * Calls of SQL functions on behalf of somebody: made only if grants allow them, and written down where that is wanted.
 *
 * The check, the work and the record are one statement, so they share one transaction; nothing of them is kept
 * by the connection, so a pooler may stand between. Without access control, the texts are as they would be without this
 * file. sql/functions/51_access.sql and 54_caller.sql are the other end.
 */

import type {Value} from '../connection/value.ts'
import type {Mode} from './access.ts'
import type {Session} from './session.ts'

export type Need = {
  readonly modes: readonly Mode[]
  readonly place?: number // of the document's IRI among the values, from 1; the first
  readonly rule?: 'document-exists' | 'parent-exists' // by which a hidden document is refused
}

/** What goes into a statement: `select … from ${before}f(${iri}, …)`. */
export type Checked = {
  readonly before: string
  readonly iri: string // the place of the IRI: from the check, so that the call comes after it
  readonly grantees: string // the place of the caller's grantees; null where everybody may do everything
  readonly values: readonly Value[]
}

export function checked(
  {access, inSchema}: Session,
  values: readonly Value[],
  {modes, place = 1, rule = 'document-exists'}: Need,
): Checked {
  const guard = access?.guard
  if (guard === undefined) return {before: '', iri: `$${place}`, grantees: 'null', values}
  const [needs, grantees, ...how] = [1, 2, 3, 4].map(number => `$${values.length + number}`)
  return {
    before: `${inSchema}require_access($${place}, ${needs}, ${grantees}, ${how.join(', ')}) as a (iri), lateral `,
    iri: 'a.iri',
    grantees: grantees ?? 'null',
    values: [...values, modes, guard.grantees, guard.isHidden, rule],
  }
}

export type Change = {
  readonly action: string // a word of ours
  readonly document: string // SQL for its IRI: '$1'
  readonly etag: string // SQL for the entity tag after it; 'null'
}

/** What follows the call in a statement that writes, and the values that go with it. */
export function recorded(
  {access, inSchema}: Session,
  values: readonly Value[],
  {action, document, etag}: Change,
): {readonly after: string; readonly values: readonly Value[]} {
  const trail = access?.trail
  if (trail === undefined) return {after: '', values}
  const [agent, requestId] = [values.length + 1, values.length + 2]
  return {
    after: `, lateral ${inSchema}record_change('${action}', ${document}, ${etag}, $${agent}, $${requestId}) as r_`,
    values: [...values, trail.agent ?? null, trail.requestId],
  }
}

/** The function's arguments `$1, $2, …`, the checked IRI in its place; on request the caller's grantees at the end. */
export function argumentsOf(
  {before, iri, grantees}: Checked,
  {count, place, isToldCaller}: {readonly count: number; readonly place: number; readonly isToldCaller: boolean},
): string {
  const own = Array.from({length: count}, (_, index) => (index + 1 === place ? iri : `$${index + 1}`))
  return [...own, ...(isToldCaller && before !== '' ? [grantees] : [])].join(', ')
}
