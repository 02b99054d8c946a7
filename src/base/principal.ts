/**
 * The sender of a request, as known from its credentials.
 *
 * Pure. The web layer establishes the caller once per request, before any handler runs.
 */

export type Principal = {
  readonly agent: string | undefined // IRI; undefined: anonymous
  readonly groups: readonly string[] // names, from the issuer or the key
  readonly means: 'none' | 'token' | 'key' | 'session' // how the caller was authenticated
  readonly name?: string // of a person with a session, for display only
  readonly scope?: Scope // of a key, or of a session that a key began
  readonly expires?: Date | undefined // the same
}

/** The limits of a key. */
export type Scope = {
  readonly modes: readonly string[] | null // null: all modes that its agent has
  readonly within: string | null // IRI of the document to whose subtree it is confined; null: not confined
}

/** A caller without credentials. */
export const anonymous: Principal = Object.freeze({agent: undefined, groups: Object.freeze([]), means: 'none'})

/**
 * The caller in the form for the database: its grantees (`public`, and with credentials `authenticated`, `agent <IRI>`
 * and `group <name>` for each group), and the scope of its key (`only <mode>,<mode>` and `within <IRI>`). No grant can
 * name a scope.
 */
export function granteesOf({agent, groups, scope}: Principal): readonly string[] {
  if (agent === undefined) return ['public']
  return [
    'public',
    'authenticated',
    `agent ${agent}`,
    ...groups.map(group => `group ${group}`),
    ...(scope?.modes == null ? [] : [`only ${scope.modes.join(',')}`]),
    ...(scope?.within == null ? [] : [`within ${scope.within}`]),
  ]
}

/** Whether the caller uses a key that may do less than its agent. */
export function isScoped({scope}: Principal): boolean {
  return scope !== undefined && (scope.modes !== null || scope.within !== null)
}
