/**
 * Loads one file into the encoder: line by line for N-Triples and N-Quads, as a whole for other formats.
 *
 * A fast parser handles lines in canonical form (format/nquads-statement.ts). It passes any other line to the strict
 * parser of the format, so both accept the same language.
 */
import {isAscii, isUtf8} from 'node:buffer'
import {Problem} from '../base/problem.ts'
import {Refusal} from '../base/refusal.ts'
import {type ReadableFormat, readableFormats} from '../format/formats.ts'
import {statement} from '../format/nquads-statement.ts'
import {termText} from '../format/ntriples-write.ts'
import type {Parse} from '../format/types.ts'
import type {Iri, Quad} from '../rdf/term.ts'
import {readInput} from './input.ts'
import type {QuadEncoder} from './quad-encoder.ts'

/** A fault in the input, with its position. */
export type Fault = {
  readonly file: string
  readonly line: number | undefined // 1-based
  readonly column: number | undefined
  readonly message: string
}

export class BadInput extends Error {
  readonly fault: Fault

  constructor(fault: Fault, cause: unknown) {
    super(fault.message, {cause})
    this.fault = fault
  }
}

export type LoadOptions = {
  readonly encoder: QuadEncoder
  readonly base: Iri // resolves relative IRIs
  readonly onBytes: (bytes: number) => void
  /** Called between two portions of input, to send the rows encoded so far. */
  readonly onPortion: () => Promise<void>
  /** Called for each invalid statement, which is then skipped. If undefined, the first one throws. */
  readonly onFault: ((fault: Fault) => void) | undefined
}

const lineBased = readableFormats.flatMap(({name, isLineBased}) => (isLineBased ? [name] : [])).join(' and ')
const lineLimit = 1 << 28 // bytes; far above any sensible line, below the longest string of V8
const wholeLimit = 1 << 29 // bytes of a file that is parsed as a whole
const newline = 10
const emptyLine = /^[ \t]*(?:#.*)?\r?\n?$/

/** @throws BadInput: the first fault, unless the options have `onFault` */
export async function loadFile(file: string, format: ReadableFormat, options: LoadOptions): Promise<void> {
  const loader = new FileLoader(file, format, options)
  if (format.isLineBased) await loader.loadLines()
  else await loader.loadWhole()
}

class FileLoader {
  readonly #file: string
  readonly #options: LoadOptions
  readonly #format: ReadableFormat
  readonly #hasGraphs: boolean
  #reader: Promise<Parse> | undefined
  #line = 0

  constructor(file: string, format: ReadableFormat, options: LoadOptions) {
    this.#file = file
    this.#options = options
    this.#format = format
    this.#hasGraphs = format.hasGraphs
  }

  async loadLines(): Promise<void> {
    let rest: Buffer | undefined
    for await (const chunk of this.#bytes()) {
      const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk])
      const end = bytes.lastIndexOf(newline) + 1
      if (end > 0) await this.#loadText(bytes.subarray(0, end))
      rest = bytes.subarray(end)
      if (rest.length > lineLimit)
        this.#fail(new Refusal(`The line is longer than ${lineLimit} bytes.`), this.#line + 1)
      await this.#options.onPortion()
    }
    if (rest !== undefined && rest.length > 0) await this.#loadText(Buffer.concat([rest, Buffer.from('\n')]))
  }

  async loadWhole(): Promise<void> {
    const {encoder, base, onPortion} = this.#options
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of this.#bytes()) {
      chunks.push(chunk)
      size += chunk.length
      if (size <= wholeLimit) continue
      this.#fail(new Refusal(`The file is longer than ${wholeLimit} bytes; only ${lineBased} may be longer.`))
      return
    }
    let quads: readonly Quad[] = []
    try {
      quads = await this.#parse(Buffer.concat(chunks.splice(0)), base)
    } catch (error) {
      this.#fail(error)
    }
    for (const quad of quads) {
      this.#addQuad(quad, undefined)
      if (encoder.pendingBytes > 1 << 20) await onPortion()
    }
  }

  async #parse(bytes: Buffer, base: Iri): Promise<readonly Quad[]> {
    this.#reader ??= readerOf(this.#format)
    const parse = await this.#reader
    return parse(bytes, {base})
  }

  async *#bytes(): AsyncGenerator<Buffer> {
    try {
      yield* readInput(this.#file, this.#options.onBytes)
    } catch (error) {
      if (error instanceof Refusal || isMissing(error)) this.#fail(error)
      else throw error
    }
  }

  async #loadText(bytes: Buffer): Promise<void> {
    if (!isUtf8(bytes)) {
      await this.#loadBroken(bytes)
      return
    }
    const start = this.#line === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    const text = isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8', start)
    for (let at = 0; at < text.length; ) {
      at = this.#loadUsual(text, at)
      if (at === text.length) break
      const end = text.indexOf('\n', at) + 1
      this.#line++
      await this.#loadUnusual(text.slice(at, end))
      at = end
    }
  }

  /** Loads lines in canonical form. @returns the offset of the first line in another form */
  #loadUsual(text: string, from: number): number {
    const {encoder} = this.#options
    for (let at = from; ; at = statement.lastIndex) {
      statement.lastIndex = at
      const found = statement.exec(text)
      if (found === null) return at
      const [, subject = '', predicate = '', object = '', graph] = found
      if (graph !== undefined && !this.#hasGraphs) return at
      try {
        if (!encoder.add(subject, predicate, object, graph, this.#line + 1)) return at
      } catch (error) {
        this.#fail(error, this.#line + 1)
      }
      this.#line++
    }
  }

  async #loadUnusual(line: string): Promise<void> {
    if (emptyLine.test(line)) return
    try {
      const quads = await this.#parse(Buffer.from(line), this.#options.base)
      for (const quad of quads) this.#addQuad(quad, this.#line)
    } catch (error) {
      this.#fail(error, this.#line)
    }
  }

  /** Loads lines of which at least one is not valid UTF-8. */
  async #loadBroken(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(newline, at) + 1
      const line = bytes.subarray(at, end)
      if (isUtf8(line)) await this.#loadText(line)
      else this.#fail(new Refusal('The line is not UTF-8.'), ++this.#line)
      at = end
    }
  }

  #addQuad({subject, predicate, object, graph}: Quad, line: number | undefined): void {
    const name = graph.termType === 'DefaultGraph' ? undefined : termText(graph)
    try {
      const isTaken = this.#options.encoder.add(
        termText(subject),
        termText(predicate),
        termText(object),
        name,
        line ?? 0,
      )
      if (!isTaken) throw new Error(`a reader let a term pass that cannot be stored: ${termText(object)}`)
    } catch (error) {
      this.#fail(error, line)
    }
  }

  /** Passes a fault to `onFault`, or throws it. */
  #fail(error: unknown, line?: number): void {
    if (error instanceof BadInput) throw error
    if (!(error instanceof Problem || error instanceof Refusal || isMissing(error))) throw error
    const place = error instanceof Problem ? error.members : {}
    const message = (error instanceof Error ? error.message : '').replace(/ \(line \d+, column \d+\)$/, '')
    const fault = {file: this.#file, line: line ?? place.line, column: place.column, message}
    const {onFault} = this.#options
    if (onFault === undefined || isMissing(error)) throw new BadInput(fault, error)
    onFault(fault)
  }
}

/** Imports the strict parser of a format on first use: all take half a second, and canonical lines need none. */
async function readerOf({id}: ReadableFormat): Promise<Parse> {
  const {parserOf} = await import('../format/registry.ts')
  return parserOf(id)
}

/** Whether an error is a system error: the file cannot be read. */
function isMissing(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
