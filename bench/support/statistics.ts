/** Summaries of measurements. Pure. */
export type Summary = {
  readonly count: number
  readonly rate: number // per second
  readonly p50: number // ms
  readonly p95: number
  readonly p99: number
}

export function summarize(latencies: readonly number[], seconds: number): Summary {
  const sorted = Float64Array.from(latencies).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return {count: sorted.length, rate: sorted.length / seconds, p50: at(0.5), p95: at(0.95), p99: at(0.99)}
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

export function geometricMean(numbers: readonly number[]): number {
  return Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length)
}

/** The median over the rounds of each number of the summaries. */
export function medianSummary(rounds: readonly Summary[]): Summary {
  const of = (figure: keyof Summary) => median(rounds.map(round => round[figure]))
  return {count: of('count'), rate: of('rate'), p50: of('p50'), p95: of('p95'), p99: of('p99')}
}

/** The median of the rounds' ratios. A disturbance in one round affects both sides of its ratio. */
export function medianRatio(above: readonly number[], below: readonly number[]): number {
  return median(above.map((number, round) => number / (below[round] ?? Number.NaN)))
}

/**
 * Runs every subject once a round. Each round starts with another subject, so that the order favours none.
 *
 * @returns  results by subject, in the order of the rounds
 */
export async function interleave<Result>(
  rounds: number,
  subjects: ReadonlyMap<string, () => Promise<Result>>,
): Promise<Map<string, Result[]>> {
  const names = [...subjects.keys()]
  const results = new Map<string, Result[]>(names.map(name => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (let place = 0; place < names.length; place += 1) {
      const name = names[(place + round) % names.length] ?? ''
      const run = subjects.get(name)
      if (run !== undefined) results.get(name)?.push(await run())
    }
  }
  return results
}
