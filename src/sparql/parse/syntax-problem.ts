/**
 * The message of a Problem about a place in a query: a sentence with line and column.
 *
 * Pure. The caller creates the Problem, because it knows the rule.
 */
import {positionAt} from '../../base/position.ts'
import type {ProblemOptions} from '../../base/problem.ts'

/**
 * The message and members of a Problem about a place.
 *
 * @param sentence  without its full stop
 * @param offset    into the client's text, in UTF-16 units from 0; undefined if the place is unknown
 */
export function syntaxProblem(
  sentence: string,
  text: string,
  offset: number | undefined,
  cause?: unknown,
): {readonly message: string; readonly options: ProblemOptions} {
  if (offset === undefined) return {message: `${sentence}.`, options: {cause}}
  const {line, column} = positionAt(text, offset)
  return {message: `${sentence}, at line ${line}, column ${column}.`, options: {members: {line, column}, cause}}
}
