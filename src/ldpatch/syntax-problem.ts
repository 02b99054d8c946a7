/**
 * The problem of a patch that cannot be read, with its place.
 *
 * Floor 2. Pure.
 */
import {positionAt} from '../base/position.ts'
import {Problem} from '../base/problem.ts'

/** What is wrong at an offset: a 400 with the place. */
export function syntaxProblem(text: string, offset: number, message: string): Problem {
  return new Problem(400, 'patch-syntax', message, {members: positionAt(text, offset)})
}
