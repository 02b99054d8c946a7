/**
 * Long work in slices, between which the event loop does other things.
 *
 * Floor 0. Slices are measured by the clock, so short work is never interrupted.
 */
import {setImmediate as macrotask} from 'node:timers/promises'

export type Slices = {
  /** Whether the slice has lasted long enough. */
  readonly isOver: () => boolean
  /** Lets everything else that waits have its turn; the next slice begins afterwards. */
  readonly pause: () => Promise<void>
}

const sliceMs = 10

export function createSlices(): Slices {
  let begunMs = performance.now()
  return {
    isOver: () => performance.now() - begunMs > sliceMs,
    async pause() {
      await macrotask()
      begunMs = performance.now()
    },
  }
}
