/**
 * Imports files into a dataset, all of them or nothing.
 *
 * One transaction at the end makes the imported data visible. sql/functions/bulk/import.sql explains how, for an empty
 * dataset and for one with documents.
 */

import {setTimeout as delay} from 'node:timers/promises'
import {observe} from '../base/observation.ts'
import {Problem} from '../base/problem.ts'
import {Refusal} from '../base/refusal.ts'
import {
  beginTables,
  callImport,
  isLogBehind,
  newTargets,
  readKnownTerms,
  stagingTargets,
  unlimited,
  vacuumStore,
} from '../db/bulk/import-store.ts'
import type {Database, Transaction} from '../db/connection/pool.ts'
import type {ReadableFormat} from '../format/formats.ts'
import {firstAfterVocabulary} from '../rdf/id-layout.ts'
import type {Iri} from '../rdf/term.ts'
import type {Fault} from './file-loader.ts'
import type {ImportTask} from './import-worker.ts'
import {formatOf} from './input.ts'
import {type Pumped, type PumpOptions, pump, showFault} from './pump.ts'

export type ImportOptions = {
  readonly schema: string
  readonly base: Iri
  readonly files: readonly string[] // '-' is the standard input
  readonly format: ReadableFormat | undefined // undefined: by the name of each file
  readonly graph: Iri | undefined // for statements without a graph name
  readonly isRaw: boolean
  readonly existing?: 'replace' | 'merge' | undefined // what to do with documents that exist; undefined: refuse them
  readonly skipsBad: boolean
  readonly onFault: (fault: Fault) => void
  readonly onProgress: (progress: Progress) => void
  readonly signal: AbortSignal
  readonly replaceWithinMs?: number // time to get the lock that replaces empty tables
}

export type Progress = {
  readonly phase: 'reading' | 'storing'
  readonly quads: number
  readonly share: number | undefined // of the input's bytes; undefined if the size is not known
}

export type Summary = {
  readonly quads: number // statements loaded
  readonly documents: number // graphs, for a raw import
  readonly faults: number
  readonly isMerged: boolean // into a dataset that had documents
}

const tableWaitMs = 40 // the longest time that one try to exchange tables blocks requests
const replaceWithinMs = 30_000

/**
 * Imports files.
 *
 * @param database  a pool of one connection that keeps its session
 * @throws          Refusal: the reason why nothing was loaded
 */
export async function importFiles(database: Database, options: ImportOptions): Promise<Summary> {
  for (const file of options.files) if (options.format === undefined) formatOf(file)
  try {
    const loaded = await loadTables(database, options)
    const summary = loaded?.documents === undefined ? await loadMerged(database, options, loaded) : loaded
    await vacuumStore(database, options.schema).catch(reportNotVacuumed)
    return summary
  } catch (error) {
    if (error instanceof Problem) throw new Refusal(placed(error, options.files), {cause: error})
    throw error
  }
}

/** Reports that VACUUM failed. The import itself has succeeded. */
function reportNotVacuumed(error: unknown): void {
  const message = `the data are loaded, but VACUUM (ANALYZE) failed, so queries are slow at first: ${String(error)}`
  observe({kind: 'database-notice', severity: 'WARNING', message})
}

type Read = Pick<Pumped, 'quads' | 'faults'>

/**
 * Loads an empty dataset in one transaction: fills new tables and replaces the old ones with them.
 *
 * @returns  undefined if this is not possible; a result without documents if the rows are only staged because other
 *           clients have written in the meantime
 */
async function loadTables(
  database: Database,
  options: ImportOptions,
): Promise<Summary | (Read & {readonly documents?: undefined}) | undefined> {
  const {schema} = options
  return database.begin('read committed', async transaction => {
    await unlimited(transaction)
    const tables = await beginTables(transaction, schema)
    if (tables === undefined) return undefined
    const known = await readKnownTerms(transaction, schema, {isEmpty: true})
    const keepsLabels = !options.isRaw && !tables.hasBlankNodes
    const task = taskOf(options, {...tables, known, keepsLabels, listsBlankNodes: false})
    const {last, ...read} = await pump(transaction, task, pumpOptions(options, newTargets(schema), ['terms']))
    options.onProgress({phase: 'storing', quads: read.quads, share: undefined})
    await transaction.script('savepoint import_loaded')
    const documents = await replaceTables(transaction, options, last)
    if (documents !== undefined) return {...read, documents, isMerged: false}
    await transaction.script('rollback to savepoint import_loaded')
    await callImport(transaction, schema, 'import_restage')
    return read
  })
}

