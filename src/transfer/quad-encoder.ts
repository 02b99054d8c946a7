/**
 * Encodes statements, given as tokens, to rows for COPY: terms, quads, documents, and links.
 *
 * Without `isRaw`, each graph must be a valid document below the base; others are refused. A triple whose object is one
 * path segment below its document may be a containment or membership triple, which is derived and not stored. Such
 * triples are the links. sql/functions/bulk/import.sql decides about them when all documents are known.
 */

import {Refusal} from '../base/refusal.ts'
import {CopyRows} from '../db/bulk/copy-rows.ts'
import {firstAfterVocabulary} from '../rdf/id-layout.ts'
import {parentOf} from '../rdf/iri.ts'
import type {Iri} from '../rdf/term.ts'
import {DocumentRows, vocabularyIds} from './document-rows.ts'
import type {TermIds} from './term-ids.ts'

export type EncoderOptions = {
  readonly isRaw: boolean
  readonly base: Iri
  readonly graph: Iri | undefined // for statements without a graph name
}

/** Rows for each table in the binary format of COPY. */
export type Batch = {
  readonly terms: Uint8Array<ArrayBuffer>
  readonly quads: Uint8Array<ArrayBuffer>
  readonly documents: Uint8Array<ArrayBuffer>
  readonly links: Uint8Array<ArrayBuffer>
  readonly graphs: Uint8Array<ArrayBuffer>
}

