/**
 * Body bytes to text, and offsets in it to the lines and columns that a client sees.
 *
 * Floor 2. Pure.
 * Sources: RFC 3629 (UTF-8); decisions, "literals are stored exactly as written" (so nothing is replaced by U+FFFD).
 */
import {positionAt} from '../base/position.ts'
import {Problem} from '../base/problem.ts'

/** Decodes UTF-8 and takes a byte order mark off. @throws Problem 400 `body-encoding` */
export function decodeBody(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(body)
  } catch (cause) {
    throw new Problem(400, 'body-encoding', 'The body is not UTF-8.', {cause})
  }
}

/** The problem of a body that its grammar does not allow, with the place. */
export function syntaxProblem(text: string, offset: number, message: string): Problem {
  const members = positionAt(text, offset)
  return new Problem(400, 'body-syntax', `${message} (line ${members.line}, column ${members.column})`, {members})
}
