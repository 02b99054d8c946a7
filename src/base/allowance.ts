/** Counts bytes held for callers, within a limit for each caller and a limit in total. */

export type AllowanceLimits = {
  readonly callerBytes: number // of one caller
  readonly totalBytes: number
}

export type Allowance = {
  /**
   * Counts more bytes.
   *
   * @param caller  undefined: the bytes count only towards the total
   * @returns       the limit that the bytes would exceed, in which case they are not counted; otherwise undefined
   */
  readonly take: (caller: string | undefined, bytes: number) => 'caller' | 'total' | undefined
  readonly give: (caller: string | undefined, bytes: number) => void
  readonly heldBytes: () => number
}

export function createAllowance({callerBytes, totalBytes}: AllowanceLimits): Allowance {
  const callers = new Map<string, number>() // caller → bytes, if not 0
  let held = 0

  const ofCaller = (caller: string | undefined) => (caller === undefined ? 0 : (callers.get(caller) ?? 0))
  function count(caller: string | undefined, bytes: number): void {
    held += bytes
    if (caller === undefined) return
    const rest = ofCaller(caller) + bytes
    if (rest === 0) callers.delete(caller)
    else callers.set(caller, rest)
  }

  return {
    take(caller, bytes) {
      if (ofCaller(caller) + bytes > callerBytes) return 'caller'
      if (held + bytes > totalBytes) return 'total'
      count(caller, bytes)
      return undefined
    },
    give: (caller, bytes) => count(caller, -bytes),
    heldBytes: () => held,
  }
}
