/** Counts what is held for callers (bytes, connections), within a limit for each caller and a limit in total. */

export type AllowanceLimits = {
  readonly callerMax: number // of one caller; Infinity: no limit
  readonly totalMax: number
  readonly within?: Allowance // what is taken here is also taken there, without a caller
}

export type Allowance = {
  /**
   * Counts more.
   *
   * @param caller  undefined: the amount counts only towards the total
   * @returns       the limit that the amount would exceed, in which case it is not counted; otherwise undefined
   */
  readonly take: (caller: string | undefined, amount: number) => 'caller' | 'total' | undefined
  readonly give: (caller: string | undefined, amount: number) => void
  readonly held: () => number // in total
}

export function createAllowance({callerMax, totalMax, within}: AllowanceLimits): Allowance {
  const callers = new Map<string, number>() // caller → amount, if not 0
  let held = 0

  const ofCaller = (caller: string | undefined) => (caller === undefined ? 0 : (callers.get(caller) ?? 0))
  function count(caller: string | undefined, amount: number): void {
    held += amount
    if (caller === undefined) return
    const rest = ofCaller(caller) + amount
    if (rest === 0) callers.delete(caller)
    else callers.set(caller, rest)
  }

  return {
    take(caller, amount) {
      if (ofCaller(caller) + amount > callerMax) return 'caller'
      if (held + amount > totalMax || within?.take(undefined, amount) !== undefined) return 'total'
      count(caller, amount)
      return undefined
    },
    give(caller, amount) {
      within?.give(undefined, amount)
      count(caller, -amount)
    },
    held: () => held,
  }
}
