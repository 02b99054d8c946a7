/**
 * API keys as JSON: reads the request for a new key and writes the listing of existing ones.
 *
 * docs/security.md, Authentication, describes the form.
 */
import {excerpt, excerptOfJson} from '../base/excerpt.ts'
import {readInstant} from '../base/instant.ts'
import {Problem} from '../base/problem.ts'
import {type Mode, modes} from '../db/store/caller.ts'
import type {ListedKey} from '../db/store/keys.ts'
import {isAbsoluteIri} from '../rdf/iri.ts'

export type KeyRequest = {
  readonly name: string
  readonly agent: string | undefined // undefined: the caller
  readonly groups: readonly string[]
  readonly modes: readonly Mode[] | null // null: all modes of the agent
  readonly within: string | null // IRI of a document: the key is valid for its subtree only; null: everywhere
  readonly expires: Date | null // null: never
}

const known = ['name', 'agent', 'groups', 'modes', 'within', 'expires']
const nameLimit = 200 // characters
const iriLimit = 1900 // bytes; `agent <IRI>` must fit into a grantee, which has at most 2000
const groupsLimit = 200

/**
 * Reads the JSON body that asks for a new key.
 *
 * @throws  Problem 400 `key-shape`
 */
export function readKeyRequest(body: unknown): KeyRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw shape('it is not a JSON object')
  const given = body as Readonly<Record<string, unknown>>
  const unknown = Object.keys(given).find(name => !known.includes(name))
  // Ignoring a misspelt `modes` or `within` would make a key without a scope.
  if (unknown !== undefined) throw shape(`"${excerpt(unknown)}" is not one of ${known.join(', ')}`)
  const {name = ''} = given
  if (!isText(name) || name.length > nameLimit)
    throw shape(`"name" must be a string of at most ${nameLimit} characters`)
  return {
    name,
    agent: readIri(given, 'agent') ?? undefined,
    groups: readGroups(given.groups),
    modes: readKeyModes(given.modes),
    within: readIri(given, 'within'),
    expires: readKeyExpiry(given.expires),
  }
}

function readIri(given: Readonly<Record<string, unknown>>, name: 'agent' | 'within'): string | null {
  const value = given[name] ?? null
  if (value === null) return null
  if (!isText(value) || !isAbsoluteIri(value) || /\s/.test(value) || Buffer.byteLength(value) > iriLimit)
    throw shape(`"${name}" must be an absolute IRI, not ${excerptOfJson(value)}`)
  return value
}

function readGroups(value: unknown = []): readonly string[] {
  if (!Array.isArray(value) || value.length > groupsLimit || !value.every(one => isText(one) && one !== ''))
    throw shape(`"groups" must be an array of at most ${groupsLimit} names`)
  return value
}

function readKeyModes(value: unknown = null): readonly Mode[] | null {
  if (value === null) return null
  const isMode = (one: unknown): one is Mode => modes.some(mode => mode === one)
  if (!Array.isArray(value) || value.length === 0 || !value.every(isMode))
    throw shape(`"modes" must be an array of one or more of ${modes.join(', ')}`)
  return [...new Set(value)]
}

function readKeyExpiry(value: unknown = null): Date | null {
  if (value === null) return null
  const expires = typeof value === 'string' ? readInstant(value) : undefined
  if (expires === undefined) throw shape(`"expires" must be a time with a time zone, not ${excerptOfJson(value)}`)
  return expires
}

/** Whether a value is a string that PostgreSQL can store: no U+0000, no lone surrogate. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && !/\p{Surrogate}/u.test(value)
}

function shape(reason: string): Problem {
  return new Problem(400, 'key-shape', `The request for a key is not valid: ${reason}.`)
}

/** A key as JSON, without the fields that it lacks. The secret is never included: only its hash is stored. */
export function showKey(key: ListedKey): Readonly<Record<string, unknown>> {
  return {
    id: key.id,
    name: key.name,
    agent: key.agent,
    groups: key.groups,
    ...(key.modes === null ? {} : {modes: key.modes}),
    ...(key.within === null ? {} : {within: key.within}),
    created: key.created,
    ...(key.expires === null ? {} : {expires: key.expires}),
    ...(key.is_expired ? {expired: true} : {}),
    ...(key.last_used === null ? {} : {lastUsed: key.last_used}),
  }
}
