/**
 * On whose behalf calls are made.
 *
 * sql/functions/51_access.sql says which modes include others.
 */
export const modes = ['read', 'create', 'members', 'edit', 'delete', 'append', 'write', 'query', 'control'] as const

export type Mode = (typeof modes)[number]

/** On whose behalf calls are made. */
export type Access = {
  readonly guard: Guard | undefined // undefined: everybody may do everything
  readonly trail: Trail | undefined // undefined: nothing is written down
  readonly least: Mode // what the request needs at least, whatever else is wrong with it
}

export type Guard = {
  readonly grantees: readonly string[] // whom grants can name that the caller is, and its key's scope (base/caller.ts)
  readonly isHidden: boolean // what the caller may not read is as if it were not there
}

export type Trail = {readonly agent: string | undefined; readonly requestId: string}
