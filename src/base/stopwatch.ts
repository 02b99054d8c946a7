/** Measures how long the stages of a piece of work take. */

export type Stage = {readonly name: string; readonly ms: number}

export type Stopwatch = {
  /** Ends a stage, which began at the end of the previous one. */
  readonly lap: (name: string) => void
  readonly stages: readonly Stage[] // those that have ended, in order
  readonly ms: () => number // since the start
}

export function startStopwatch(): Stopwatch {
  const stages: Stage[] = []
  const begun = performance.now()
  let last = begun
  return {
    stages,
    ms: () => performance.now() - begun,
    lap(name) {
      const now = performance.now()
      stages.push({name, ms: now - last})
      last = now
    },
  }
}
