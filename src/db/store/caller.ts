/**
 * The caller on whose behalf functions of the store are called, and the modes that grants give.
 *
 * sql/functions/access/access.sql says which modes include others.
 */
import {encodeRow} from '../connection/value.ts'

export const modes = ['read', 'create', 'members', 'edit', 'delete', 'append', 'write', 'query', 'control'] as const

export type Mode = (typeof modes)[number]

export type Caller = {
  readonly grantees: readonly string[] | undefined // match grants (base/principal.ts); undefined: may do everything
  readonly isHidden: boolean // documents that the caller may not read are answered as if they did not exist
  readonly agent: string | undefined // IRI, for the audit; undefined: anonymous
  readonly isAudited: boolean // the audit records the changes
}

/**
 * The caller as a parameter of the SQL type `caller` (sql/migrations/000008_caller.sql).
 *
 * @param requestId  for the audit
 * @returns          null: may do everything, and is not audited
 */
export function callerValue(caller: Caller | undefined, requestId: string | undefined): string | null {
  if (caller === undefined) return null
  const {grantees, isHidden, agent, isAudited} = caller
  return encodeRow([grantees ?? null, isHidden, agent ?? null, requestId ?? null, isAudited])
}
