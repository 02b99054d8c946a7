/**
 * On whose behalf calls are made.
 *
 * Floor 3. Types only.
 */
export type Mode = 'read' | 'append' | 'write' | 'control'

/** On whose behalf calls are made. */
export type Access = {
  readonly guard: Guard | undefined // undefined: everybody may do everything
  readonly trail: Trail | undefined // undefined: nothing is written down
  readonly least: Mode // what the request needs at least, whatever else is wrong with it
}

export type Guard = {
  readonly grantees: readonly string[] // whom grants can name that the caller is (base/caller.ts)
  readonly isHidden: boolean // what the caller may not read is as if it were not there
}

export type Trail = {readonly agent: string | undefined; readonly requestId: string}