const documentPath = /^[^?#]*$/
const rememberedQuads = 32 // of one subject in one graph; duplicates are usually close together

export class QuadEncoder {
  readonly #options: EncoderOptions
  readonly #ids: TermIds
  readonly #documents = new DocumentRows()
  readonly #quads = new CopyRows(1 << 20)
  readonly #links = new CopyRows(1 << 12)
  readonly #graphs = new CopyRows(1 << 12)
  #file = 0
  #graph = ''
  #graphHigh = 0
  #graphLow = 0
  #subject = ''
  #subjectHigh = 0
  #subjectLow = 0
  #stem = '' // the subject's token without the final '>'
  #count = 0
  readonly #recent = new Int32Array(4 * rememberedQuads) // predicate and object, two words each
  #recentCount = 0

  constructor(ids: TermIds, options: EncoderOptions) {
    this.#ids = ids
    this.#options = options
  }

  /** The number of statements added so far. */
  get count(): number {
    return this.#count
  }

  /** The size of the pending rows in bytes. */
  get pendingBytes(): number {
    return this.#quads.length + this.#ids.rows.length
  }

  beginFile(file: number): void {
    this.#file = file
    this.#graph = ''
    this.#ids.beginScope()
  }

  /**
   * Adds one statement.
   *
   * @param line  1-based, for messages
   * @returns     false if one of the tokens is not in canonical form; then nothing was added
   * @throws      Refusal: the reason why the statement cannot be loaded
   */
  add(subject: string, predicate: string, object: string, graph: string | undefined, line: number): boolean {
    const ids = this.#ids
    const name = graph ?? this.#defaultGraph()
    if (name !== this.#graph && !this.#openGraph(name, line)) return false
    const owner = this.#options.isRaw ? 0 : this.#graphLow
    if (subject !== this.#subject || subject.charCodeAt(0) === 95) {
      if (!ids.find(subject, owner)) return false
      this.#subject = ` ${subject}`.slice(1)
      this.#recentCount = 0
      this.#stem = subject.slice(0, -1)
      this.#subjectHigh = ids.high
      this.#subjectLow = ids.low
    }
    if (!ids.find(predicate, 0)) return false
    const predicateHigh = ids.high
    const predicateLow = ids.low
    if (!ids.find(object, owner)) return false
    const isOwn = this.#subjectLow === this.#graphLow && this.#subjectHigh === this.#graphHigh
    if (!this.#options.isRaw) {
      if (isOwn && predicateHigh === 0 && predicateLow < firstAfterVocabulary) {
        if (predicateLow === vocabularyIds.contains) this.#requireChild(object)
        if (!this.#documents.note(predicateLow, ids.high, ids.low)) return this.#counted()
      }
      if (object.length > subject.length && this.#isBelow(object)) {
        this.#write(this.#links, predicateHigh, predicateLow)
        return this.#counted()
      }
    }
    if (this.#isRepeated(predicateHigh, predicateLow)) return this.#counted()
    this.#write(this.#quads, predicateHigh, predicateLow)
    return this.#counted()
  }

  /** Removes and returns the pending rows. */
  take(): Batch {
    return {
      terms: this.#ids.rows.take(),
      quads: this.#quads.take(),
      documents: this.#documents.rows.take(),
      links: this.#links.take(),
      graphs: this.#graphs.take(),
    }
  }

  /** Ends a file: call it after the last statement. */
  endFile(): void {
    this.#documents.close()
    this.#graph = ''
  }

  /** Whether one of the last `rememberedQuads` statements of this subject has the same predicate and object. */
  #isRepeated(predicateHigh: number, predicateLow: number): boolean {
    const {high, low} = this.#ids
    const recent = this.#recent
    const count = Math.min(this.#recentCount, rememberedQuads)
    for (let at = 0; at < 4 * count; at += 4) {
      const isSameObject = recent[at + 3] === low && recent[at + 2] === high
      if (isSameObject && recent[at + 1] === predicateLow && recent[at] === predicateHigh) return true
    }
    const at = 4 * (this.#recentCount++ % rememberedQuads)
    recent[at] = predicateHigh
    recent[at + 1] = predicateLow
    recent[at + 2] = high
    recent[at + 3] = low
    return false
  }

  #counted(): true {
    this.#count++
    return true
  }

  #write(rows: CopyRows, predicateHigh: number, predicateLow: number): void {
    rows.row(4)
    rows.int8(this.#graphHigh, this.#graphLow)
    rows.int8(this.#subjectHigh, this.#subjectLow)
    rows.int8(predicateHigh, predicateLow)
    rows.int8(this.#ids.high, this.#ids.low)
  }

  #openGraph(name: string, line: number): boolean {
    const ids = this.#ids
    if (name.charCodeAt(0) === 95) throw new Refusal(`A graph needs an IRI for its name, got ${name}.`)
    let parent: {readonly high: number; readonly low: number} | undefined
    if (!this.#options.isRaw) {
      const above = this.#parentOf(name.slice(1, -1))
      if (above !== undefined) {
        if (!ids.find(`<${above}>`, 0)) return false
        parent = {high: ids.high, low: ids.low}
      }
    }
    if (!ids.find(name, 0)) return false
    this.#graph = ` ${name}`.slice(1)
    this.#recentCount = 0
    this.#graphHigh = ids.high
    this.#graphLow = ids.low
    if (this.#options.isRaw) {
      this.#graphs.row(1)
      this.#graphs.int8(ids.high, ids.low)
    } else this.#documents.open(ids, parent, {file: this.#file, line})
    return true
  }

  #defaultGraph(): string {
    const {graph, isRaw} = this.#options
    if (graph !== undefined) return `<${graph}>`
    const what = isRaw ? 'a graph' : 'a document'
    throw new Refusal(`The statement is in no graph: name ${what} for such statements with --graph.`)
  }

  #parentOf(iri: Iri): Iri | undefined {
    const {base} = this.#options
    if (iri === base) return undefined
    const parent = parentOf(iri, base)
    if (parent === undefined || !iri.endsWith('/') || iri.endsWith('//') || !documentPath.test(iri)) {
      const rule = `documents are below <${base}> and end with a slash`
      throw new Refusal(`<${iri}> cannot be a document here: ${rule}. --raw loads graphs of any name.`)
    }
    return parent
  }

  /** Whether the object's IRI is the subject's IRI with one more path segment. */
  #isBelow(object: string): boolean {
    const stem = this.#stem
    const end = object.length - 2
    return (
      object.charCodeAt(end) === 47 &&
      object.startsWith(stem) &&
      stem.charCodeAt(stem.length - 1) === 47 &&
      object.indexOf('/', stem.length) === end
    )
  }

  #requireChild(object: string): void {
    if (this.#isBelow(object)) return
    throw new Refusal(`Only the service states ldp:contains, and ${object} cannot be contained in ${this.#graph}.`)
  }
}
