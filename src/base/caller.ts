/**
 * Who asks: what is known of the sender of a request, once its credentials were read.
 *
 * Floor 0. Pure. Settled once per request, before anything answers it (web/caller.ts).
 */

export type Caller = {
  readonly agent: string | undefined // IRI; undefined: nobody known
  readonly groups: readonly string[] // names, as the issuer or the key says them
  readonly means: 'none' | 'token' | 'key' // of proof
  readonly scope?: Scope // of a key
  readonly expires?: Date | undefined // of a key
}

/** What a key may do at most. */
export type Scope = {
  readonly modes: readonly string[] | null // null: all that its agent may do
  readonly within: string | null // IRI of the document to which it is confined, with all below it; null: none
}

/** A caller without credentials. */
export const anonymous: Caller = Object.freeze({agent: undefined, groups: Object.freeze([]), means: 'none'})

/**
 * The caller as the database is told: the grantees that it is (`public`, and with credentials `authenticated`,
 * `agent <IRI>` and `group <name>` for each group), and the scope of its key (`only <mode>,<mode>` and `within <IRI>`),
 * which no grant can name.
 */
export function granteesOf({agent, groups, scope}: Caller): readonly string[] {
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

/** Whether the caller has a key that may do less than its agent. */
export function isScoped({scope}: Caller): boolean {
  return scope !== undefined && (scope.modes !== null || scope.within !== null)
}
