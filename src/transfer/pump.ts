/**
 * Loads files into tables. A worker thread reads and encodes them, this thread copies the rows to PostgreSQL.
 *
 * The two threads and PostgreSQL work in parallel.
 */
import {once} from 'node:events'
import {statSync} from 'node:fs'
import {Refusal} from '../base/refusal.ts'
import {fileBeside, startThread} from '../base/thread.ts'
import {copyBatch, type RowBatch, type Targets} from '../db/bulk/import-store.ts'
import type {Transaction} from '../db/connection/pool.ts'
import type {Fault} from './file-loader.ts'
import type {ImportTask, Report} from './import-worker.ts'

export type PumpOptions = {
  readonly targets: Targets
  readonly frozen: readonly (keyof RowBatch)[] // kinds of rows to load with COPY FREEZE
  readonly onFault: (fault: Fault) => void
  readonly onProgress: (quads: number, share: number | undefined) => void // so far; share of the input's bytes
  readonly signal: AbortSignal
}

export type Pumped = {
  readonly quads: number
  readonly faults: number
  readonly last: Extract<Report, {type: 'done'}>['last']
}

/**
 * Copies the rows of all files into tables.
 *
 * @throws  Refusal: the reason why the files cannot be loaded
 */
export async function pump(transaction: Transaction, task: ImportTask, options: PumpOptions): Promise<Pumped> {
  const {targets, frozen, signal} = options
  const total = sizeOf(task.files)
  const thread = startThread(fileBeside(import.meta.url, 'import-worker'), {workerData: task})
  const reports: Report[] = []
  const wake = new EventTarget()
  const receive = (report: Report) => {
    reports.push(report)
    wake.dispatchEvent(new Event('report'))
  }
  thread.on('message', receive)
  thread.on('error', error => receive({type: 'failed', message: error.stack ?? error.message}))
  const onAbort = () => receive({type: 'refused', message: 'Interrupted: nothing was loaded.'})
  signal.addEventListener('abort', onAbort)
  let quads = 0
  let faults = 0
  try {
    for (;;) {
      const report = reports.shift()
      if (report === undefined) {
        await once(wake, 'report')
        continue
      }
      switch (report.type) {
        case 'batch':
          quads = report.quads
          await copyBatch(transaction, targets, report.batch, {frozen})
          thread.postMessage('stored')
          options.onProgress(quads, total === undefined ? undefined : report.bytes / total)
          break
        case 'fault':
          faults++
          options.onFault(report.fault)
          break
        case 'bad-input':
          throw new Refusal(`${showFault(report.fault)}\nNothing was loaded.`)
        case 'refused':
          throw new Refusal(report.message)
        case 'failed':
          throw new Error(report.message)
        case 'done':
          return {quads, faults, last: report.last}
      }
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    await thread.terminate()
  }
}

/** The total size of files in bytes; undefined if it is 0 or one of them is not a regular file. */
function sizeOf(files: readonly string[]): number | undefined {
  let size = 0
  for (const file of files) {
    const stat = file === '-' ? undefined : statSync(file, {throwIfNoEntry: false})
    if (!stat?.isFile()) return undefined
    size += stat.size
  }
  return size === 0 ? undefined : size
}

/** `FILE:LINE:COLUMN: message` */
export function showFault({file, line, column, message}: Fault): string {
  const place = [file, line, line === undefined ? undefined : column].filter(part => part !== undefined)
  return `${place.join(':')}: ${message}`
}
