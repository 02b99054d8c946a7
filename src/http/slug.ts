/**
 * A Slug header to one path segment in the normal form of URIs.
 *
 * Floor 2. Pure. Whether the URI is free is for the store to say.
 * Sources: RFC 5023 §9.7 (percent-encoded UTF-8); RFC 3986 §3.3 (segment); decisions, row "Slug odd".
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {trimBlanks} from './field.ts'
import {decodeUtf8, percentDecode, percentEncode} from './percent.ts'

const byteLimit = 255 // UTF-8 bytes of the decoded name: what file systems and exports can hold
const reserved = ['.system', '.well-known'] // the service's own documents; RFC 8615
const notSegment = /[^A-Za-z0-9._~!$&'()*+;=:@-]+/gu // pchar without the comma: clients cut Location at commas

/**
 * Reads the Slug fields of one request.
 *
 * Escapes are resolved as UTF-8, the name is brought to NFC, blanks around it and one `/` at its end are dropped
 * (existing clients send `comments/`), and what a segment may not hold is percent-encoded. A `%` that starts no escape
 * stands for itself: RFC 5023 wants it escaped, but a slug is a hint, so `100% sure` is taken by its meaning. Raw bytes
 * above ASCII are read as UTF-8, else as Latin-1.
 *
 * @param values  each Slug field as Node has it (one character a byte); not joined
 * @returns       undefined when there is no Slug field
 * @throws        Problem 400 `slug-single` or `slug-usable`
 */
export function readSlug(values: readonly string[]): string | undefined {
  const [value, ...others] = values
  if (value === undefined) return undefined
  if (others.length > 0) throw new Problem(400, 'slug-single', `One Slug header is allowed, got ${values.length}`)
  const decoded = percentDecode(rawText(value))
  if (decoded === undefined) throw unusable(value, 'its escapes are not UTF-8')
  const name = trimBlanks(trimBlanks(decoded).replace(/\/$/, '')).normalize('NFC')
  const reason = reasonAgainst(name)
  if (reason !== undefined) throw unusable(value, reason)
  return percentEncode(name, notSegment)
}

/** Raw bytes above ASCII as the text they were meant to be. */
function rawText(value: string): string {
  if (!/[\u0080-\u00FF]/.test(value) || /[^\u0000-\u00FF]/.test(value)) return value
  return decodeUtf8(Buffer.from(value, 'latin1')) ?? value
}

function reasonAgainst(name: string): string | undefined {
  if (name === '') return 'it is empty'
  if (name === '.' || name === '..') return 'it is a dot segment'
  if (name.includes('/')) return 'it holds a slash'
  if (/\p{Cc}/u.test(name)) return 'it holds a control character'
  if (/\p{Surrogate}/u.test(name)) return 'it holds half a character'
  if (reserved.includes(name.toLowerCase())) return 'the name is reserved'
  return Buffer.byteLength(name) > byteLimit ? `it is longer than ${byteLimit} bytes` : undefined
}

function unusable(value: string, reason: string): Problem {
  return new Problem(400, 'slug-usable', `The Slug "${excerpt(value)}" cannot be used: ${reason}`)
}
