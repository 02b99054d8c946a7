/**
 * Message and members of a Problem about a place in a text of SPARQL.
 *
 * Pure.
 */
import {positionAt} from '../../base/position.ts'
import type {ProblemMembers, ProblemOptions} from '../../base/problem.ts'

/**
 * The last two arguments of a Problem, with line and column.
 *
 * @param at        offset in UTF-16 units; undefined if the place is unknown
 * @param sentence  without its full stop
 */
export function placed(
  text: string,
  at: number | undefined,
  sentence: string,
  members: ProblemMembers = {},
): [message: string, options: ProblemOptions] {
  if (at === undefined) return [`${sentence}.`, {members}]
  const {line, column} = positionAt(text, at)
  return [`${sentence}, at line ${line}, column ${column}.`, {members: {...members, line, column}}]
}
