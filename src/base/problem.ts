/**
 * The one error shown to clients: a status, the name of the broken rule and a sentence with the offending value.
 *
 * Every rule is listed in docs/errors.md; test/house/errors.test.ts compares the list with the code.
 * Sources: RFC 9457 (problem details), RFC 9110 §15.
 */

/** Further members of the problem document (RFC 9457 §3.2); their names and shapes are in docs/errors.md. */
export type ProblemMembers = {
  readonly line?: number // 1-based
  readonly column?: number // 1-based
  readonly [name: string]: unknown
}

export type ProblemOptions = {
  readonly members?: ProblemMembers
  readonly headers?: Readonly<Record<string, string>> // of the response: Allow, Accept-Post, Retry-After …
  readonly cause?: unknown
}

export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  readonly rule: string
  readonly members: ProblemMembers
  readonly headers: Readonly<Record<string, string>>

  /**
   * @param status   HTTP status, 400–599
   * @param rule     kebab-case name of the rule, the same in src, sql, test and docs/errors.md
   * @param message  one sentence for people, with the offending value
   */
  constructor(status: number, rule: string, message: string, options: ProblemOptions = {}) {
    super(message, options.cause === undefined ? undefined : {cause: options.cause})
    this.status = status
    this.rule = rule
    this.members = options.members ?? {}
    this.headers = options.headers ?? {}
  }
}

/** Whether an error passes by itself, as while the database is not available. Work in the background then waits. */
export function isPassing(error: unknown): boolean {
  return error instanceof Problem && error.status === 503
}
