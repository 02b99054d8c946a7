/**
 * `quadstead import`: loads files into the dataset.
 */

import {Refusal} from '../base/refusal.ts'
import {openDataset} from '../db/store/dataset.ts'
import {migrate} from '../db/store/migrate.ts'
import type {ReadableFormat} from '../format/formats.ts'
import {isAbsoluteIri} from '../rdf/iri.ts'
import type {Config} from '../settings/config.ts'
import {sqlDirectory} from '../sql-directory.ts'
import {openStorage, type Storage} from '../storage.ts'
import {importFiles, type Summary} from '../transfer/import.ts'
import {importHistory, openHistory} from '../transfer/import-history.ts'
import {inputNames} from '../transfer/input.ts'
import {showFault} from '../transfer/pump.ts'
import {type Arguments, type Command, complain, count, isOptionGiven, print, textOption} from './command.ts'
import {createProgressLine} from './progress.ts'

export const importCommand: Command = {
  name: 'import',
  summary: 'load files of RDF, fast: documents, or with --raw graphs of any name',
  usage: '[--raw | --replace | --merge] [--skip-bad] [--format FORMAT] [--graph IRI] FILE… | --history FILE',
  options: {
    history: {type: 'boolean'},
    raw: {type: 'boolean'},
    replace: {type: 'boolean'},
    merge: {type: 'boolean'},
    'skip-bad': {type: 'boolean'},
    format: {type: 'string'},
    graph: {type: 'string'},
  },
  formats: [...inputNames.keys()],
  operands: {least: 1, most: Number.POSITIVE_INFINITY},
  help: `Each named graph becomes a document of this dataset (BASE_URL), as "quadstead export" wrote it: with its times,
kind, members and access points. What the service adds to documents is added where the files lack it. All files are
loaded, or none of them: an error is reported with file, line and column, and nothing is changed.

Loading is fastest into an empty dataset. The service may run meanwhile.

  FILE             ${[...inputNames.values()].map(({name, extensions}) => `${name} (.${extensions[0]})`).join(', ')},
                   also compressed with gzip; - is the standard input
  --format FORMAT  ${[...inputNames.keys()].join(', ')}; if the file's extension does not say it
  --graph IRI      document or graph of statements that name none, and base of relative IRIs
  --raw            store graphs of any name as they are: queries see them, but they are not documents
  --replace        documents that exist get the graphs of the files, as by PUT; without it they are an error
  --merge          documents that exist get the triples of the files besides their own
  --skip-bad       report and skip invalid lines (of N-Quads and N-Triples; other formats: files)
  --history        the file is from "quadstead export --history", and the dataset is new

Examples:
  quadstead import backup.nq.gz
  quadstead import --history history.jsonl.gz
  quadstead import --graph https://example.org/books/ books.ttl
  generate | quadstead import --raw --format nquads -

Exit codes: 0 everything was loaded; 1 nothing; 3 everything except what --skip-bad reported.`,
  run: runImport,
}

async function runImport(config: Config, parameters: Arguments): Promise<number> {
  if (isOptionGiven(parameters, 'history')) return runHistoryImport(config, parameters)
  const format = formatOption(parameters)
  const graph = textOption(parameters, 'graph')
  if (graph !== undefined && !isAbsoluteIri(graph))
    throw new Refusal(`--graph must be an absolute IRI, got "${graph}".`)
  const isRaw = isOptionGiven(parameters, 'raw')
  const existing = existingOption(parameters)
  const storage = await openAlone(config)
  const progress = createProgressLine()
  const interruption = watchInterruption()
  const from = performance.now()
  try {
    const {schema} = config.database
    await migrate(storage.database, {schema, directory: sqlDirectory})
    const defaultBase = `http://localhost:${config.port}/`
    const {base} = await openDataset(storage.database, {...config, schema, defaultBase})
    const summary = await importFiles(storage.database, {
      schema,
      base,
      files: parameters.operands,
      format,
      graph,
      isRaw,
      existing,
      skipsBad: isOptionGiven(parameters, 'skip-bad'),
      onFault(fault) {
        progress.clear()
        complain(showFault(fault))
      },
      onProgress: ({phase, quads, share}) => progress.show(`${phase} ${count(quads, 'quad')}`, share),
      signal: interruption.signal,
    })
    progress.clear()
    print(describe(summary, {isRaw, ms: performance.now() - from}))
    return summary.faults === 0 ? 0 : 3
  } finally {
    progress.clear()
    interruption.end()
    await storage.close()
  }
}

