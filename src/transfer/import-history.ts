/**
 * Imports a dataset with its change log from the lines of an export with history, in one transaction.
 *
 * Reads the file once, in batches: the terms of a batch get their ids, and then its rows are copied. Positions, entity
 * tags, times and labels of blank nodes stay as they are. Uses constant memory, besides the terms that have left the
 * dictionary.
 */
import {createHash} from 'node:crypto'
import {Problem} from '../base/problem.ts'
import {Refusal} from '../base/refusal.ts'
import {beginHistory, copyHistory, endHistory, type HistoryHead, type HistoryTable} from '../db/bulk/history-store.ts'
import {unlimited, vacuumStore} from '../db/bulk/import-store.ts'
import type {Database, Transaction} from '../db/connection/pool.ts'
import {statement} from '../format/nquads-statement.ts'
import {HistoryIds} from './history-ids.ts'
import {type HistoryCounts, type HistoryLine, historyVersion, readHistoryLine} from './history-lines.ts'
import {readInput} from './input.ts'
import {showFault} from './pump.ts'

export type HistoryFile = {
  readonly name: string
  readonly head: HistoryHead
  readonly batches: AsyncGenerator<readonly Numbered[]> // the lines after the head, except the last
  readonly counts: () => HistoryCounts // what the last line says, when all others have been read
}

type Numbered = {readonly line: HistoryLine; readonly number: number}

const batchLength = 1 << 21 // characters
const lineLimit = 1 << 28 // bytes

/**
 * Opens a file and reads its first line.
 *
 * @throws  Refusal: it is not an export with history
 */
export async function openHistory(name: string): Promise<HistoryFile> {
  const digest = createHash('sha256')
  const texts = linesOf(readInput(name, () => undefined))
  let number = 0
  const fail = (message: string, cause?: unknown): never => {
    throw new Refusal(`${showFault({file: name, line: number, column: undefined, message})}\nNothing was loaded.`, {
      cause,
    })
  }
  async function next(): Promise<{readonly text: string; readonly line: HistoryLine} | undefined> {
    const {value: text, done} = await texts.next()
    if (done) return undefined
    number++
    try {
      return {text, line: readHistoryLine(text)}
    } catch (error) {
      return fail(error instanceof Error ? error.message : '', error)
    }
  }
  const first = (await next()) ?? fail('The file is empty.')
  if (!('quadstead' in first.line)) return fail('The first line is not that of an export with history.')
  if (first.line.version !== historyVersion)
    return fail(`The file has version ${first.line.version} of the format, and this program reads ${historyVersion}.`)
  digest.update(`${first.text}\n`)
  let counts: HistoryCounts | undefined
  async function* batches(): AsyncGenerator<readonly Numbered[]> {
    let batch: Numbered[] = []
    let length = 0
    for (let given = await next(); given !== undefined; given = await next()) {
      const {line, text} = given
      if (counts !== undefined) fail('There is a line after the last.')
      if ('quadstead' in line) fail('There is a second first line.')
      if ('end' in line) {
        if (line.sha256 !== digest.digest('hex'))
          fail('The file was changed: its SHA-256 is not that of its last line.')
        counts = line
        continue
      }
      digest.update(`${text}\n`)
      batch.push({line, number})
      length += text.length
      if (length < batchLength) continue
      yield batch
      batch = []
      length = 0
    }
    yield batch
  }
  return {
    name,
    head: first.line,
    batches: batches(),
    counts: () => counts ?? fail('The file is not complete: its last line is missing.'),
  }
}

/** The lines of a file, without their ends. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, end)]).toString()
      rest = []
      length = 0
      from = end + 1
    }
    rest.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > lineLimit) throw new Refusal(`A line is longer than ${lineLimit} bytes.\nNothing was loaded.`)
  }
  if (length > 0) yield Buffer.concat(rest).toString()
}

export type ImportHistoryOptions = {
  readonly schema: string
  readonly onProgress: (counts: HistoryCounts) => void
  readonly signal: AbortSignal
}

/**
 * Loads a file into an empty dataset with the same base.
 *
 * @param database  a pool of one connection that keeps its session
 * @throws          Refusal: the reason why nothing was loaded
 */
export async function importHistory(
  database: Database,
  file: HistoryFile,
  {schema, onProgress, signal}: ImportHistoryOptions,
): Promise<HistoryCounts> {
  try {
    const counts = await database.begin('read committed', async transaction => {
      await unlimited(transaction)
      await beginHistory(transaction, schema)
      const loader = new HistoryLoader(transaction, schema, file)
      for await (const batch of file.batches) {
        if (signal.aborted) throw new Refusal('Interrupted: nothing was loaded.')
        await loader.load(batch)
        onProgress(loader.counts)
      }
      const expected = file.counts()
      for (const name of ['documents', 'graphs', 'triples', 'changes'] as const)
        if (expected[name] !== loader.counts[name])
          throw new Refusal(`The file has ${loader.counts[name]} ${name} instead of ${expected[name]}.`)
      await endHistory(transaction, schema, file.head)
      return loader.counts
    })
    await vacuumStore(database, schema)
    return counts
  } catch (error) {
    if (error instanceof Problem) throw new Refusal(`${error.message}\nNothing was loaded.`, {cause: error})
    throw error
  }
}

