/**
 * Reads and writes grants as JSON, in the form that docs/security.md, Grants, describes.
 */
import {excerpt, excerptOfJson} from '../base/excerpt.ts'
import {readInstant} from '../base/instant.ts'
import {Problem} from '../base/problem.ts'
import {type Mode, modes} from '../db/store/caller.ts'
import type {Grant, ListedGrant} from '../db/store/grants.ts'

export type GrantsBody = {
  readonly grants: readonly Grant[]
  readonly inherits: boolean | undefined // undefined: leave unchanged
}

/**
 * Reads `{"grants": [{"grantee": "agent https://…", "modes": ["read"], "expires": "2027-…Z"}, …], "inherits": true}`.
 *
 * @throws  Problem 400 `grants-shape`
 */
export function readGrantsBody(body: unknown): GrantsBody {
  const {grants, inherits} = fieldsOf(body)
  if (!Array.isArray(grants)) throw grantsShape('"grants" must be an array')
  if (inherits !== undefined && typeof inherits !== 'boolean')
    throw grantsShape(`"inherits" must be true or false, not ${excerptOfJson(inherits)}`)
  const read = grants.map(readGrant)
  const keys = new Set<string>()
  for (const {grantee, expires} of read) {
    const key = `${expires?.getTime()} ${grantee}`
    if (keys.has(key)) throw grantsShape(`"${excerpt(grantee)}" has two grants with the same expiry`)
    keys.add(key)
  }
  return {grants: read, inherits}
}

/**
 * Reads one grant.
 *
 * @throws  Problem 400 `grants-shape`
 */
export function readGrant(value: unknown): Grant {
  const {grantee: given, modes: givenModes, expires: givenExpiry} = fieldsOf(value)
  const grantee = readGrantee(given)
  return {grantee, modes: readModes(givenModes, `"${excerpt(grantee)}"`), expires: readExpiry(givenExpiry)}
}

/** @throws  Problem 400 `grants-shape` */
export function readGrantee(value: unknown): string {
  const isKnown = typeof value === 'string' && /^(?:public|authenticated|agent \S+|group \S.*)$/.test(value)
  if (!isKnown || Buffer.byteLength(value) > 2000 || value.includes('\0') || /\p{Surrogate}/u.test(value))
    throw grantsShape(
      `${excerptOfJson(value)} is not a grantee; expected public, authenticated, agent <IRI> or group <name>`,
    )
  return value
}

/**
 * Reads the modes of a grant, without duplicates.
 *
 * @param whose  names the grantee in the error message
 * @throws       Problem 400 `grants-shape`
 */
export function readModes(value: unknown, whose: string): readonly Mode[] {
  const isMode = (one: unknown): one is Mode => modes.some(mode => mode === one)
  if (!Array.isArray(value) || value.length === 0 || !value.every(isMode))
    throw grantsShape(`the modes of ${whose} must be an array of one or more of ${modes.join(', ')}`)
  return [...new Set(value)]
}

/**
 * Reads the time at which a grant expires.
 *
 * @param value  undefined and null: the grant never expires
 * @throws       Problem 400 `grants-shape`
 */
export function readExpiry(value: unknown): Date | undefined {
  if (value === undefined || value === null) return undefined
  const expires = typeof value === 'string' ? readInstant(value) : undefined
  if (expires === undefined)
    throw grantsShape(`${excerptOfJson(value)} is not a time with a time zone, such as 2027-01-31T00:00:00Z`)
  return expires
}

/** A grant as JSON. `expires` is absent if the grant never expires, `expired` unless it has expired. */
export function showGrant({grantee, modes: given, expires, isExpired}: ListedGrant): Readonly<Record<string, unknown>> {
  return {grantee, modes: given, ...(expires === undefined ? {} : {expires}), ...(isExpired ? {expired: true} : {})}
}

export function grantsShape(reason: string): Problem {
  return new Problem(400, 'grants-shape', `The grants are not valid: ${reason}.`)
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}
