/**
 * Assigns ids to N-Quads tokens, and makes dictionary rows for new terms.
 *
 * It assigns ids without asking the database, from `nextTerm` on. It remembers terms by hash in a few bytes, and recent
 * tokens also by their text, which is faster. sql/functions/term/term.sql defines the hashes and the ranges of ids.
 */
import {hash} from 'node:crypto'
import {highWord, lowWord} from '../base/int8.ts'
import {Refusal} from '../base/refusal.ts'
import {CopyRows} from '../db/bulk/copy-rows.ts'
import {termOf} from '../format/nquads-statement.ts'
import {firstBlankNodeId, firstOfClass, idOfBlankNodeLabel, literalClass, literalClasses} from '../rdf/id-layout.ts'
import {packLiteral} from '../rdf/inline.ts'
import {toStoredText} from '../rdf/stored-text.ts'
import type {Term} from '../rdf/term.ts'
import {blankNodeKey, termKey} from '../rdf/term-key.ts'
import {xsd} from '../rdf/vocabulary.ts'
import {HashTable} from './hash-table.ts'

export type TermIdOptions = {
  readonly known: readonly (readonly [id: string, key: string])[] // terms with fixed ids
  readonly nextTerm: number // number of the first new term
  readonly nextBlankNode: number
  readonly keepsLabels: boolean // label qs<n> means blank node n of the store, as in exports
  readonly listsBlankNodes: boolean // blank nodes get rows too, because their ids are provisional
}

const generationSize = 1 << 17 // tokens remembered by text: at most two generations
const textLimit = 100 // characters of a token that is remembered by text
const blankHigh = highWord(firstBlankNodeId)
const classHighs = new Map(
  Object.values(literalClasses).map(number => [number as bigint, highWord(firstOfClass(number))]),
)
const keptLimit = 2 ** 40 // numbers of kept labels are below, those of other nodes above

export class TermIds {
  /** Pending dictionary rows: id, hash, lex, datatype, lang. */
  readonly rows = new CopyRows(1 << 20)
  /** The result of `find`: the upper and lower 32 bits of the id. */
  high = 0
  low = 0

  readonly #options: TermIdOptions
  readonly #table = new HashTable()
  readonly #words = new Int32Array(4)
  #young = new Map<string, number>()
  #old = new Map<string, number>()
  readonly #highs = new Int32Array(2 * generationSize)
  readonly #lows = new Int32Array(2 * generationSize)
  #generation = 0
  #nextTerm: number
  #nextBlankNode: number
  #labels: 'unknown' | 'kept' | 'new' = 'unknown'
  #greatestKept = 0
  #scope = 0

  constructor(options: TermIdOptions) {
    this.#options = options
    this.#nextTerm = options.nextTerm
    this.#nextBlankNode = options.nextBlankNode
    for (const [id, key] of options.known) {
      const at = this.#place(key)
      this.#table.set(at, this.#words, highWord(BigInt(id)), lowWord(BigInt(id)))
    }
  }

  /** The greatest numbers used. The sequences must continue above them after the import. */
  get last(): {readonly term: number; readonly blankNode: number} {
    return {term: this.#nextTerm - 1, blankNode: Math.max(this.#nextBlankNode - 1, this.#greatestKept)}
  }

  /** Begins the next file: its blank node labels denote other nodes. */
  beginScope(): void {
    this.#scope++
  }

  /**
   * Finds or assigns the id of a token's term, and sets `high` and `low`.
   *
   * @param owner  for a blank node, the number of its graph; 0 allows any graph
   * @returns      false if the token is not in canonical form
   * @throws       Refusal: the blank node belongs to another graph
   */
  find(token: string, owner: number): boolean {
    const slot = this.#young.get(token)
    if (slot !== undefined) {
      this.high = this.#highs[slot] ?? 0
      this.low = this.#lows[slot] ?? 0
      return true
    }
    if (token.charCodeAt(0) === 95) return this.#findBlankNode(token, owner)
    const old = this.#old.get(token)
    if (old === undefined) {
      const term = termOf(token)
      if (term === undefined) return false
      this.#findTerm(term)
    } else {
      this.high = this.#highs[old] ?? 0
      this.low = this.#lows[old] ?? 0
    }
    if (token.length <= textLimit) this.#remember(token)
    return true
  }

  #findTerm(term: Term): void {
    if (term.termType === 'Literal') {
      const inline = packLiteral(term)
      if (inline !== undefined) {
        this.high = highWord(inline)
        this.low = lowWord(inline)
        return
      }
    }
    const at = this.#place(termKey(term))
    if (!this.#table.isNew(at)) {
      this.high = this.#table.high(at)
      this.low = this.#table.low(at)
      return
    }
    const number = this.#nextTerm++
    this.low = number | 0
    this.high = Math.floor(number / 2 ** 32)
    if (term.termType === 'Literal') this.high |= classHighs.get(literalClass(term)) ?? 0
    this.#table.set(at, this.#words, this.high, this.low)
    this.#writeTerm(term)
  }

