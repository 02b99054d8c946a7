/** Syntax errors of a patch, with their position. */
import {positionAt} from '../base/position.ts'
import {Problem} from '../base/problem.ts'

/** The Problem 400 `patch-syntax` for an error at an offset, with `line` and `column`. */
export function patchSyntaxProblem(text: string, offset: number, message: string): Problem {
  return new Problem(400, 'patch-syntax', message, {members: positionAt(text, offset)})
}
