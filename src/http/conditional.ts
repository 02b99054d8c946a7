/**
 * Conditional request headers to a verdict on the request.
 *
 * Pure. Knows the syntax of the fields and the order of evaluation. The caller passes the validators.
 * Sources: RFC 9110 §8.8.3 (entity tags), §13.1 (fields), §13.2.2 (precedence).
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {parseHttpDate} from './date.ts'
import {trimBlanks} from './field.ts'

export type EntityTag = {readonly isWeak: boolean; readonly opaque: string} // opaque: without its quotes

/** The value of If-Match or If-None-Match. */
export type TagCondition = '*' | readonly EntityTag[]

export type Preconditions = {
  readonly ifMatch: TagCondition | undefined
  readonly ifNoneMatch: TagCondition | undefined
  readonly ifModifiedSinceMs: number | undefined // since 1970
  readonly ifUnmodifiedSinceMs: number | undefined
}

/** The current state: every validator that a client may have, of the representation (reads) or document (writes). */
export type CurrentState = {readonly tags: readonly EntityTag[]; readonly lastModifiedMs?: number | undefined}

export type Verdict = 'proceed' | 'not-modified' | 'precondition-failed'

/** Field values by lower-case name, as Node gives them: several fields of one name are joined by commas. */
export type ConditionalHeaders = {
  readonly 'if-match'?: string | undefined
  readonly 'if-none-match'?: string | undefined
  readonly 'if-modified-since'?: string | undefined
  readonly 'if-unmodified-since'?: string | undefined
}

/** An entity tag. Blanks within the quotes are accepted, though no tag has them: such a tag does not match. */
const opaqueSyntax = /(W\/)?"([\t !#-~\u0080-\u00FF]*)"/y
const separator = /[ \t]*(?:,[ \t]*)+/y

export function strongTag(opaque: string): EntityTag {
  return {isWeak: false, opaque}
}

export function weakTag(opaque: string): EntityTag {
  return {isWeak: true, opaque}
}

/** Writes an ETag field value: `"abc"` or `W/"abc"`. */
export function formatTag({isWeak, opaque}: EntityTag): string {
  return `${isWeak ? 'W/' : ''}"${opaque}"`
}

/** Strong comparison, for If-Match (RFC 9110 §8.8.3.2): a weak tag matches nothing, not even itself. */
export function matchesStrongly(tag: EntityTag, current: readonly EntityTag[]): boolean {
  return !tag.isWeak && current.some(other => !other.isWeak && other.opaque === tag.opaque)
}

/** Weak comparison, for If-None-Match: the opaque parts are equal. */
export function matchesWeakly(tag: EntityTag, current: readonly EntityTag[]): boolean {
  return current.some(other => other.opaque === tag.opaque)
}

/**
 * Reads the four conditional fields of a request.
 *
 * An empty If-None-Match counts as absent, because a client in use sends one to bypass its cache. An empty If-Match is
 * an error: a client whose variable was empty must not write without the precondition that it intended. An invalid HTTP
 * date is ignored (RFC 9110 §13.1.3, §13.1.4).
 *
 * @param nowMs  for dates with two-digit years
 * @throws       Problem 400 `etag-syntax`
 */
export function readPreconditions(headers: ConditionalHeaders, nowMs: number): Preconditions {
  const ifNoneMatch = trimBlanks(headers['if-none-match'] ?? '')
  return {
    ifMatch: headers['if-match'] === undefined ? undefined : readTags('If-Match', headers['if-match']),
    ifNoneMatch: ifNoneMatch === '' ? undefined : readTags('If-None-Match', ifNoneMatch),
    ifModifiedSinceMs: parseHttpDate(headers['if-modified-since'] ?? '', nowMs),
    ifUnmodifiedSinceMs: parseHttpDate(headers['if-unmodified-since'] ?? '', nowMs),
  }
}

/** Reads `*` or a list of tags. A tag may contain commas, so the list is read tag by tag. */
function readTags(field: 'If-Match' | 'If-None-Match', value: string): TagCondition {
  const text = trimBlanks(value)
  if (text === '*') return '*'
  const tags: EntityTag[] = []
  let position = skip(separator, text, 0)
  while (position < text.length) {
    opaqueSyntax.lastIndex = position
    const [whole, weak, opaque = ''] = opaqueSyntax.exec(text) ?? []
    if (whole === undefined) throw malformed(field, value)
    tags.push({isWeak: weak !== undefined, opaque})
    const end = position + whole.length
    position = skip(separator, text, end)
    if (position === end && end < text.length) throw malformed(field, value)
  }
  if (tags.length === 0) throw malformed(field, value)
  return tags
}

/** The position after the match of a sticky pattern at `position`; `position` itself if there is no match. */
function skip(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position
  return pattern.test(text) ? pattern.lastIndex : position
}

function malformed(field: string, value: string): Problem {
  const message = `${field} must be * or a list of quoted entity tags: "${excerpt(value)}"`
  return new Problem(400, 'etag-syntax', message)
}

/**
 * Evaluates the preconditions of a request, in the order of RFC 9110 §13.2.2.
 *
 * @param state   undefined if there is no document
 * @param method  upper case; CONNECT, OPTIONS and TRACE have no preconditions (§13.2.1)
 */
export function evaluatePreconditions(
  preconditions: Preconditions,
  state: CurrentState | undefined,
  method: string,
): Verdict {
  if (method === 'CONNECT' || method === 'OPTIONS' || method === 'TRACE') return 'proceed'
  const {ifMatch, ifNoneMatch, ifModifiedSinceMs} = preconditions
  const isRead = method === 'GET' || method === 'HEAD'
  if (ifMatch !== undefined ? !holdsOne(ifMatch, state, matchesStrongly) : isModified(preconditions, state))
    return 'precondition-failed'
  if (ifNoneMatch !== undefined && holdsOne(ifNoneMatch, state, matchesWeakly))
    return isRead ? 'not-modified' : 'precondition-failed'
  if (ifNoneMatch === undefined && isRead && isUnchangedSince(ifModifiedSinceMs, state)) return 'not-modified'
  return 'proceed'
}

function holdsOne(condition: TagCondition, state: CurrentState | undefined, matches: typeof matchesWeakly): boolean {
  if (state === undefined) return false
  return condition === '*' || condition.some(tag => matches(tag, state.tags))
}

function isModified({ifUnmodifiedSinceMs}: Preconditions, state: CurrentState | undefined): boolean {
  if (ifUnmodifiedSinceMs === undefined || state?.lastModifiedMs === undefined) return false
  return !isUnchangedSince(ifUnmodifiedSinceMs, state)
}

/** Whether the last change, truncated to whole seconds as in a Last-Modified field, is not after the time. */
function isUnchangedSince(timeMs: number | undefined, state: CurrentState | undefined): boolean {
  if (timeMs === undefined || state?.lastModifiedMs === undefined) return false
  return Math.floor(state.lastModifiedMs / 1000) * 1000 <= timeMs
}