  #writeTerm(term: Term): void {
    const {rows} = this
    rows.row(5)
    rows.int8(this.high, this.low)
    rows.uuid(this.#words)
    rows.text(toStoredText(term.value))
    const isTyped = term.termType === 'Literal' && term.language === '' && term.datatype.value !== xsd.string
    if (isTyped) rows.text(term.datatype.value)
    else rows.null()
    if (term.termType === 'Literal' && term.language !== '') rows.text(term.language)
    else rows.null()
  }

  #findBlankNode(token: string, owner: number): boolean {
    const at = this.#place(blankNodeKey(`${this.#scope} ${token}`))
    if (this.#table.isNew(at)) {
      const number = this.#numberOf(token)
      this.low = number | 0
      this.high = Math.floor(number / 2 ** 32) | blankHigh
      this.#table.set(at, this.#words, this.high, this.low)
      this.#table.setNote(at, owner)
      if (this.#options.listsBlankNodes) this.#listBlankNode()
      return true
    }
    if (this.#table.note(at) !== owner) {
      throw new Refusal(`The blank node ${token} stands in two documents, and can belong to one only.`)
    }
    this.high = this.#table.high(at)
    this.low = this.#table.low(at)
    return true
  }

  #listBlankNode(): void {
    this.rows.row(5)
    this.rows.int8(this.high, this.low)
    this.rows.uuid(this.#words)
    for (let n = 0; n < 3; n++) this.rows.null()
  }

  /** The number of a blank node. Keeps labels of the first file only, if its first label has the form of an export. */
  #numberOf(token: string): number {
    const isKept = this.#options.keepsLabels && this.#scope === 1
    const own = isKept ? idOfBlankNodeLabel(token.slice(2)) : undefined // after '_:'
    const number = own === undefined ? keptLimit : Number(own - firstBlankNodeId)
    const kept = number < keptLimit ? number : undefined
    if (this.#labels === 'unknown') {
      this.#labels = kept === undefined ? 'new' : 'kept'
      if (this.#labels === 'kept') this.#nextBlankNode = keptLimit
    }
    if (this.#labels === 'new' || kept === undefined) return this.#nextBlankNode++
    this.#greatestKept = Math.max(this.#greatestKept, kept)
    return kept
  }

  /** Hashes a key and returns its place in the table. */
  #place(key: string): number {
    const digest = hash('sha256', key, 'binary')
    for (let n = 0; n < 4; n++) {
      this.#words[n] =
        (digest.charCodeAt(4 * n) << 24) |
        (digest.charCodeAt(4 * n + 1) << 16) |
        (digest.charCodeAt(4 * n + 2) << 8) |
        digest.charCodeAt(4 * n + 3)
    }
    return this.#table.place(this.#words)
  }

  #remember(token: string): void {
    if (this.#young.size === generationSize) {
      this.#old = this.#young
      this.#young = new Map()
      this.#generation = 1 - this.#generation
    }
    const slot = this.#generation * generationSize + this.#young.size
    this.#highs[slot] = this.high
    this.#lows[slot] = this.low
    this.#young.set(` ${token}`.slice(1), slot) // a copy, because the token keeps the whole input text in memory
  }
}