/** A signal that aborts when the operator or the system ends the command. */
function watchInterruption(): {readonly signal: AbortSignal; readonly end: () => void} {
  const controller = new AbortController()
  const interrupt = () => controller.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  return {
    signal: controller.signal,
    end() {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
    },
  }
}

/** @throws  Refusal: the options do not go with --history, or the file is not for this dataset */
async function runHistoryImport(config: Config, parameters: Arguments): Promise<number> {
  for (const name of ['raw', 'replace', 'merge', 'skip-bad', 'format', 'graph'])
    if (parameters.values[name] !== undefined)
      throw new Refusal(`--history and --${name} exclude each other.`, {exitCode: 2})
  const [name = '', ...others] = parameters.operands
  if (others.length > 0) throw new Refusal('--history takes one file, because it is a whole dataset.', {exitCode: 2})
  const file = await openHistory(name)
  const {base: defaultBase, platform} = file.head
  if (platform !== config.platformNamespace)
    throw new Refusal(`The file has the platform namespace ${platform}: set PLATFORM_NS to it.`)
  const storage = await openAlone(config)
  const progress = createProgressLine()
  const interruption = watchInterruption()
  const from = performance.now()
  try {
    const {schema} = config.database
    await migrate(storage.database, {schema, directory: sqlDirectory})
    const {base} = await openDataset(storage.database, {...config, schema, defaultBase})
    if (base !== defaultBase)
      throw new Refusal(
        `The file is of ${defaultBase}, and the dataset of ${base}. "quadstead rebase" can change a base.`,
      )
    const {signal} = interruption
    const {documents, changes} = await importHistory(storage.database, file, {
      schema,
      signal,
      onProgress: done => progress.show(`${count(done.triples, 'quad')}, ${count(done.changes, 'change')}`, undefined),
    })
    progress.clear()
    const seconds = ((performance.now() - from) / 1000).toFixed(1)
    print(`${count(documents, 'document')}, ${count(changes, 'change')} in ${seconds} s`)
    return 0
  } finally {
    progress.clear()
    interruption.end()
    await storage.close()
  }
}

/**
 * Opens the database with one connection that keeps its session, because the import uses temporary tables.
 *
 * @throws Refusal: the connection goes through a pooler in transaction mode
 */
async function openAlone(config: Config): Promise<Storage> {
  const database = {...config.database, connectionMax: 1, keepsSessions: true, statementTimeoutMs: 0}
  const storage = await openStorage({...config, database}, 'command')
  if (storage.isPooled !== true) return storage
  await storage.close()
  throw new Refusal(
    'An import needs a connection of its own, not a pooler in transaction mode: set DATABASE_URL to one.',
  )
}

/** @throws Refusal: options that exclude each other */
function existingOption(parameters: Arguments): 'replace' | 'merge' | undefined {
  const given = (['raw', 'replace', 'merge'] as const).filter(name => isOptionGiven(parameters, name))
  const [only] = given
  if (given.length > 1)
    throw new Refusal(`${given.map(name => `--${name}`).join(' and ')} exclude each other.`, {exitCode: 2})
  return only === 'raw' ? undefined : only
}

function formatOption(parameters: Arguments): ReadableFormat | undefined {
  const text = textOption(parameters, 'format')
  if (text === undefined) return undefined
  const format = inputNames.get(text)
  if (format === undefined)
    throw new Refusal(`--format must be one of ${[...inputNames.keys()].join(', ')}, got "${text}".`)
  return format
}

function describe({quads, documents, faults, isMerged}: Summary, {isRaw, ms}: {isRaw: boolean; ms: number}): string {
  const seconds = ms / 1000
  const how = isMerged ? ', merged with what the dataset held' : ''
  const skipped = faults === 0 ? '' : `, ${count(faults, 'fault')} skipped`
  const rate = Math.round(quads / seconds).toLocaleString('en')
  const what = count(documents, isRaw ? 'graph' : 'document')
  return `${count(quads, 'quad')}, ${what} in ${seconds.toFixed(1)} s (${rate} quads/s)${how}${skipped}`
}
