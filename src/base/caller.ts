/**
 * Who asks: what is known of the sender of a request, once its credentials were read.
 *
 * Floor 0. Pure. Settled once per request, before anything answers it (web/caller.ts).
 */

export type Caller = {
  readonly agent: string | undefined // IRI; undefined: nobody known
  readonly groups: readonly string[] // names, as the issuer or the key says them
  readonly means: 'none' | 'token' | 'key' // of proof
}

/** A caller without credentials. */
export const anonymous: Caller = Object.freeze({agent: undefined, groups: Object.freeze([]), means: 'none'})

/**
 * Whom grants can name, that the caller is: `public`, and with credentials `authenticated`, `agent <IRI>` and
 * `group <name>` for each group.
 */
export function granteesOf({agent, groups}: Caller): readonly string[] {
  if (agent === undefined) return ['public']
  return ['public', 'authenticated', `agent ${agent}`, ...groups.map(group => `group ${group}`)]
}
