/**
 * The caller on whose behalf the store is called, and the modes that grants give.
 *
 * sql/functions/51_access.sql says which modes include others.
 */
export const modes = ['read', 'create', 'members', 'edit', 'delete', 'append', 'write', 'query', 'control'] as const

export type Mode = (typeof modes)[number]

/** How calls are checked and recorded. */
export type Access = {
  readonly guard: Guard | undefined // undefined: every call is allowed
  readonly trail: Trail | undefined // undefined: changes are not recorded
  readonly least: Mode // the least mode that the request needs, whatever other errors it has
}

export type Guard = {
  readonly grantees: readonly string[] // names that match the caller in grants, and its key's scope (base/caller.ts)
  readonly isHidden: boolean // documents that the caller may not read are answered as if they did not exist
}

export type Trail = {readonly agent: string | undefined; readonly requestId: string}
