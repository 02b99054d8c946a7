/**
 * The header field Idempotency-Key.
 *
 * Pure. Source: draft-ietf-httpapi-idempotency-key-header-07 §2.1; RFC 9651 §3.3.3 (strings).
 */
import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {unquote} from './field.ts'

const quoted = /^"(?:[ !#-[\]-~]|\\["\\]){1,255}"$/
const bare = /^[A-Za-z0-9._~:+/=-]{1,255}$/ // as many clients send it

/**
 * Reads the key: a string in quotes, or a bare word, which means the same.
 *
 * @param values  field values as received
 * @returns       undefined if there is none
 * @throws        Problem 400 `idempotency-syntax`
 */
export function readIdempotencyKey(values: readonly string[]): string | undefined {
  const [value, ...others] = values
  if (value === undefined) return undefined
  const key = quoted.test(value) ? unquote(value) : bare.test(value) ? value : undefined
  if (key !== undefined && others.length === 0) return key
  const expected = 'one string in quotes, of 1 to 255 characters of ASCII'
  throw new Problem(400, 'idempotency-syntax', `Idempotency-Key must be ${expected}, not ${excerpt(values.join(', '))}`)
}
