/**
 * Checksums off the main thread, in bounded time: the thread of a graph that takes too long is terminated.
 *
 * Small graphs without blank nodes are computed on the calling thread, because that is quicker than sending them. A
 * graph of a few lines can keep RDFC-1.0 busy without end, and the timers of its thread then never run. Only
 * termination from outside stops it.
 */
import {Problem} from '../base/problem.ts'
import {fileBeside} from '../base/thread.ts'
import {createWorkerPool, type Job, type Loss, type WorkerPool} from '../base/worker-pool.ts'
import {countPacked, isPacked, type PackedTriples, packInSlices} from '../rdf/packed-triples.ts'
import type {Triple} from '../rdf/term.ts'
import {defaultWorkFactor, groundChecksumOf, hasBlankNodes} from './canonical.ts'
import type {ChecksumTask} from './worker.ts'

export type ChecksumPoolOptions = {
  readonly threads?: number // default: `usualThreads`
  readonly limitMs?: number // for one graph, from the start of its work; default: 5 000
  readonly queueLimit?: number // graphs that may wait; default: 1 000
  readonly workFactor?: number // see canonical.ts
}

export type ChecksumPool = {
  /**
   * The checksum of one graph: 64 lower-case hexadecimal digits.
   *
   * @throws  Problem 422 `checksum-work`: the graph needs more work than allowed; a retry will not help
   * @throws  Problem 503 `checksum-time`: it took longer than `limitMs` or too much memory, the queue is full, or the
   *          pool is closing
   */
  readonly checksum: (triples: readonly Triple[] | PackedTriples) => Promise<string>
  /** The same threads for the graphs of one of several datasets, which take turns. */
  readonly forDataset: (name: string) => ChecksumPool
  /** Terminates all threads. Unfinished checksums fail with Problem 503 `checksum-time`. */
  readonly close: () => Promise<void>
}

/** Greatest graphs to compute on the calling thread, which takes some milliseconds. */
const inlineLimit = {triples: 2_000, length: 200_000} // length: of the objects, in UTF-16 units

export function createChecksumPool(options: ChecksumPoolOptions = {}): ChecksumPool {
  const {threads, limitMs = 5_000, queueLimit = 1_000, workFactor = defaultWorkFactor} = options
  const pool = createWorkerPool({queueMax: queueLimit, ...(threads === undefined ? {} : {threads})})
  const job: Job<ChecksumTask, string> = {
    module: fileBeside(import.meta.url, 'worker'),
    function: 'checksum',
    limitMs,
    problem: (reason, {triples}) => tooLong(sentenceOf(reason, countPacked(triples), queueLimit), limitMs),
  }
  const checksumsIn = ({run, close}: WorkerPool): ChecksumPool => ({
    checksum: async triples => {
      if (isPacked(triples)) return run(job, {triples, workFactor})
      return isShort(triples) && !hasBlankNodes(triples)
        ? groundChecksumOf(triples)
        : run(job, {triples: await packInSlices(triples), workFactor})
    },
    forDataset: name => checksumsIn(pool.forDataset(name)),
    close,
  })
  return checksumsIn(pool)
}

function isShort(triples: readonly Triple[]): boolean {
  if (triples.length > inlineLimit.triples) return false
  return triples.reduce((sum, {object}) => sum + object.value.length, 0) <= inlineLimit.length
}

function sentenceOf(reason: Loss, triples: number, queueLimit: number): string {
  switch (reason) {
    case 'busy':
      return `More than ${queueLimit} graphs wait for their checksum`
    case 'time':
      return `The checksum of a graph of ${triples} triples took too long`
    case 'memory':
      return `The checksum of a graph of ${triples} triples took too much memory`
    case 'closing':
      return 'The service is stopping'
    case 'lost':
      return 'The thread ended before its checksum was there'
  }
}

function tooLong(message: string, limitMs: number): Problem {
  return new Problem(503, 'checksum-time', message, {members: {limitMs}, headers: {'Retry-After': '60'}})
}
