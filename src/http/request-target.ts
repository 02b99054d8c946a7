/**
 * A request target to a path in normal form and a query.
 *
 * Floor 2. Pure. Two targets that RFC 3986 calls equal by case and escapes come out as one path, so they find the same
 * document; paths that a proxy and we could read differently are refused rather than repaired.
 * Sources: RFC 9112 §3.2; RFC 3986 §3.3, §6.2.2; decisions, rows "`//`, `.`/`..`" and "URI without trailing `/`".
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {normaliseEscapes} from './percent.ts'

export type RequestTarget = {
  readonly path: string // starts with '/', in normal form; '*' for the server itself (OPTIONS *)
  readonly query: string | undefined // without its '?', as written
}

export type TargetOptions = {readonly limitBytes?: number}

const defaultLimitBytes = 8000 // RFC 9110 §4.1 recommends to support at least this
const plainPath = /^(?:\/[A-Za-z0-9_~!$&'()*+,;=:@-][A-Za-z0-9_~!$&'()*+,;=:@.-]*)*\/?$/
const absoluteForm = /^https?:\/\/[^/?#]+/i
const notInPath = /[^A-Za-z0-9._~!$&'()*+,;=:@/%-]/
const notInQuery = /[^!"$-~]/ // browsers leave { } | ^ ` [ ] and quotes as they are
const badEscape = /%(?![0-9A-Fa-f]{2})/
const controlEscape = /%(?:[01][0-9A-Fa-f]|7[Ff])/
const dotSegment = /\/\.\.?(?:\/|$)/

/**
 * Reads the target of a request line: origin form, absolute form (its path counts) or `*`.
 *
 * In the path, unreserved characters are unescaped and hexadecimal digits come in upper case.
 *
 * @param target  one character a byte, as Node's `request.url`
 * @throws        Problem 414 `uri-length`; 400 `uri-valid`: empty or dot segments (also escaped ones), characters a
 *                URI may not hold, broken escapes, escaped control characters, escapes that are not UTF-8
 */
export function readRequestTarget(target: string, {limitBytes = defaultLimitBytes}: TargetOptions = {}): RequestTarget {
  if (target.length > limitBytes)
    throw new Problem(414, 'uri-length', `The URI has ${target.length} bytes; ${limitBytes} are allowed`)
  if (target === '*') return {path: '*', query: undefined}
  const local = target.startsWith('/') ? target : target.replace(absoluteForm, '')
  if (local !== target && !URL.canParse(target)) throw invalid(target, 'it is no URL')
  const mark = local.indexOf('?')
  const path = (mark === -1 ? local : local.slice(0, mark)) || (local === target ? '' : '/')
  const query = mark === -1 ? undefined : local.slice(mark + 1)
  return {path: plainPath.test(path) && path !== '' ? path : normalPath(path), query: query && checkedQuery(query)}
}

function normalPath(path: string): string {
  if (!path.startsWith('/')) throw invalid(path, 'it does not start with a slash')
  if (notInPath.test(path)) throw invalid(path, 'it holds a character that must be percent-encoded')
  checkEscapes(path)
  const normal = normaliseEscapes(path)
  if (normal.includes('//')) throw invalid(path, 'it holds an empty segment')
  if (dotSegment.test(normal)) throw invalid(path, 'it holds a dot segment')
  return normal
}

function checkedQuery(query: string): string {
  if (notInQuery.test(query)) throw invalid(query, 'the query holds a character that must be percent-encoded')
  checkEscapes(query, /%00/)
  return query
}

function checkEscapes(text: string, forbidden = controlEscape): void {
  if (!text.includes('%')) return
  if (badEscape.test(text)) throw invalid(text, 'it holds a % that starts no escape')
  if (forbidden.test(text)) throw invalid(text, 'it holds an escaped control character')
  try {
    decodeURIComponent(text)
  } catch {
    throw invalid(text, 'its escapes are not UTF-8')
  }
}

function invalid(text: string, reason: string): Problem {
  return new Problem(400, 'uri-valid', `The URI "${excerpt(text)}" is not valid: ${reason}`)
}
