/**
 * `quadstead export`: writes the dataset to a file.
 */
import {createWriteStream} from 'node:fs'
import {rename, rm} from 'node:fs/promises'
import {Refusal} from '../base/refusal.ts'
import {createChecksumPool} from '../checksum/pool.ts'
import {unlimited} from '../db/bulk/import-store.ts'
import type {Database} from '../db/connection/pool.ts'
import {readVocabulary} from '../db/store/dataset.ts'
import type {ReadableFormat} from '../format/formats.ts'
import {isAbsoluteIri} from '../rdf/iri.ts'
import type {Config} from '../settings/config.ts'
import {openStorage} from '../storage.ts'
import {exportGraphs} from '../transfer/export.ts'
import {exportHistory} from '../transfer/export-history.ts'
import {outputFormats} from '../transfer/export-text.ts'
import {createGraphChecksums} from '../transfer/graph-checksums.ts'
import type {ManifestEnd} from '../transfer/manifest.ts'
import {writeExport, writeText} from '../transfer/write-export.ts'
import {type Arguments, type Command, complain, count, isOptionGiven, textOption} from './command.ts'
import {createProgressLine, readShare} from './progress.ts'
import {requireSchema} from './schema.ts'

const formatNames = [...outputFormats.keys()].join(', ')

export const exportCommand: Command = {
  name: 'export',
  summary: 'write all documents, or some, into a file that "quadstead import" reads',
  usage: '[--format FORMAT] [--subtree IRI] [--raw] [--output FILE] [--manifest FILE] | --history [--output FILE]',
  options: {
    history: {type: 'boolean'},
    format: {type: 'string'},
    subtree: {type: 'string'},
    raw: {type: 'boolean'},
    output: {type: 'string', short: 'o'},
    manifest: {type: 'string'},
  },
  formats: [...outputFormats.keys()],
  operands: {least: 0, most: 0},
  help: `Writes one snapshot, while the service works on, each document as a named graph: what is stored, with the
times, kinds and access points that the service keeps, and the memberships of children. Equal content gives equal
bytes.

  --format FORMAT   ${formatNames} (the default: nquads)
  --subtree IRI     only this document and those below it
  --raw             the graphs that were loaded with --raw, and no documents
  --output FILE     the file, packed when its name ends with .gz; else the standard output
  --manifest FILE   a line a document: c:checksum, entity tag, IRI; "quadstead check --manifest" compares
  --history         everything with the change log, as lines of JSON for "quadstead import --history"

Examples:
  quadstead export --output backup.nq.gz --manifest backup.txt
  quadstead export --history --output history.jsonl.gz
  quadstead export --subtree https://example.org/books/ --format trig > books.trig

Exit codes: 0 done; 1 cannot; a file that was begun is gone.`,
  run: runExport,
}

async function runExport(config: Config, parameters: Arguments): Promise<number> {
  if (isOptionGiven(parameters, 'history')) return runHistoryExport(config, parameters)
  const format = formatOption(parameters)
  const subtree = textOption(parameters, 'subtree')
  if (subtree !== undefined && !(isAbsoluteIri(subtree) && subtree.endsWith('/'))) {
    throw new Refusal(`--subtree must be a document's IRI, which ends with a slash, got "${subtree}".`)
  }
  const file = textOption(parameters, 'output')
  const manifestFile = textOption(parameters, 'manifest')
  const kind = isOptionGiven(parameters, 'raw') ? 'raw' : 'documents'
  const storage = await openStorage(config, 'command')
  const from = performance.now()
  try {
    await requireSchema(storage.database, config.database.schema)
    const job = {config, database: storage.database, format, subtree, kind} as const
    const {graphs, quads} = await writeFiles(files => writeSnapshot(job, files), file, manifestFile)
    const seconds = (performance.now() - from) / 1000
    const rate = Math.round(quads / seconds).toLocaleString('en')
    const what = count(graphs, kind === 'raw' ? 'graph' : 'document')
    complain(`${count(quads, 'quad')}, ${what} in ${seconds.toFixed(1)} s (${rate} quads/s)`)
    return 0
  } finally {
    await storage.close()
  }
}

