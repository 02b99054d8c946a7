/**
 * The other thread: takes one graph at a time and answers with its checksum. `pool.ts` starts it and ends it.
 *
 * Floor 2. Knows no time limit: whoever waits for too long ends the thread.
 */
import {parentPort} from 'node:worker_threads'
import {Problem} from '../base/problem.ts'
import type {Triple} from '../rdf/term.ts'
import {checksumOf, groundChecksumOf, hasBlankNodes} from './canonical.ts'

export type Task = {readonly triples: readonly Triple[]; readonly workFactor: number}

export type Outcome =
  | {readonly type: 'taken'} // the work begins
  | {readonly type: 'done'; readonly checksum: string}
  | {readonly type: 'refused'; readonly message: string} // more work than allowed
  | {readonly type: 'failed'; readonly message: string} // a fault of ours

parentPort?.on('message', async (task: Task) => {
  parentPort?.postMessage({type: 'taken'} satisfies Outcome)
  parentPort?.postMessage(await work(task))
})

async function work({triples, workFactor}: Task): Promise<Outcome> {
  try {
    const checksum = hasBlankNodes(triples) ? await checksumOf(triples, {workFactor}) : groundChecksumOf(triples)
    return {type: 'done', checksum}
  } catch (error) {
    if (error instanceof Problem) return {type: 'refused', message: error.message}
    return {type: 'failed', message: error instanceof Error ? error.message : String(error)}
  }
}
