/**
 * Adds access checks to the SQL text of a call that reads.
 *
 * The check and the work are one statement and so one transaction. The connection keeps no state, so this works behind
 * a pooler. Without access control the text has no additions. The SQL functions are in sql/functions/51_access.sql.
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
