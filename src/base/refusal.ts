/**
 * What keeps the program from starting: a sentence for the operator, printed without a stack.
 *
 * Floor 0. A Problem is for clients, a Refusal for whoever typed the command; anything else that is thrown is a
 * fault of ours.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly exitCode: number

  /**
   * @param message   one or more sentences with the offending value and, where known, what to do
   * @param exitCode  1; 78 (EX_CONFIG of sysexits.h) when a setting is at fault
   */
  constructor(message: string, options: {readonly exitCode?: number; readonly cause?: unknown} = {}) {
    super(message, options.cause === undefined ? undefined : {cause: options.cause})
    this.exitCode = options.exitCode ?? 1
  }
}
