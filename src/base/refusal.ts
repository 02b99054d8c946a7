/**
 * An error for the operator that ends the program or prevents its start: a sentence, printed without a stack.
 *
 * A Problem is for clients, a Refusal for the person who typed the command. Any other error is a fault of ours.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly exitCode: number

  /**
   * @param message   one or more sentences with the offending value and, if known, what to do
   * @param options   `exitCode`: by default 1; 78 (EX_CONFIG of sysexits.h) if a setting is wrong
   */
  constructor(message: string, options: {readonly exitCode?: number; readonly cause?: unknown} = {}) {
    super(message, options.cause === undefined ? undefined : {cause: options.cause})
    this.exitCode = options.exitCode ?? 1
  }
}
