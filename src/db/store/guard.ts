/**
 * Adds access checks and the record of changes to the SQL text of a call.
 *
 * The check, the work and the record are one statement and so one transaction. The connection keeps no state, so this
 * works behind a pooler. Without access control the text has no additions. The SQL functions are in
 * sql/functions/51_access.sql and 54_caller.sql.
 */

import type {Value} from '../connection/value.ts'
import type {Mode} from './caller.ts'
import type {Session} from './session.ts'

export type Need = {
  readonly modes: readonly Mode[]
  readonly place?: number // of the document's IRI among the values, from 1; 1 by default
  readonly rule?: 'document-exists' | 'parent-exists' // the rule of the error for a hidden document
}

/** Parts of the statement `select … from ${before}f(${iri}, …)`. */
export type Checked = {
  readonly before: string
  readonly iri: string // SQL for the IRI: the output of the check, so that the check runs before the call
  readonly grantees: string // SQL for the caller's grantees; 'null' without access control
  readonly values: readonly Value[]
}

export function checked(
  {caller, inSchema}: Session,
  values: readonly Value[],
  {modes, place = 1, rule = 'document-exists'}: Need,
): Checked {
  if (caller?.grantees === undefined) return {before: '', iri: `$${place}`, grantees: 'null', values}
  const [needs, grantees, ...how] = [1, 2, 3, 4].map(number => `$${values.length + number}`)
  return {
    before: `${inSchema}require_access($${place}, ${needs}, ${grantees}, ${how.join(', ')}) as a (iri), lateral `,
    iri: 'a.iri',
    grantees: grantees ?? 'null',
    values: [...values, modes, caller.grantees, caller.isHidden, rule],
  }
}

export type Change = {
  readonly action: string // a constant of our code
  readonly document: string // SQL for its IRI: '$1'
  readonly etag: string // SQL for the entity tag after the change, or 'null'
}

/** SQL that follows the call in a statement that writes, with its values. */
export function recorded(
  {caller, inSchema, requestId}: Session,
  values: readonly Value[],
  {action, document, etag}: Change,
): {readonly after: string; readonly values: readonly Value[]} {
  if (caller?.isAudited !== true) return {after: '', values}
  const [agent, request] = [values.length + 1, values.length + 2]
  return {
    after: `, lateral ${inSchema}record_change('${action}', ${document}, ${etag}, $${agent}, $${request}) as r_`,
    values: [...values, caller.agent ?? null, requestId ?? null],
  }
}

/** The arguments `$1, $2, …` with the checked IRI in its place and, if requested, the caller's grantees at the end. */
export function argumentsOf(
  {before, iri, grantees}: Checked,
  {count, place, isToldCaller}: {readonly count: number; readonly place: number; readonly isToldCaller: boolean},
): string {
  const own = Array.from({length: count}, (_, index) => (index + 1 === place ? iri : `$${index + 1}`))
  return [...own, ...(isToldCaller && before !== '' ? [grantees] : [])].join(', ')
}