/** @returns  the number of documents; undefined if the old tables have changed or the lock was not granted in time */
async function replaceTables(
  transaction: Transaction,
  {schema, signal, replaceWithinMs: limitMs = replaceWithinMs}: ImportOptions,
  last: Pumped['last'],
): Promise<number | undefined> {
  if (await callImport(transaction, schema, 'import_is_overtaken')) return undefined
  const documents = Number(await callImport(transaction, schema, 'import_documents', ['refuse']))
  await callImport(transaction, schema, 'import_finish_tables')
  await callImport(transaction, schema, 'import_indexes')
  await awaitLog(transaction)
  const values = [last.term, last.blankNode, tableWaitMs]
  for (const end = performance.now() + limitMs; ; ) {
    if (signal.aborted) throw new Refusal('Interrupted: nothing was loaded.')
    const outcome = await callImport(transaction, schema, 'import_replace', values)
    if (outcome === 'replaced') return documents
    if (outcome === 'overtaken' || performance.now() > end) return undefined
    await delay(5 * tableWaitMs * (1 + Math.random())) // lets blocked requests finish
  }
}

/** Waits up to a second for PostgreSQL to flush its WAL. The commit flushes the rest while it locks the tables. */
async function awaitLog(transaction: Transaction): Promise<void> {
  for (let tries = 0; tries < 10 && (await isLogBehind(transaction)); tries++) await delay(100)
}

/**
 * Merges rows into a dataset with documents, in a separate transaction.
 *
 * @param read  the result of staging; undefined if nothing is staged yet
 */
async function loadMerged(database: Database, options: ImportOptions, read: Read | undefined): Promise<Summary> {
  const {schema} = options
  const inTransaction = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
    database.begin('read committed', async transaction => {
      await unlimited(transaction)
      return work(transaction)
    })
  const {quads, faults} = read ?? (await inTransaction(transaction => stage(transaction, options)))
  options.onProgress({phase: 'storing', quads, share: undefined})
  const firstNew = String(await inTransaction(transaction => callImport(transaction, schema, 'import_terms')))
  const documents = await inTransaction(async transaction => {
    await callImport(transaction, schema, 'import_renumber')
    const count = Number(await callImport(transaction, schema, 'import_documents', [options.existing ?? 'refuse']))
    await callImport(transaction, schema, 'import_merge', [firstNew])
    return count
  })
  return {quads, faults, documents, isMerged: true}
}

/** Stages rows in temporary tables. Their ids are provisional, valid within this import only. */
async function stage(transaction: Transaction, options: ImportOptions): Promise<Read> {
  const {schema} = options
  await callImport(transaction, schema, 'import_staging')
  const known = await readKnownTerms(transaction, schema, {isEmpty: false})
  const ids = {nextTerm: firstAfterVocabulary, nextBlankNode: 1, known, keepsLabels: false, listsBlankNodes: true}
  return pump(transaction, taskOf(options, ids), pumpOptions(options, stagingTargets, []))
}

type Ids = Pick<ImportTask, 'nextTerm' | 'nextBlankNode' | 'known' | 'keepsLabels' | 'listsBlankNodes'>

function taskOf({files, format, graph, base, isRaw, skipsBad}: ImportOptions, ids: Ids): ImportTask {
  const {nextTerm, nextBlankNode, known, keepsLabels, listsBlankNodes} = ids
  const own = {nextTerm, nextBlankNode, known, keepsLabels, listsBlankNodes}
  return {files, format, graph, base, isRaw, skipsBad, ...own}
}

function pumpOptions(
  {onFault, onProgress, signal}: ImportOptions,
  targets: PumpOptions['targets'],
  frozen: PumpOptions['frozen'],
): PumpOptions {
  return {
    targets,
    frozen,
    onFault,
    onProgress: (quads, share) => onProgress({phase: 'reading', quads, share}),
    signal,
  }
}

/** The message of a Problem from SQL, with the file and line of the document. */
function placed({message, members}: Problem, files: readonly string[]): string {
  const {file, line} = members
  const name = typeof file === 'number' ? files[file] : undefined
  const fault = {file: name ?? '', line: line === 0 ? undefined : line, column: undefined, message}
  return `${name === undefined ? message : showFault(fault)}\nNothing was loaded.`
}
