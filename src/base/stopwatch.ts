/**
 * How long the stages of one piece of work take.
 *
 * Floor 0.
 */

export type Stage = {readonly name: string; readonly ms: number}

export type Stopwatch = {
  /** Ends a stage: it took what has passed since the one before. */
  readonly lap: (name: string) => void
  readonly stages: readonly Stage[] // so far, in their order
  readonly ms: () => number // since it was started
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
