/**
 * A request target to a normalised path and a query.
 *
 * Pure. Targets that differ only in needless escapes or the case of escapes give the same path (RFC 3986 §6.2.2), so
 * they find the same document. A path that a proxy could read differently is refused, not repaired.
 * Sources: RFC 9112 §3.2; RFC 3986 §3.3, §6.2.2; docs/interface.md, Documents (paths).
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {normaliseEscapes} from './percent.ts'

export type RequestTarget = {
  readonly path: string // starts with '/', in normal form; '*' for the server itself (OPTIONS *)
  readonly query: string | undefined // without the '?', as written
}

export type TargetOptions = {readonly limitBytes?: number}

const defaultLimitBytes = 8000 // the minimum that RFC 9110 §4.1 recommends
const plainPath = /^(?:\/[A-Za-z0-9_~!$&'()*+,;=:@-][A-Za-z0-9_~!$&'()*+,;=:@.-]*)*\/?$/
const absoluteForm = /^https?:\/\/[^/?#]+/i
const notInPath = /[^A-Za-z0-9._~!$&'()*+,;=:@/%-]/
const notInQuery = /[^!"$-~]/ // allows { } | ^ ` [ ] and quotes, which browsers do not escape
const badEscape = /%(?![0-9A-Fa-f]{2})/
const controlEscape = /%(?:[01][0-9A-Fa-f]|7[Ff])/
const dotSegment = /\/\.\.?(?:\/|$)/

/**
 * Reads the target of a request line: origin form, absolute form (its path counts) or `*`.
 *
 * In the path, unreserved characters are unescaped and the hexadecimal digits of escapes are in upper case.
 *
 * @param target  one character for each byte, as Node's `request.url`
 * @throws        Problem 414 `uri-length`; 400 `uri-valid`: empty or dot segments (also escaped ones), characters that
 *                a URI may not contain, incomplete escapes, escaped control characters, escapes that are not UTF-8
 */
export function readRequestTarget(target: string, {limitBytes = defaultLimitBytes}: TargetOptions = {}): RequestTarget {
  if (target.length > limitBytes)
    throw new Problem(414, 'uri-length', `The URI has ${target.length} bytes; ${limitBytes} are allowed`)
  if (target === '*') return {path: '*', query: undefined}
  const local = target.startsWith('/') ? target : target.replace(absoluteForm, '')
  if (local !== target && !URL.canParse(target)) throw invalid(target, 'it is not a URL')
  const mark = local.indexOf('?')
  const path = (mark === -1 ? local : local.slice(0, mark)) || (local === target ? '' : '/')
  const query = mark === -1 ? undefined : local.slice(mark + 1)
  return {path: plainPath.test(path) && path !== '' ? path : normalPath(path), query: query && checkedQuery(query)}
}

function normalPath(path: string): string {
  if (!path.startsWith('/')) throw invalid(path, 'it does not start with a slash')
  if (notInPath.test(path)) throw invalid(path, 'it contains a character that must be percent-encoded')
  checkEscapes(path)
  const normal = normaliseEscapes(path)
  if (normal.includes('//')) throw invalid(path, 'it contains an empty segment')
  if (dotSegment.test(normal)) throw invalid(path, 'it contains a dot segment')
  return normal
}

function checkedQuery(query: string): string {
  if (notInQuery.test(query)) throw invalid(query, 'the query contains a character that must be percent-encoded')
  checkEscapes(query, /%00/)
  return query
}

function checkEscapes(text: string, forbidden = controlEscape): void {
  if (!text.includes('%')) return
  if (badEscape.test(text)) throw invalid(text, 'it contains a % that does not start an escape')
  if (forbidden.test(text)) throw invalid(text, 'it contains an escaped control character')
  try {
    decodeURIComponent(text)
  } catch {
    throw invalid(text, 'its escapes are not UTF-8')
  }
}

function invalid(text: string, reason: string): Problem {
  return new Problem(400, 'uri-valid', `The URI "${excerpt(text)}" is not valid: ${reason}`)
}
