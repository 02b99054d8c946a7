/**
 * The worker thread of an import. It reads and encodes the files and posts rows to `pump.ts`, which copies them.
 *
 * At most `aheadLimit` batches are in flight. `pump.ts` acknowledges each when PostgreSQL has it.
 */
import {once} from 'node:events'
import {parentPort, workerData} from 'node:worker_threads'
import {Refusal} from '../base/refusal.ts'
import type {KnownTerm} from '../db/bulk/import-store.ts'
import type {ReadableFormat} from '../format/formats.ts'
import type {Iri} from '../rdf/term.ts'
import {BadInput, type Fault, loadFile} from './file-loader.ts'
import {formatOf} from './input.ts'
import {type Batch, QuadEncoder} from './quad-encoder.ts'
import {TermIds} from './term-ids.ts'

export type ImportTask = {
  readonly files: readonly string[]
  readonly format: ReadableFormat | undefined // undefined: by the name of each file
  readonly graph: Iri | undefined
  readonly base: Iri
  readonly isRaw: boolean
  readonly skipsBad: boolean
  readonly known: readonly KnownTerm[]
  readonly nextTerm: number
  readonly nextBlankNode: number
  readonly keepsLabels: boolean
  readonly listsBlankNodes: boolean
}

export type Report =
  | {readonly type: 'batch'; readonly batch: Batch; readonly quads: number; readonly bytes: number} // totals so far
  | {readonly type: 'fault'; readonly fault: Fault}
  | {readonly type: 'bad-input'; readonly fault: Fault}
  | {readonly type: 'refused'; readonly message: string}
  | {readonly type: 'failed'; readonly message: string}
  | {readonly type: 'done'; readonly last: TermIds['last']}

const aheadLimit = 4 // batches
const portionBytes = 1 << 20

if (parentPort !== null) await run(workerData as ImportTask, parentPort)

async function run(task: ImportTask, port: NonNullable<typeof parentPort>): Promise<void> {
  const post = (report: Report, transfer: readonly ArrayBuffer[] = []) => port.postMessage(report, [...transfer])
  try {
    post({type: 'done', last: await loadAll(task, port, post)})
  } catch (error) {
    if (error instanceof BadInput) post({type: 'bad-input', fault: error.fault})
    else if (error instanceof Refusal) post({type: 'refused', message: error.message})
    else post({type: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error)})
  }
  port.close()
}

async function loadAll(
  task: ImportTask,
  port: NonNullable<typeof parentPort>,
  post: (report: Report, transfer?: readonly ArrayBuffer[]) => void,
): Promise<TermIds['last']> {
  const ids = new TermIds(task)
  const encoder = new QuadEncoder(ids, task)
  let ahead = 0
  let bytes = 0
  port.on('message', () => {
    ahead--
  })
  const send = async () => {
    const batch = encoder.take()
    const buffers = Object.values(batch).flatMap(rows => (rows.length === 0 ? [] : [rows.buffer]))
    post({type: 'batch', batch, quads: encoder.count, bytes}, buffers)
    ahead++
    while (ahead >= aheadLimit) await once(port, 'message')
  }
  for (const [index, file] of task.files.entries()) {
    encoder.beginFile(index)
    await loadFile(file, task.format ?? formatOf(file), {
      encoder,
      base: task.graph ?? task.base,
      onBytes(count) {
        bytes += count
      },
      async onPortion() {
        if (encoder.pendingBytes >= portionBytes) await send()
      },
      onFault: task.skipsBad ? fault => post({type: 'fault', fault}) : undefined,
    })
    encoder.endFile()
    await send()
  }
  return ids.last
}
