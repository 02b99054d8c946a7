/**
 * The bytes of a body to text, and offsets in the text to line and column.
 *
 * Pure. Invalid UTF-8 is an error: nothing is replaced by U+FFFD.
 * Sources: RFC 3629 (UTF-8); decision 0006.
 */
import {positionAt} from '../base/position.ts'
import {Problem} from '../base/problem.ts'

/** Decodes UTF-8 and removes a byte order mark. @throws Problem 400 `body-encoding` */
export function decodeBody(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(body)
  } catch (cause) {
    throw new Problem(400, 'body-encoding', 'The body is not UTF-8.', {cause})
  }
}

/** The Problem 400 `body-syntax` for a syntax error at an offset, with `line` and `column`. */
export function bodySyntaxProblem(text: string, offset: number, message: string): Problem {
  const members = positionAt(text, offset)
  return new Problem(400, 'body-syntax', `${message} (line ${members.line}, column ${members.column})`, {members})
}
