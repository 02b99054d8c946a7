/**
 * Errors of n3 to Problems, with the offending text and its position.
 *
 * n3 gives the offending token, or only the token before the text that it could not read.
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {bodySyntaxProblem} from './body-text.ts'
import type {N3Token} from './n3-tokens.ts'

export type N3Error = Error & {
  readonly context?: {readonly token?: N3Token | undefined; readonly line: number; readonly previousToken?: N3Token}
}

const lineEnd = /\r\n|\n|\r/g
const blanks = /(?:[ \t\r\n]+|#[^\r\n]*)*/y
const word = /[^\s]*/y

/** @returns Problem 400 `body-syntax` | `language-tag` | `iri-valid` */
export function n3Problem(text: string, error: N3Error): Problem {
  const {token, previousToken} = error.context ?? {}
  if (token === undefined) return unreadable(text, previousToken)
  if (/language tag|languaged-tagged/.test(error.message)) {
    const members = {line: token.line, column: token.start + 1}
    const message = `Not a language tag, or a literal of type rdf:langString without one: "${excerpt(token.value)}"`
    return new Problem(400, 'language-tag', message, {members, cause: error})
  }
  if (error.message.startsWith('Invalid IRI')) {
    const members = {line: token.line, column: token.start + 1}
    return new Problem(400, 'iri-valid', `Not an absolute IRI: <${excerpt(token.value)}>`, {members, cause: error})
  }
  const prefix = /^Undefined prefix "([^"]*)"/.exec(error.message)?.[1]
  if (prefix !== undefined)
    return bodySyntaxProblem(
      text,
      offsetOf(text, token.line, token.start),
      `The prefix "${excerpt(prefix)}" is not declared`,
    )
  return tokenProblem(text, token, error)
}

/** The Problem 400 `body-syntax` for a token that is not allowed at its position. */
export function tokenProblem(text: string, token: N3Token, cause?: unknown): Problem {
  const from = offsetOf(text, token.line, token.start)
  const to = offsetOf(text, token.endLine ?? token.line, token.end)
  return bodySyntaxProblem(
    text,
    from,
    `${expectation(cause)}${token.type === 'eof' ? 'the end' : shown(text.slice(from, to))}`,
  )
}

/** The Problem 400 `body-syntax` for text that is not a token. */
function unreadable(text: string, previous: N3Token | undefined): Problem {
  blanks.lastIndex = previous === undefined ? 0 : offsetOf(text, previous.endLine ?? previous.line, previous.end)
  blanks.test(text)
  const from = blanks.lastIndex
  word.lastIndex = from
  const found = word.exec(text)?.[0] ?? ''
  return bodySyntaxProblem(text, from, found === '' ? 'Unexpected end' : `Unexpected ${shown(found)}`)
}

/** The start of the message: what n3 expected, where its own words are useful to a client. */
function expectation(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : ''
  if (message.startsWith('Expected punctuation')) return 'Expected ".", ";" or ",", found '
  if (message.startsWith('Expected entity')) return 'Expected a term, found '
  return 'Unexpected '
}

function shown(found: string): string {
  return `"${excerpt(found.replaceAll(/["\\]/g, '\\$&'))}"` // escaped, because a token may be a quoted string
}

/**
 * @param line    1-based
 * @param column  0-based, in UTF-16 units
 */
function offsetOf(text: string, line: number, column: number): number {
  lineEnd.lastIndex = 0
  for (let at = 1; at < line && lineEnd.test(text); at++);
  return lineEnd.lastIndex + column
}
