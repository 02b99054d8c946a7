/**
 * The thread of a worker pool: loads the module that a task names, calls its function and posts the outcome.
 *
 * It has no time limit of its own: the pool terminates a thread that takes too long.
 */
import {parentPort} from 'node:worker_threads'
import {Problem, type ProblemMembers} from './problem.ts'

export type Task = {
  readonly module: string // URL of the file that exports the function
  readonly function: string
  readonly input: unknown
}

/** A Problem as a plain object, because a structured clone loses its class. */
type SentProblem = {
  readonly status: number
  readonly rule: string
  readonly message: string
  readonly members: ProblemMembers
  readonly headers: Readonly<Record<string, string>>
}

export type Outcome =
  | {readonly type: 'begun'} // the time limit starts now
  | {readonly type: 'done'; readonly output: unknown}
  | {readonly type: 'refused'; readonly problem: SentProblem}
  | {readonly type: 'failed'; readonly message: string} // a fault of ours, with its stack

parentPort?.on('message', async (task: Task) => {
  const post = (outcome: Outcome) => parentPort?.postMessage(outcome)
  try {
    const module = (await import(task.module)) as Readonly<Record<string, (input: unknown) => unknown>>
    post({type: 'begun'})
    const output = await module[task.function]?.(task.input)
    post({type: 'done', output})
  } catch (error) {
    post(outcomeOf(error))
  }
})

function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof Problem)) {
    return {type: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error)}
  }
  const {status, rule, message, members, headers} = error
  return {type: 'refused', problem: {status, rule, message, members, headers}}
}
