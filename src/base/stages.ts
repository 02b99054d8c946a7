/**
 * Start and end of the stages of a request, for traces. Costs nothing unless `watchStages` was called.
 *
 * A stage belongs to the request in whose asynchronous context it runs, through promises and callbacks.
 */
import {AsyncLocalStorage} from 'node:async_hooks'

/** Times are in ms since 1970. */
export type TimedStage = {
  readonly name: string
  readonly beganMs: number
  readonly endedMs: number
  readonly detail: string | undefined // the text of a statement
  readonly failure: string | undefined
}

const current = new AsyncLocalStorage<TimedStage[]>()
const stageLimit = 200 // for each request, because a large answer has thousands of statements

let watchers = 0

/** Starts the timing of stages. Returns a function that ends it. */
export function watchStages(): () => void {
  watchers += 1
  return () => {
    watchers -= 1
  }
}

/** A list for the stages of one request; undefined if stages are not timed. */
export function openStages(): TimedStage[] | undefined {
  return watchers === 0 ? undefined : []
}

/** Does the work of a request and adds its stages to the list. */
export function collectStages<Result>(stages: TimedStage[] | undefined, work: () => Result): Result {
  return stages === undefined ? work() : current.run(stages, work)
}

/** Does the work of a stage and times it. If the work returns a promise, the stage ends when that settles. */
export function timed<Result>(name: string, work: () => Result, detail?: string): Result {
  const stages = watchers === 0 ? undefined : current.getStore()
  if (stages === undefined || stages.length >= stageLimit) return work()
  const beganMs = epochMs()
  const end = (failure?: string) => stages.push({name, beganMs, endedMs: epochMs(), detail, failure})
  try {
    const result = work()
    if (!(result instanceof Promise)) end()
    else
      result.then(
        () => end(),
        error => end(String(error)),
      )
    return result
  } catch (error) {
    end(String(error))
    throw error
  }
}

/** The current time in ms since 1970, finer than Date.now() and monotonic. */
export function epochMs(): number {
  return performance.timeOrigin + performance.now()
}
