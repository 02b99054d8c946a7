/**
 * Limits of what one answer may hold in memory.
 */
import {Problem} from '../base/problem.ts'

export type HeldLimits = {
  readonly bytes: number // of the terms of a batch
  readonly items: number // resources of a DESCRIBE; documents whose checksums come at the end
}

export const defaultHeldLimits: HeldLimits = {bytes: 2 ** 26, items: 250_000}

export function heldLimitsOf({heldLimits}: {readonly heldLimits?: HeldLimits | undefined}): HeldLimits {
  return heldLimits ?? defaultHeldLimits
}

export function tooLong({bytes}: HeldLimits): Problem {
  const message = `The values of one solution, or of a piece of a graph, are longer than ${bytes} bytes.`
  return new Problem(422, 'result-size', message, {members: {limitBytes: bytes}})
}

/** @param what  the name of the items, in the plural */
export function tooMany(what: string, {items}: HeldLimits): Problem {
  return new Problem(422, 'result-size', `The result is about more than ${items} ${what}: ask for less at a time.`, {
    members: {limit: items},
  })
}