type Job = {
  readonly config: Config
  readonly database: Database
  readonly format: ReadableFormat
  readonly subtree: string | undefined
  readonly kind: 'documents' | 'raw'
}

type Files = Pick<Parameters<typeof writeExport>[1], 'output' | 'manifest' | 'isPacked'>

/** Writes to `NAME.part` and renames the files when they are complete. */
async function writeFiles<End>(
  write: (files: Files) => Promise<End>,
  file: string | undefined,
  manifestFile: string | undefined,
): Promise<End> {
  const parts = [file, manifestFile].flatMap(name => (name === undefined ? [] : [[name, `${name}.part`] as const]))
  try {
    const output = file === undefined ? process.stdout : createWriteStream(`${file}.part`)
    const manifest = manifestFile === undefined ? undefined : createWriteStream(`${manifestFile}.part`)
    const fault = new Promise<never>((_, reject) => manifest?.once('error', reject))
    const isPacked = file?.endsWith('.gz') ?? false
    const end = await Promise.race([fault, write({output, manifest, isPacked})])
    for (const [name, part] of parts) await rename(part, name)
    return end
  } catch (error) {
    for (const [, part] of parts) await rm(part, {force: true})
    if (error instanceof Error && 'syscall' in error) throw new Refusal(`It cannot be written: ${error.message}.`)
    throw error
  }
}

/** @throws  Refusal: other options are given that do not go with --history, or there is no log */
async function runHistoryExport(config: Config, parameters: Arguments): Promise<number> {
  for (const name of ['format', 'subtree', 'raw', 'manifest'])
    if (parameters.values[name] !== undefined)
      throw new Refusal(`--history and --${name} exclude each other.`, {exitCode: 2})
  const {schema} = config.database
  const storage = await openStorage(config, 'command')
  const progress = createProgressLine()
  const from = performance.now()
  const done = {quads: 0, changes: 0}
  const onProgress = (quads: number, changes: number) => {
    Object.assign(done, {quads, changes})
    progress.show(`${count(quads, 'quad')}, ${count(changes, 'change')}`, undefined)
  }
  try {
    await requireSchema(storage.database, schema)
    const vocabulary = await readVocabulary(storage.database, schema)
    const write = (files: Files) =>
      storage.database.begin('repeatable read read only', async transaction => {
        await unlimited(transaction)
        await writeText(exportHistory(transaction, {schema, vocabulary, onProgress}), files)
      })
    await writeFiles(write, textOption(parameters, 'output'), undefined)
    progress.clear()
    const seconds = (performance.now() - from) / 1000
    complain(`${count(done.quads, 'quad')}, ${count(done.changes, 'change')} in ${seconds.toFixed(1)} s`)
    return 0
  } finally {
    progress.clear()
    await storage.close()
  }
}

async function writeSnapshot({config, database, format, subtree, kind}: Job, files: Files): Promise<ManifestEnd> {
  const {schema} = config.database
  const vocabulary = await readVocabulary(database, schema)
  const pool = createChecksumPool({queueLimit: Number.POSITIVE_INFINITY})
  const checksums = files.manifest === undefined ? undefined : createGraphChecksums(pool)
  const progress = createProgressLine()
  try {
    return await database.begin('repeatable read read only', async transaction => {
      await unlimited(transaction)
      const batches = exportGraphs(transaction, {schema, kind, subtree, vocabulary, checksums})
      const shareOf = kind === 'raw' ? () => undefined : await readShare(transaction, {schema, subtree})
      const onProgress = (graphs: number, quads: number) =>
        progress.show(`${count(quads, 'quad')}, ${count(graphs, 'graph')}`, shareOf(graphs))
      return writeExport(batches, {...files, format, onProgress})
    })
  } finally {
    progress.clear()
    await pool.close()
  }
}

function formatOption(parameters: Arguments): ReadableFormat {
  const text = textOption(parameters, 'format') ?? 'nquads'
  const format = outputFormats.get(text)
  if (format === undefined) throw new Refusal(`--format must be one of ${formatNames}, got "${text}".`)
  return format
}
