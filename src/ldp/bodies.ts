/**
 * Reads the bodies of requests: small ones on the main thread, large ones in a small pool of worker threads.
 *
 * Some syntaxes can only be parsed in one go, which blocks a thread for seconds at the limit of a body's length. For a
 * large body the main thread therefore handles only its bytes and, afterwards, the encoded parameters for the store.
 * Source: decision 0016.
 */
import {Problem} from '../base/problem.ts'
import {timed} from '../base/stages.ts'
import {fileBeside, usualThreads} from '../base/thread.ts'
import {createWorkerPool, type Job, type Loss, type WorkerPool} from '../base/worker-pool.ts'
import type {MemberList} from '../db/store/document-writes.ts'
import type {GraphParameters, GraphToWrite} from '../db/store/graph-codec.ts'
import type {Changes} from '../ldpatch/patch.ts'
import {isPacked, type PackedTriples, packInSlices} from '../rdf/packed-triples.ts'
import type {Triple} from '../rdf/term.ts'
import {
  type BodyTask,
  type NewTask,
  type PatchTask,
  type PostedDocument,
  type Put,
  type PutTask,
  readNew,
  readPatch,
  readPut,
  readRemoval,
  readReplacement,
} from './body-work.ts'
import {changesOf} from './patch-work.ts'

/** Each function throws what the one of the same name in body-work.ts throws, and Problem 422 or 503 `body-work`. */
export type Bodies = {
  readonly readNew: (task: NewTask) => Promise<PostedDocument<GraphToWrite>>
  readonly readPut: (task: PutTask) => Promise<Put<GraphToWrite, MemberList>>
  readonly readReplacement: (task: BodyTask) => Promise<GraphToWrite>
  readonly readRemoval: (task: BodyTask) => Promise<MemberList>
  readonly readPatch: (task: PatchTask) => Promise<PatchToApply>
  /** The same threads for the bodies of one of several datasets, which take turns. */
  readonly forDataset: (name: string) => Bodies
  /** Ends all threads. Waiting and running jobs fail with Problem 503 `body-work`. */
  readonly close: () => Promise<void>
}

/** Triples of a document; those of a large document are packed. */
type AnyTriples = readonly Triple[] | PackedTriples

/** A parsed patch. */
export type PatchToApply = {
  readonly ground: Changes | GraphParameters | undefined // its changes, if they do not depend on the document
  readonly apply: (triples: AnyTriples) => Promise<Changes | GraphParameters>
}

export type BodiesOptions = {
  readonly tripleLimit?: number // triples in one body
  readonly bodyBytes?: number // length of the longest body
  readonly inlineBytes?: number // longer bodies go to a worker thread
  readonly limitMs?: number // time for one body, without the time in the queue
  readonly processes?: number // of the service, which divide the threads
}

/**
 * Limits of the main thread. Below these, the slowest construct of the slowest syntax takes some 50 ms
 * (test/fuzz/document-constructs.ts).
 */
const inlineLength = 32_768 // bytes
const inlineContextWork = 50_000 // terms that JSON-LD contexts copy and define
const inlineSteps = 20_000 // triples that a patch visits

const heapPerByte = 50 // bytes of a thread's heap for each byte of the longest body
const idleMs = 2_000 // after this a thread ends: its heap would keep its memory, and a new thread is cheap

export function createBodies(options: BodiesOptions = {}): Bodies {
  return bodiesIn(openThreads(options), options)
}

function bodiesIn(pool: WorkerPool, options: BodiesOptions): Bodies {
  const {tripleLimit, inlineBytes = inlineLength, limitMs = usualLimitMs} = options
  const run = <Input extends Sent, Output>(name: JobName, input: Input) =>
    pool.run<Input, Output>(jobOf(name, limitMs), input, {caller: input.caller})

  function reader<Input extends Sent, Output, Encoded>(name: JobName, read: (task: Input) => Output | Promise<Output>) {
    return (asked: Input): Promise<Output | Encoded> =>
      timed('parse', async () => {
        const task = {...asked, tripleLimit}
        if (task.bytes.length > inlineBytes) return run<Input, Encoded>(name, task)
        try {
          return await read({...task, contextWork: inlineContextWork})
        } catch (error) {
          if (!isTooMuch(error, 'context-size')) throw error
          return run<Input, Encoded>(name, task)
        }
      })
  }
  async function applyInThread(task: PatchTask, triples: AnyTriples): Promise<GraphParameters> {
    const packed = isPacked(triples) ? triples : await packInSlices(triples)
    return run('patchTriples', {triples: packed, ...task})
  }

  return {
    readNew: reader('newDocument', readNew),
    readPut: reader('put', readPut),
    readReplacement: reader('replacement', readReplacement),
    readRemoval: reader('removal', readRemoval),
    readPatch: asked =>
      timed('parse', async () => {
        const task = {...asked, tripleLimit}
        if (task.bytes.length > inlineBytes) {
          const ground = await run<PatchTask, GraphParameters | undefined>('groundPatch', task)
          return {ground, apply: (triples: AnyTriples) => applyInThread(task, triples)}
        }
        const {patch, ground} = readPatch(task)
        return {
          ground,
          async apply(triples: AnyTriples) {
            if (isPacked(triples)) return applyInThread(task, triples)
            try {
              return changesOf({patch, triples, context: task.context, stepLimit: inlineSteps})
            } catch (error) {
              if (!isTooMuch(error, 'patch-effort')) throw error
              return applyInThread(task, triples)
            }
          },
        }
      }),
    forDataset: name => bodiesIn(pool.forDataset(name), options),
    close: pool.close,
  }
}

/** Fields that every task for a thread has. */
type Sent = Pick<BodyTask, 'bytes' | 'caller'>

const usualLimitMs = 30_000

function openThreads({bodyBytes = 10 * 2 ** 20, processes = 1}: BodiesOptions): WorkerPool {
  const heapMb = 256 + Math.ceil((heapPerByte * bodyBytes) / 2 ** 20)
  return createWorkerPool({threads: usualThreads(processes), heapMb, idleMs})
}

/** Whether a body exceeded a limit that is lower on the main thread than in a worker thread. */
function isTooMuch(error: unknown, rule: 'context-size' | 'patch-effort'): boolean {
  return error instanceof Problem && error.rule === rule
}

type JobName = keyof typeof import('./body-jobs.ts')

function jobOf<Input, Output>(name: JobName, limitMs: number): Job<Input, Output> {
  return {
    module: fileBeside(import.meta.url, 'body-jobs'),
    function: name,
    limitMs,
    problem: reason => refusal(reason, limitMs),
  }
}

function refusal(reason: Loss, limitMs: number): Problem {
  if (reason === 'memory')
    return new Problem(422, 'body-work', 'The body needs too much memory. Send it in several smaller ones.')
  return new Problem(503, 'body-work', sentences[reason], {members: {limitMs}, headers: {'Retry-After': '10'}})
}

const sentences: Readonly<Record<Exclude<Loss, 'memory'>, string>> = {
  busy: 'Too many large bodies are waiting to be read.',
  time: 'The body took too long to read. Send it in several smaller ones.',
  closing: 'The service is stopping.',
  lost: 'The thread that read the body ended.',
}
