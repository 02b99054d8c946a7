/** A limit on the total time of many waits. */

export type Patience = {
  readonly isOver: () => boolean
  /** Waits until `wake` is called or the time is over. Only one wait may be pending. */
  readonly wait: () => Promise<void>
  readonly wake: () => void
  /** Removes the limit, also for a pending wait. */
  readonly lift: () => void
}

/** @param limitMs  Infinity: no limit */
export function createPatience(limitMs: number): Patience {
  let leftMs = limitMs
  let waiting: {readonly end: () => void; readonly timer: NodeJS.Timeout | undefined} | undefined
  return {
    isOver: () => leftMs <= 0,
    wait() {
      const begun = performance.now()
      return new Promise(resolve => {
        const end = () => {
          clearTimeout(waiting?.timer)
          waiting = undefined
          leftMs -= performance.now() - begun
          resolve()
        }
        waiting = {end, timer: leftMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(end, leftMs)}
      })
    },
    wake: () => waiting?.end(),
    lift() {
      leftMs = Number.POSITIVE_INFINITY
      clearTimeout(waiting?.timer)
    },
  }
}
