/**
 * A few threads for work that would block the event loop: a queue in front, a time limit for each piece of work.
 * Callers take turns in the queue.
 *
 * Floor 0. It knows no kind of work: a job names a function that a module exports, and the thread loads that module
 * (`worker.ts`). Input and output cross by structured clone. A thread that runs out of time or memory is ended, and the
 * next job starts a new one: nothing inside a busy thread can stop it.
 */
import {availableParallelism} from 'node:os'
import type {Worker} from 'node:worker_threads'
import {createFairQueue} from './fair-queue.ts'
import {Problem} from './problem.ts'
import {fileBeside, startThread} from './thread.ts'
import type {Outcome, Task} from './worker.ts'

/** A function of `input` that a module exports, and how it is limited. */
export type Job<Input, Output> = {
  readonly module: URL
  readonly function: string
  readonly limitMs: number // once a thread has begun it
  /** The error when the thread is ended: its time is up, its heap is full, or the pool refuses or loses the job. */
  readonly problem: (reason: Loss, input: Input) => Problem
  readonly output?: Output // never given: it carries the type
}

/** busy: the queue is full. closing: the pool ends. lost: the thread ended by itself. */
export type Loss = 'busy' | 'time' | 'memory' | 'closing' | 'lost'

export type RunOptions = {
  readonly caller?: string | undefined // jobs of different callers take turns
  readonly signal?: AbortSignal // the client has gone: Problem 499 `client-gone`, and the thread is ended
}

export type WorkerPool = {
  /** @throws  what the function throws, if it is a Problem; what `job.problem` says; an Error for a fault of ours */
  readonly run: <Input, Output>(job: Job<Input, Output>, input: Input, options?: RunOptions) => Promise<Output>
  /** Ends all threads; what waits or runs is refused. */
  readonly close: () => Promise<void>
}

export type WorkerPoolOptions = {
  readonly threads?: number // default: half of the processors, at least 1
  readonly queueMax?: number // jobs that may wait; default 1 000
  readonly heapMb?: number // of one thread's old objects; default: as Node chooses
  readonly idleMs?: number // a thread without work ends after so long, and its memory is free; default: it stays
}

type Waiting = {
  readonly task: Task
  readonly limitMs: number
  readonly signal: AbortSignal | undefined
  readonly settle: (outcome: Exclude<Outcome, {type: 'begun'}>) => void
  readonly lose: (reason: Loss | 'gone') => void
}

export function createWorkerPool(options: WorkerPoolOptions = {}): WorkerPool {
  const {threads = Math.max(1, Math.floor(availableParallelism() / 2)), queueMax = 1_000, heapMb, idleMs} = options
  const waiting = createFairQueue<Waiting>()
  const all = new Set<Worker>()
  const idle = createIdle(all, idleMs)
  let isClosing = false

  function start(): Worker {
    const limits = heapMb === undefined ? {} : {resourceLimits: {maxOldGenerationSizeMb: heapMb}}
    const worker = startThread(fileBeside(import.meta.url, 'worker'), limits)
    all.add(worker)
    return worker
  }
  function startNext(): void {
    if (idle.isEmpty() && all.size >= threads) return
    const next = waiting.next()
    if (next === undefined) return
    const worker = idle.take() ?? start()
    void runOn(worker, next, () => isClosing).then(isAlive => {
      if (isAlive) idle.add(worker)
      else all.delete(worker)
      startNext()
    })
  }

  return {
    run<Input, Output>(job: Job<Input, Output>, input: Input, {caller, signal}: RunOptions = {}) {
      return new Promise<Output>((resolve, reject) => {
        const leave = () => waiting.remove(caller, own) && own.lose('gone')
        const own: Waiting = {
          task: {module: job.module.href, function: job.function, input},
          limitMs: job.limitMs,
          signal,
          settle(outcome) {
            signal?.removeEventListener('abort', leave)
            if (outcome.type === 'done') resolve(outcome.output as Output)
            else reject(errorOf(outcome))
          },
          lose(reason) {
            signal?.removeEventListener('abort', leave)
            reject(reason === 'gone' ? clientGone() : job.problem(reason, input))
          },
        }
        if (signal?.aborted) return own.lose('gone')
        if (isClosing) return own.lose('closing')
        if (waiting.size() >= queueMax) return own.lose('busy')
        waiting.add(caller, own)
        signal?.addEventListener('abort', leave, {once: true})
        startNext()
      })
    },
    async close() {
      isClosing = true
      for (const {lose} of waiting.clear()) lose('closing')
      await Promise.all([...all].map(worker => worker.terminate()))
    },
  }
}

/** Threads without work; after so long they end and are none of `all` any more. */
function createIdle(all: Set<Worker>, afterMs: number | undefined) {
  const idle = new Map<Worker, NodeJS.Timeout | undefined>()
  return {
    isEmpty: () => idle.size === 0,
    add(worker: Worker): void {
      const leave = () => {
        idle.delete(worker)
        all.delete(worker)
        void worker.terminate()
      }
      idle.set(worker, afterMs === undefined ? undefined : setTimeout(leave, afterMs).unref())
    },
    take(): Worker | undefined {
      const [worker] = [...idle.keys()].slice(-1)
      if (worker === undefined) return undefined
      clearTimeout(idle.get(worker))
      idle.delete(worker)
      return worker
    },
  }
}

/** Runs one job to its end. True when the thread can take another; an idle thread keeps no process alive. */
function runOn(worker: Worker, job: Waiting, isClosing: () => boolean): Promise<boolean> {
  const {task, limitMs, signal, settle, lose} = job
  return new Promise(resolve => {
    let timer: NodeJS.Timeout | undefined
    const finish = (isAlive: boolean) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
      worker.off('message', hear).off('error', fail).off('exit', end)
      if (isAlive) worker.unref()
      else worker.on('error', () => undefined) // a dying thread may still say so
      resolve(isAlive)
    }
    const stop = (reason: Loss | 'gone') => {
      finish(false)
      lose(reason)
      void worker.terminate()
    }
    const hear = (outcome: Outcome) => {
      if (outcome.type === 'begun') {
        timer = setTimeout(() => stop('time'), limitMs)
        return
      }
      finish(true)
      settle(outcome)
    }
    const fail = (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return stop('memory')
      finish(false)
      settle({type: 'failed', message: error.stack ?? error.message})
    }
    const end = () => stop(isClosing() ? 'closing' : 'lost')
    const leave = () => stop('gone')
    worker.ref()
    worker.on('message', hear).on('error', fail).on('exit', end)
    signal?.addEventListener('abort', leave, {once: true})
    try {
      worker.postMessage(task)
    } catch (error) {
      finish(true)
      settle({type: 'failed', message: String(error)}) // the input cannot be cloned
    }
  })
}

function errorOf(outcome: Extract<Outcome, {type: 'refused' | 'failed'}>): Error {
  if (outcome.type === 'failed') return new Error(outcome.message)
  const {status, rule, message, members, headers} = outcome.problem
  return new Problem(status, rule, message, {members, headers})
}

function clientGone(): Problem {
  return new Problem(499, 'client-gone', 'The client went away before its work was done.')
}
