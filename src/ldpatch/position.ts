/**
 * Offsets in a patch to lines and columns, and the problem of a patch that cannot be read.
 *
 * Floor 2. Pure.
 */
import {Problem} from '../base/problem.ts'

export type Position = {readonly line: number; readonly column: number} // both 1-based; columns count UTF-16 units

/** A line ends with LF, CR LF or CR. */
export function positionAt(text: string, offset: number): Position {
  let line = 1
  let lineStart = 0
  const lineEnd = /\r\n|\n|\r/g
  for (let match = lineEnd.exec(text); match !== null && lineEnd.lastIndex <= offset; match = lineEnd.exec(text)) {
    line++
    lineStart = lineEnd.lastIndex
  }
  return {line, column: offset - lineStart + 1}
}

/** What is wrong at an offset: a 400 with the place. */
export function syntaxProblem(text: string, offset: number, message: string): Problem {
  return new Problem(400, 'patch-syntax', message, {members: positionAt(text, offset)})
}
