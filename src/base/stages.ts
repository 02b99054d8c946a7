/**
 * When the stages of a request begin and end, for whoever draws them: costs nothing until somebody does.
 *
 * Floor 0. Which request a stage belongs to follows from where it was called, through promises and callbacks.
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
const stageLimit = 200 // a request: a large answer has thousands of statements

let watchers = 0

/** From now on stages are timed. Returns what ends it. */
export function watchStages(): () => void {
  watchers += 1
  return () => {
    watchers -= 1
  }
}

/** A place for the stages of one request; undefined when nobody watches. */
export function openStages(): TimedStage[] | undefined {
  return watchers === 0 ? undefined : []
}

/** Does the work of a request; its stages go to their place. */
export function within<Result>(stages: TimedStage[] | undefined, work: () => Result): Result {
  return stages === undefined ? work() : current.run(stages, work)
}

/** Does the work of a stage. A promise ends it when it settles. */
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

/** Now, in ms since 1970, finer than Date.now() and never going back. */
export function epochMs(): number {
  return performance.timeOrigin + performance.now()
}
