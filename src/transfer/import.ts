/**
 * Files into a dataset: all of them, or nothing.
 *
 * Floor 4. A thread of its own reads and encodes, this one stores, PostgreSQL works beside both. What is visible
 * changes in one transaction at the end; sql/functions/85_import.sql says how, beside a working service and without.
 */
import {once} from 'node:events'
import {statSync} from 'node:fs'
import {observe} from '../base/observation.ts'
import {Problem} from '../base/problem.ts'
import {Refusal} from '../base/refusal.ts'
import {fileBeside, startThread} from '../base/thread.ts'
import {
  callImport,
  copyBatch,
  emptyTargets,
  type ImportState,
  readImportState,
  readKnownTerms,
  stagingTargets,
  type Targets,
  unlimited,
  vacuumStore,
} from '../db/import-store.ts'
import type {Database, Transaction} from '../db/pool.ts'
import type {Iri} from '../rdf/term.ts'
import type {Fault} from './file-loader.ts'
import type {Report, Task} from './import-worker.ts'
import {formatOf, type InputFormat} from './input.ts'

export type ImportOptions = {
  readonly schema: string
  readonly base: Iri
  readonly files: readonly string[] // '-': the standard input
  readonly format: InputFormat | undefined // undefined: each by its name
  readonly graph: Iri | undefined // of statements that name none
  readonly isRaw: boolean
  readonly skipsBad: boolean
  readonly onFault: (fault: Fault) => void
  readonly onProgress: (progress: Progress) => void
  readonly signal: AbortSignal
}

export type Progress = {
  readonly phase: 'reading' | 'storing'
  readonly quads: number
  readonly share: number | undefined // of the input's bytes; undefined when their number is not known
}

export type Summary = {
  readonly quads: number // statements taken
  readonly documents: number // or graphs, when they are loaded as they are
  readonly faults: number
  readonly isBeside: boolean // merged into a dataset in use
}

/**
 * Loads files.
 *
 * @param database  one connection, which keeps its session
 * @throws          Refusal: why nothing was loaded
 */
export async function importFiles(database: Database, options: ImportOptions): Promise<Summary> {
  for (const file of options.files) if (options.format === undefined) formatOf(file)
  const state = await readImportState(database, options.schema)
  try {
    const loaded = state.isEmpty && !state.isInUse ? await loadEmpty(database, options, state) : undefined
    const summary = loaded ?? (await loadBeside(database, options, state))
    await vacuumStore(database, options.schema).catch(reportNotVacuumed)
    return summary
  } catch (error) {
    if (error instanceof Problem) throw new Refusal(placed(error, options.files), {cause: error})
    throw error
  }
}

/** The data are loaded all the same. */
function reportNotVacuumed(error: unknown): void {
  const message = `the data are loaded, but VACUUM (ANALYZE) failed, so queries are slow at first: ${String(error)}`
  observe({kind: 'database-notice', severity: 'WARNING', message})
}

/** The whole load in one transaction. @returns undefined when the dataset is not empty any more */
async function loadEmpty(database: Database, options: ImportOptions, state: ImportState): Promise<Summary | undefined> {
  const {schema} = options
  const known = await readKnownTerms(database, schema, true)
  return database.begin('read committed', async transaction => {
    await unlimited(transaction)
    if (!(await callImport(transaction, schema, 'import_empty'))) return undefined
    const keepsLabels = !options.isRaw && !state.hasBlankNodes
    const task = taskOf(options, state, {known, keepsLabels, listsBlankNodes: false})
    const {last, ...read} = await pump(transaction, emptyTargets(schema), {task, options, isFrozen: true})
    options.onProgress({phase: 'storing', quads: read.quads, share: undefined})
    const documents = Number(await callImport(transaction, schema, 'import_documents'))
    await callImport(transaction, schema, 'import_finish_empty')
    await callImport(transaction, schema, 'import_indexes', [last.term, last.blankNode])
    return {...read, documents, isBeside: false}
  })
}

/** Staged in tables of the session, and merged in a transaction of its own. */
async function loadBeside(database: Database, options: ImportOptions, state: ImportState): Promise<Summary> {
  const {schema} = options
  const known = await readKnownTerms(database, schema, false)
  const task = taskOf(options, state, {known, keepsLabels: false, listsBlankNodes: true})
  const inTransaction = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
    database.begin('read committed', async transaction => {
      await unlimited(transaction)
      return work(transaction)
    })
  const read = await inTransaction(async transaction => {
    await callImport(transaction, schema, 'import_staging')
    return pump(transaction, stagingTargets, {task, options, isFrozen: false})
  })
  options.onProgress({phase: 'storing', quads: read.quads, share: undefined})
  await inTransaction(transaction => callImport(transaction, schema, 'import_terms'))
  const documents = await inTransaction(async transaction => {
    await callImport(transaction, schema, 'import_renumber')
    const count = Number(await callImport(transaction, schema, 'import_documents'))
    await callImport(transaction, schema, 'import_merge')
    return count
  })
  return {quads: read.quads, faults: read.faults, documents, isBeside: true}
}

function taskOf(
  {files, format, graph, base, isRaw, skipsBad}: ImportOptions,
  {nextTerm, nextBlankNode}: ImportState,
  ids: Pick<Task, 'known' | 'keepsLabels' | 'listsBlankNodes'>,
): Task {
  return {files, format, graph, base, isRaw, skipsBad, nextTerm, nextBlankNode, ...ids}
}

type Pumped = Pick<Summary, 'quads' | 'faults'> & Pick<Extract<Report, {type: 'done'}>, 'last'>

/** From the thread into tables, until all files are read. */
async function pump(
  transaction: Transaction,
  targets: Targets,
  {task, options, isFrozen}: {readonly task: Task; readonly options: ImportOptions; readonly isFrozen: boolean},
): Promise<Pumped> {
  const total = sizeOf(task.files)
  const thread = startThread(fileBeside(import.meta.url, 'import-worker'), {workerData: task})
  const reports: Report[] = []
  const wake = new EventTarget()
  const tell = (report: Report) => {
    reports.push(report)
    wake.dispatchEvent(new Event('report'))
  }
  thread.on('message', tell)
  thread.on('error', error => tell({type: 'failed', message: error.stack ?? error.message}))
  const onAbort = () => tell({type: 'refused', message: 'Interrupted: nothing was loaded.'})
  options.signal.addEventListener('abort', onAbort)
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
          await copyBatch(transaction, targets, report.batch, {isFrozen})
          thread.postMessage('stored')
          options.onProgress({phase: 'reading', quads, share: total === undefined ? undefined : report.bytes / total})
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
    options.signal.removeEventListener('abort', onAbort)
    await thread.terminate()
  }
}

/** Bytes of all files; undefined when one of them does not say. */
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

/** What SQL refused, with the place of the document. */
function placed({message, members}: Problem, files: readonly string[]): string {
  const {file, line} = members
  const name = typeof file === 'number' ? files[file] : undefined
  const fault = {file: name ?? '', line: line === 0 ? undefined : line, column: undefined, message}
  return `${name === undefined ? message : showFault(fault)}\nNothing was loaded.`
}
