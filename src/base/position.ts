/**
 * Line and column in a text, for errors.
 *
 * Pure.
 */
export type Position = {readonly line: number; readonly column: number} // both 1-based; columns count UTF-16 units

/** The position of an offset. A line ends with LF, CR LF or CR. */
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
