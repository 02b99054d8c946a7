/**
 * Files into a dataset: all of them, or nothing.
 *
 * What is visible changes in one transaction at the end; sql/functions/85_import.sql says how, in an empty
 * dataset and in one that holds documents.
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
import type {Iri} from '../rdf/term.ts'
import type {Fault} from './file-loader.ts'
import type {Task} from './import-worker.ts'
import {formatOf, type InputFormat} from './input.ts'
import {type Pumped, type PumpOptions, pump, showFault} from './pump.ts'

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
  readonly replaceWithinMs?: number // for a moment in which others leave the tables of an empty dataset
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
  readonly isMerged: boolean // with what the dataset held
}

const tableWaitMs = 40 // the longest that requests are held up by one try to exchange tables
const replaceWithinMs = 30_000

/**
 * Loads files.
 *
 * @param database  one connection, which keeps its session
 * @throws          Refusal: why nothing was loaded
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

/** The data are loaded all the same. */
function reportNotVacuumed(error: unknown): void {
  const message = `the data are loaded, but VACUUM (ANALYZE) failed, so queries are slow at first: ${String(error)}`
  observe({kind: 'database-notice', severity: 'WARNING', message})
}

type Read = Pick<Pumped, 'quads' | 'faults'>

/**
 * An empty dataset's load, in one transaction: into new tables, which take the place of the old ones.
 *
 * @returns  undefined when that cannot be; without documents when the rows are staged, because others wrote meanwhile
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

/** @returns  the number of documents; undefined when the old tables are not as they were or not left in time */
async function replaceTables(
  transaction: Transaction,
  {schema, signal, replaceWithinMs: limitMs = replaceWithinMs}: ImportOptions,
  last: Pumped['last'],
): Promise<number | undefined> {
  if (await callImport(transaction, schema, 'import_is_overtaken')) return undefined
  const documents = Number(await callImport(transaction, schema, 'import_documents'))
  await callImport(transaction, schema, 'import_finish_tables')
  await callImport(transaction, schema, 'import_indexes')
  await awaitLog(transaction)
  const values = [last.term, last.blankNode, tableWaitMs]
  for (const end = performance.now() + limitMs; ; ) {
    if (signal.aborted) throw new Refusal('Interrupted: nothing was loaded.')
    const outcome = await callImport(transaction, schema, 'import_replace', values)
    if (outcome === 'replaced') return documents
    if (outcome === 'overtaken' || performance.now() > end) return undefined
    await delay(5 * tableWaitMs * (1 + Math.random())) // requests that were held up are answered meanwhile
  }
}

/** Lets the server write its log, for a second at most: the commit writes the rest while it holds the tables. */
async function awaitLog(transaction: Transaction): Promise<void> {
  for (let tries = 0; tries < 10 && (await isLogBehind(transaction)); tries++) await delay(100)
}

/**
 * Merges rows with what the dataset holds, in a transaction of its own.
 *
 * @param read  undefined: nothing is staged yet
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
    const count = Number(await callImport(transaction, schema, 'import_documents'))
    await callImport(transaction, schema, 'import_merge', [firstNew])
    return count
  })
  return {quads, faults, documents, isMerged: true}
}

/** Stages rows in tables of the session. Their ids are the load's own. */
async function stage(transaction: Transaction, options: ImportOptions): Promise<Read> {
  const {schema} = options
  await callImport(transaction, schema, 'import_staging')
  const known = await readKnownTerms(transaction, schema, {isEmpty: false})
  const ids = {nextTerm: 1000, nextBlankNode: 1, known, keepsLabels: false, listsBlankNodes: true}
  return pump(transaction, taskOf(options, ids), pumpOptions(options, stagingTargets, []))
}

type Ids = Pick<Task, 'nextTerm' | 'nextBlankNode' | 'known' | 'keepsLabels' | 'listsBlankNodes'>

function taskOf({files, format, graph, base, isRaw, skipsBad}: ImportOptions, ids: Ids): Task {
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

/** What SQL refused, with the place of the document. */
function placed({message, members}: Problem, files: readonly string[]): string {
  const {file, line} = members
  const name = typeof file === 'number' ? files[file] : undefined
  const fault = {file: name ?? '', line: line === 0 ? undefined : line, column: undefined, message}
  return `${name === undefined ? message : showFault(fault)}\nNothing was loaded.`
}