type Cell = string | null // of COPY's text format, without escapes; null: no value

class HistoryLoader {
  readonly counts = {documents: 0, graphs: 0, triples: 0, changes: 0}
  readonly #transaction: Transaction
  readonly #schema: string
  readonly #file: HistoryFile
  readonly #ids: HistoryIds
  #graph = '' // name of the graph to which the next triples belong
  #change = '' // position of the change to which they belong
  #parts = 0 // of this change

  constructor(transaction: Transaction, schema: string, file: HistoryFile) {
    this.#transaction = transaction
    this.#schema = schema
    this.#file = file
    this.#ids = new HistoryIds(transaction, schema)
  }

  async load(batch: readonly Numbered[]): Promise<void> {
    const rows = new Map<HistoryTable, (() => readonly Cell[])[]>()
    for (const {line, number} of batch) {
      try {
        this.#read(line, (table, row) => {
          const own = rows.get(table) ?? []
          own.push(row)
          rows.set(table, own)
        })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const fault = {file: this.#file.name, line: number, column: undefined, message: error.message}
        throw new Refusal(`${showFault(fault)}\nNothing was loaded.`, {cause: error})
      }
    }
    await this.#ids.find()
    for (const [table, own] of rows) {
      const lines = own.map(row => `${row().map(copied).join('\t')}\n`)
      await copyHistory(this.#transaction, {schema: this.#schema, table}, lines)
    }
  }

  /** Reads a line. The rows are made when their terms have ids. */
  #read(line: HistoryLine, put: (table: HistoryTable, row: () => readonly Cell[]) => void): void {
    const resource = (iri: string | null): (() => Cell) => (iri === null ? () => null : this.#ids.note(`<${iri}>`))
    if ('name' in line) {
      const of = this.#ids.note(`<${line.of}>`)
      put('old_name', () => [of(), line.until, line.name])
    } else if ('document' in line && 'tag' in line) {
      const {tag, created, modified, isAccessPoint} = line
      if (!line.document.startsWith(this.#file.head.base))
        throw new Refusal(`The document <${line.document}> is not below the base <${this.#file.head.base}>.`)
      const [id, parent] = [resource(line.document), resource(line.parent)]
      const [relation, memberBy] = [resource(line.memberRelation), resource(line.memberBy)]
      put('history_document', () => [
        ...[id(), parent(), tag, created, modified, String(isAccessPoint), relation(), memberBy()],
      ])
      this.counts.documents++
      this.#readGraph(line.document, line.triples, put)
    } else if ('graph' in line) {
      const id = resource(line.graph)
      put('history_graph', () => [id()])
      this.counts.graphs++
      this.#readGraph(line.graph, line.triples, put)
    } else if ('more' in line) {
      if (line.more !== this.#graph) throw new Refusal(`The triples do not follow others of <${line.more}>.`)
      this.#readGraph(line.more, line.triples, put)
    } else if ('change' in line) {
      const own = [line.before, line.after, line.isAccessPoint === null ? null : String(line.isAccessPoint)]
      const who = [line.action, line.agent, line.request]
      const places = [line.document, line.parent, line.memberBy, line.realm].map(resource)
      const arrays = this.#arrays(line)
      const {change, transaction, time} = line
      put('change', () => [change, transaction, time, ...places.map(place => place()), ...own, ...who, ...arrays()])
      this.counts.changes++
      this.#change = change
      this.#parts = 0
    } else if ('moreOf' in line) {
      if (line.moreOf !== this.#change)
        throw new Refusal(`The triples do not follow others of the change ${line.moreOf}.`)
      const arrays = this.#arrays(line)
      this.#parts++
      const part = String(this.#parts)
      put('history_more', () => [line.moreOf, part, ...arrays()])
    }
  }

  #readGraph(name: string, triples: string, put: (table: HistoryTable, row: () => readonly Cell[]) => void): void {
    this.#graph = name
    const graph = this.#ids.note(`<${name}>`)
    for (const terms of this.#triples(triples)) {
      put('history_quad', () => [graph(), ...terms.map(term => term())])
      this.counts.triples++
    }
  }

  #arrays({added, removed}: {added: string | null; removed: string | null}): () => readonly Cell[] {
    const lists = [added, removed].map(text => (text === null ? null : this.#triples(text)))
    return () =>
      lists.flatMap(list =>
        [0, 1, 2].map(part => (list === null ? null : `{${list.map(terms => terms[part]?.()).join(',')}}`)),
      )
  }

  #triples(text: string): readonly (readonly (() => string)[])[] {
    const found: (readonly (() => string)[])[] = []
    for (let at = 0; at < text.length; at = statement.lastIndex) {
      statement.lastIndex = at
      const [, subject, predicate, object, graph] = statement.exec(text) ?? []
      if (subject === undefined || predicate === undefined || object === undefined || graph !== undefined)
        throw new Refusal(`This is not a triple of an export: ${JSON.stringify(text.slice(at, at + 80))}.`)
      found.push([subject, predicate, object].map(token => this.#ids.note(token)))
    }
    return found
  }
}

/** A cell of COPY's text format. */
function copied(cell: Cell): string {
  if (cell === null) return '\\N'
  return /[\\\t\n\r]/.test(cell)
    ? cell.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    : cell
}
