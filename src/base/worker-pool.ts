/**
 * A pool of threads for work that would block the event loop, with a queue and a time limit for each job. Datasets take
 * turns in the queue, and the callers of a dataset. One dataset leaves a thread (unless there is only one) and half of
 * the queue to the others.
 *
 * The pool is independent of the kind of work: a job names a function that a module exports, and the thread loads that
 * module (`worker.ts`). Input and output are structured clones. A thread that exceeds its time or memory is terminated,
 * because nothing inside a busy thread can stop it. The next job starts a new thread.
 */
import type {Worker} from 'node:worker_threads'
import {createFairQueue, type FairQueue} from './fair-queue.ts'
import {Problem} from './problem.ts'
import {fileBeside, startThread, usualThreads} from './thread.ts'
import type {Outcome, Task} from './worker.ts'

/** A function of `input` that a module exports, with its limits. */
export type Job<Input, Output> = {
  readonly module: URL
  readonly function: string
  readonly limitMs: number // from the start of the function in the thread
  /** The error if the job is refused, exceeds its time or memory, or is lost. */
  readonly problem: (reason: Loss, input: Input) => Problem
  readonly output?: Output // never set; it is here for the type
}

/** busy: the queue is full. closing: the pool is closing. lost: the thread ended by itself. */
export type Loss = 'busy' | 'time' | 'memory' | 'closing' | 'lost'

export type RunOptions = {
  readonly caller?: string | undefined // jobs of different callers take turns
  readonly dataset?: string // jobs of different datasets take turns; undefined: the only one
  readonly signal?: AbortSignal // aborted when the client disconnects: Problem 499 `client-gone`, thread terminated
}

export type WorkerPool = {
  /** @throws  the Problem that the function throws; the one from `job.problem`; an Error for any other failure */
  readonly run: <Input, Output>(job: Job<Input, Output>, input: Input, options?: RunOptions) => Promise<Output>
  /** The same pool for the jobs of one of several datasets. */
  readonly forDataset: (name: string) => WorkerPool
  /** Terminates all threads. Waiting and running jobs are lost (`closing`). */
  readonly close: () => Promise<void>
}

export type WorkerPoolOptions = {
  readonly threads?: number // default: `usualThreads`
  readonly queueMax?: number // jobs that may wait; default: 1 000
  readonly heapMb?: number // limit on the old generation of one thread's heap; default: Node's own
  readonly idleMs?: number // a thread without work ends after this time to free its memory; default: never
}

type Waiting = {
  readonly task: Task
  readonly limitMs: number
  readonly signal: AbortSignal | undefined
  readonly dataset: string | undefined
  readonly settle: (outcome: Exclude<Outcome, {type: 'begun'}>) => void
  readonly lose: (reason: Loss | 'gone') => void
}

export function createWorkerPool(options: WorkerPoolOptions = {}): WorkerPool {
  const {threads = usualThreads(), queueMax = 1_000, heapMb, idleMs} = options
  const waiting = createFairQueue<Waiting>()
  const all = new Set<Worker>()
  const idle = createIdle(all, idleMs)
  const running = countRunning(Math.max(1, threads - 1))
  let isClosing = false

  function startNext(): void {
    if (idle.isEmpty() && all.size >= threads) return
    const next = waiting.next(running.mayAdd)
    if (next === undefined) return
    const worker = idle.take() ?? startWorker(all, heapMb)
    const end = running.add(next.dataset)
    void runOn(worker, next, () => isClosing).then(isAlive => {
      end()
      if (isAlive) idle.add(worker)
      else all.delete(worker)
      startNext()
    })
  }

  const pool: WorkerPool = {
    run<Input, Output>(job: Job<Input, Output>, input: Input, {caller, dataset, signal}: RunOptions = {}) {
      return new Promise<Output>((resolve, reject) => {
        const leave = () => waiting.remove(caller, own, dataset) && own.lose('gone')
        const own: Waiting = {
          dataset,
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
        if (isFull(waiting, queueMax, dataset)) return own.lose('busy')
        waiting.add(caller, own, dataset)
        signal?.addEventListener('abort', leave, {once: true})
        startNext()
      })
    },
    forDataset: dataset => ({...pool, run: (job, input, how) => pool.run(job, input, {...how, dataset})}),
    async close() {
      isClosing = true
      for (const {lose} of waiting.clear()) lose('closing')
      await Promise.all([...all].map(worker => worker.terminate()))
    },
  }
  return pool
}

function isFull(waiting: FairQueue<Waiting>, queueMax: number, dataset: string | undefined): boolean {
  return waiting.size() >= queueMax || (dataset !== undefined && waiting.sizeOf(dataset) >= Math.ceil(queueMax / 2))
}

function startWorker(all: Set<Worker>, heapMb: number | undefined): Worker {
  const limits = heapMb === undefined ? {} : {resourceLimits: {maxOldGenerationSizeMb: heapMb}}
  const worker = startThread(fileBeside(import.meta.url, 'worker'), limits)
  all.add(worker)
  return worker
}

/** Counts the running jobs of each dataset. */
function countRunning(datasetMax: number) {
  const running = new Map<string | undefined, number>()
  const of = (dataset: string | undefined) => running.get(dataset) ?? 0
  return {
    mayAdd: (dataset: string | undefined) => dataset === undefined || of(dataset) < datasetMax,
    /** Returns a function to call at the end of the job. */
    add(dataset: string | undefined): () => void {
      running.set(dataset, of(dataset) + 1)
      return () => {
        if (of(dataset) === 1) running.delete(dataset)
        else running.set(dataset, of(dataset) - 1)
      }
    },
  }
}

/** Threads without work. After `afterMs` they are terminated and removed from `all`. */
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

/** Runs one job. Returns whether the thread can run another. An idle thread does not keep the process alive. */
function runOn(worker: Worker, job: Waiting, isClosing: () => boolean): Promise<boolean> {
  const {task, limitMs, signal, settle, lose} = job
  return new Promise(resolve => {
    let timer: NodeJS.Timeout | undefined
    const finish = (isAlive: boolean) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
      worker.off('message', hear).off('error', fail).off('exit', end)
      if (isAlive) worker.unref()
      else worker.on('error', () => undefined) // a thread that is being terminated may still report an error
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
