/**
 * Checksums off the main thread, in bounded time: a graph that takes too long loses its thread.
 *
 * Floor 2. Small graphs without blank nodes are quicker done than sent, so they are done where they are asked for.
 * RDFC-1.0 can be made to work for ever by a graph of a few lines, and such a graph never lets its thread's timers run:
 * only ending the thread from outside helps.
 */
import {Problem} from '../base/problem.ts'
import {fileBeside} from '../base/thread.ts'
import {createWorkerPool, type Job, type Loss} from '../base/worker-pool.ts'
import {countPacked, isPacked, type PackedTriples, packInSlices} from '../rdf/packed-triples.ts'
import type {Triple} from '../rdf/term.ts'
import {defaultWorkFactor, groundChecksumOf, hasBlankNodes} from './canonical.ts'
import type {Task} from './worker.ts'

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
  readonly checksum: (triples: readonly Triple[] | PackedTriples) => Promise<string>
  /** Ends all threads; what waits is refused. */
  readonly close: () => Promise<void>
}

/** Graphs that take some milliseconds of the calling thread. */
const inlineLimit = {triples: 2_000, length: 200_000} // length: of the objects, in UTF-16 units

export function createChecksumPool(options: ChecksumPoolOptions = {}): ChecksumPool {
  const {threads, limitMs = 5_000, queueLimit = 1_000, workFactor = defaultWorkFactor} = options
  const pool = createWorkerPool({queueMax: queueLimit, ...(threads === undefined ? {} : {threads})})
  const job: Job<Task, string> = {
    module: fileBeside(import.meta.url, 'worker'),
    function: 'checksum',
    limitMs,
    problem: (reason, {triples}) => tooLong(sentenceOf(reason, countPacked(triples), queueLimit), limitMs),
  }
  return {
    checksum: async triples => {
      if (isPacked(triples)) return pool.run(job, {triples, workFactor})
      return isShort(triples) && !hasBlankNodes(triples)
        ? groundChecksumOf(triples)
        : pool.run(job, {triples: await packInSlices(triples), workFactor})
    },
    close: pool.close,
  }
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
