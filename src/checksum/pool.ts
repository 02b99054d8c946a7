/**
 * Checksums off the main thread, in bounded time: a graph that takes too long loses its thread.
 *
 * Floor 2. Small graphs without blank nodes are quicker done than sent, so they are done where they are asked for.
 * RDFC-1.0 can be made to work for ever by a graph of a few lines, and such a graph never lets its thread's timers run:
 * only ending the thread from outside helps.
 */
import {availableParallelism} from 'node:os'
import {Worker} from 'node:worker_threads'
import {Problem} from '../base/problem.ts'
import type {Triple} from '../rdf/term.ts'
import {defaultWorkFactor, groundChecksumOf, hasBlankNodes} from './canonical.ts'
import type {Outcome, Task} from './worker.ts'

export type ChecksumPoolOptions = {
  readonly threads?: number // default: half of the processor's, at least 1
  readonly limitMs?: number // for one graph, once a thread has taken it; default 5 000
  readonly queueLimit?: number // graphs that may wait; default 1 000
  readonly workFactor?: number // see canonical.ts
}

export type ChecksumPool = {
  /**
   * The checksum of one graph: 64 lower-case hexadecimal digits.
   *
   * @throws Problem 422 `checksum-work`: the graph asks for more work than allowed, now and always
   * @throws Problem 503 `checksum-time`: it took longer than `limitMs`, or more than `queueLimit` graphs wait
   */
  readonly checksum: (triples: readonly Triple[]) => Promise<string>
  /** Ends all threads; what waits is refused. */
  readonly close: () => Promise<void>
}

type Job = {
  readonly task: Task
  readonly resolve: (checksum: string) => void
  readonly reject: (error: Error) => void
}

const inlineLimit = 2_000 // triples: some milliseconds of the calling thread

export function createChecksumPool(options: ChecksumPoolOptions = {}): ChecksumPool {
  const threads = options.threads ?? Math.max(1, Math.floor(availableParallelism() / 2))
  const {limitMs = 5_000, queueLimit = 1_000, workFactor = defaultWorkFactor} = options
  const waiting: Job[] = []
  const idle: Worker[] = []
  const all = new Set<Worker>()

  const startNext = () => {
    if (waiting.length === 0 || (idle.length === 0 && all.size >= threads)) return
    const worker = idle.pop() ?? startWorker(all)
    const job = waiting.shift()
    if (job !== undefined) void run(worker, job, limitMs).then(isAlive => release(worker, isAlive))
  }
  const release = (worker: Worker, isAlive: boolean) => {
    if (isAlive) idle.push(worker)
    else all.delete(worker)
    startNext()
  }
  const enqueue = (triples: readonly Triple[]) =>
    new Promise<string>((resolve, reject) => {
      if (waiting.length >= queueLimit) throw tooLong(`More than ${queueLimit} graphs wait for their checksum`, limitMs)
      waiting.push({task: {triples, workFactor}, resolve, reject})
      startNext()
    })

  return {
    checksum: async triples =>
      triples.length <= inlineLimit && !hasBlankNodes(triples) ? groundChecksumOf(triples) : enqueue(triples),
    close: async () => {
      for (const job of waiting.splice(0)) job.reject(tooLong('The service is stopping', limitMs))
      await Promise.all([...all].map(worker => worker.terminate()))
    },
  }
}

/** Run from source, a thread needs the loader of TypeScript anew. */
const fromSource = 'import("tsx/esm/api").then(({register}) => { register(); return import(process.argv[2]) })'

function startWorker(all: Set<Worker>): Worker {
  const isSource = import.meta.url.endsWith('.ts')
  const file = new URL(isSource ? './worker.ts' : './worker.js', import.meta.url)
  const worker = isSource ? new Worker(fromSource, {eval: true, argv: [file.href]}) : new Worker(file)
  all.add(worker)
  return worker
}

/** Runs one job to its end. True when the thread can take another; an idle thread keeps no process alive. */
function run(worker: Worker, job: Job, limitMs: number): Promise<boolean> {
  return new Promise(resolve => {
    let timer: NodeJS.Timeout | undefined
    const finish = (isAlive: boolean) => {
      clearTimeout(timer)
      worker.off('message', hear).off('error', fail).off('exit', end)
      if (isAlive) worker.unref()
      resolve(isAlive)
    }
    const hear = (outcome: Outcome) => {
      if (outcome.type === 'taken') {
        timer = setTimeout(giveUp, limitMs)
      } else {
        finish(true)
        settle(job, outcome)
      }
    }
    const fail = (error: Error) => {
      finish(false)
      job.reject(error)
    }
    const end = () => fail(tooLong('The thread ended before its checksum was there', limitMs))
    const giveUp = () => {
      fail(tooLong(`The checksum of a graph of ${job.task.triples.length} triples took too long`, limitMs))
      void worker.terminate()
    }
    worker.ref()
    worker.on('message', hear).on('error', fail).on('exit', end)
    worker.postMessage(job.task)
  })
}

function settle(job: Job, outcome: Exclude<Outcome, {type: 'taken'}>): void {
  switch (outcome.type) {
    case 'done':
      job.resolve(outcome.checksum)
      break
    case 'refused': {
      const members = {workFactor: job.task.workFactor}
      job.reject(new Problem(422, 'checksum-work', outcome.message, {members}))
      break
    }
    case 'failed':
      job.reject(new Error(outcome.message))
      break
  }
}

function tooLong(message: string, limitMs: number): Problem {
  return new Problem(503, 'checksum-time', message, {members: {limitMs}, headers: {'Retry-After': '60'}})
}
