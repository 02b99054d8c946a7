/**
 * Divides long work into slices of time, between which the event loop can do other work.
 *
 * The clock measures slices, so short work is never interrupted.
 */
import {setImmediate as macrotask} from 'node:timers/promises'

export type Slices = {
  /** Whether the current slice has lasted longer than 10 ms. */
  readonly isOver: () => boolean
  /** Lets other pending work run, then starts the next slice. */
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
