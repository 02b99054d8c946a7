/**
 * A Content-Type value to its essence and parameters.
 *
 * Pure. Knows no media type by name; format/registry.ts does.
 * Source: RFC 9110 §8.3.1 (media-type), §5.6.6 (parameters).
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {isToken, readParameter, splitOutsideQuotes} from './field.ts'
import {memoize} from './memo.ts'

export type MediaType = {
  readonly essence: string // type/subtype in lower case
  readonly parameters: ReadonlyMap<string, string> // name in lower case → value; the first of a name counts
}

/**
 * Reads one media type, such as `text/turtle; charset="utf-8"`.
 *
 * Empty parameters (`text/turtle;`) are skipped, as RFC 9110 §5.6.6 allows.
 *
 * @throws  Problem 400 `content-type-syntax`
 */
export const readMediaType: (value: string) => MediaType = memoize(value => {
  const [essence = '', ...rest] = splitOutsideQuotes(value, ';')
  if (!isEssence(essence)) throw malformed(value)
  const parameters = new Map<string, string>()
  for (const text of rest) {
    if (text === '') continue
    const parameter = text.includes('=') ? readParameter(text) : undefined
    if (parameter === undefined) throw malformed(value)
    if (!parameters.has(parameter.name)) parameters.set(parameter.name, parameter.value)
  }
  return {essence: essence.toLowerCase(), parameters}
})

/** The essence of a Content-Type that is not checked here, in lower case; empty if there is none. */
export function essenceOf(value = ''): string {
  const end = value.indexOf(';')
  return (end === -1 ? value : value.slice(0, end)).trim().toLowerCase()
}

/** Whether the text is `type/subtype`, both tokens. */
export function isEssence(text: string): boolean {
  const slash = text.indexOf('/')
  return slash !== -1 && isToken(text.slice(0, slash)) && isToken(text.slice(slash + 1))
}

function malformed(value: string): Problem {
  return new Problem(400, 'content-type-syntax', `Content-Type is not a media type: "${excerpt(value)}"`)
}
