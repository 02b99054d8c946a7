/**
 * A Slug header to one path segment in the normal form of URIs.
 *
 * Pure. The store decides whether the URI is free.
 * Sources: RFC 5023 §9.7 (percent-encoded UTF-8); RFC 3986 §3.3 (segment); docs/interface.md, Creating.
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {trimBlanks} from './field.ts'
import {decodeUtf8, percentDecode, percentEncode} from './percent.ts'

const byteLimit = 255 // UTF-8 bytes of the decoded name: the limit of file systems, so exports can use the name
const reserved = ['.system', '.well-known'] // the service's own documents; RFC 8615
const notSegment = /[^A-Za-z0-9._~!$&'()*+;=:@-]+/gu // pchar without the comma: clients split Location at commas

/**
 * Reads the Slug fields of one request.
 *
 * Escapes are decoded as UTF-8. White space around the name and one final `/` are removed (clients in use send
 * `comments/`). The name is normalised to NFC, and characters that a segment may not contain are percent-encoded. A `%`
 * that does not start an escape stands for itself: RFC 5023 requires an escape, but a slug is a hint, and the meaning
 * of `100% sure` is clear. Raw bytes beyond ASCII are read as UTF-8, otherwise as Latin-1.
 *
 * @param values  each Slug field as Node gives it (one character for each byte), not joined
 * @returns       undefined if there is no Slug field
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

/** Decodes raw bytes beyond ASCII, if the value has any: as UTF-8, otherwise as Latin-1. */
function rawText(value: string): string {
  if (!/[\u0080-\u00FF]/.test(value) || /[^\u0000-\u00FF]/.test(value)) return value
  return decodeUtf8(Buffer.from(value, 'latin1')) ?? value
}

function reasonAgainst(name: string): string | undefined {
  if (name === '') return 'it is empty'
  if (name === '.' || name === '..') return 'it is a dot segment'
  if (name.includes('/')) return 'it contains a slash'
  if (/\p{Cc}/u.test(name)) return 'it contains a control character'
  if (/\p{Surrogate}/u.test(name)) return 'it contains half a surrogate pair'
  if (reserved.includes(name.toLowerCase())) return 'the name is reserved'
  return Buffer.byteLength(name) > byteLimit ? `it is longer than ${byteLimit} bytes` : undefined
}

function unusable(value: string, reason: string): Problem {
  return new Problem(400, 'slug-usable', `The Slug "${excerpt(value)}" cannot be used: ${reason}`)
}
