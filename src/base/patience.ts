/**
 * A limit on how long something is waited for in all, however often.
 *
 * Floor 0.
 */

export type Patience = {
  readonly isOver: () => boolean
  /** Waits until it is woken or the time is over; one wait at a time. */
  readonly wait: () => Promise<void>
  readonly wake: () => void
  /** Lifts the limit, also of a wait under way. */
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
