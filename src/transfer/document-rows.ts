/**
 * Collects what the statements of a graph say about its document into one row for COPY.
 *
 * If the statements of a graph are not contiguous, the document gets several rows.
 * sql/functions/bulk/import_document.sql merges them and adds missing values.
 * Sources: docs/interface.md, Documents and Access points; decisions 0002, 0004.
 */

import {highWord} from '../base/int8.ts'
import {Refusal} from '../base/refusal.ts'
import {CopyRows} from '../db/bulk/copy-rows.ts'
import {endOfKind, firstOfKind, formBitsOfKind, inlineKinds} from '../rdf/id-layout.ts'

/** Ids of vocabulary terms, equal to those of sql/functions/term/vocabulary.sql. */
export const vocabularyIds = {
  type: 1,
  contains: 10,
  membershipResource: 13,
  hasMemberRelation: 14,
  insertedContentRelation: 16,
  rdfSource: 17,
  basicContainer: 18,
  directContainer: 19,
  document: 100,
  accessPoint: 101,
  created: 102,
  modified: 103,
  hasAccessPoint: 104,
} as const

/** Bits for the service's own triples that a graph contains. sql/functions/bulk/import_document.sql reads them. */
const typeBits = new Map<number, number>([
  [vocabularyIds.document, 1],
  [vocabularyIds.rdfSource, 2],
  [vocabularyIds.basicContainer, 4],
  [vocabularyIds.directContainer, 8],
  [vocabularyIds.accessPoint, 16],
])
const propertyBits = new Map<number, number>([
  [vocabularyIds.created, 32],
  [vocabularyIds.modified, 64],
  [vocabularyIds.membershipResource, 128],
  [vocabularyIds.hasMemberRelation, 256],
  [vocabularyIds.insertedContentRelation, 512],
])

/** The upper 32 bits of the first id of an xsd:dateTime with a time zone, and of the first id after these. */
const firstInstant = highWord(firstOfKind(inlineKinds.dateTime))
const afterInstants = highWord(endOfKind(inlineKinds.dateTime))
const formMask = 2 ** formBitsOfKind(inlineKinds.dateTime) - 1
const serviceForm = 7 // UTC, three fraction digits

type Id = {high: number; low: number}

export class DocumentRows {
  /** Pending rows: id, parent, file, line, mask, created, modified, resource, relation, content. */
  readonly rows = new CopyRows(1 << 16)
  readonly #id: Id = {high: 0, low: 0}
  readonly #parent: Id = {high: 0, low: 0}
  #isOpen = false
  #file = 0
  #line = 0
  #mask = 0
  #values = new Map<number, Id>()

  /** Begins the row of a graph. @param parent  undefined for the root */
  open(
    id: Readonly<Id>,
    parent: Readonly<Id> | undefined,
    place: {readonly file: number; readonly line: number},
  ): void {
    this.close()
    this.#isOpen = true
    Object.assign(this.#id, id)
    Object.assign(this.#parent, parent ?? {high: 0, low: 0})
    this.#file = place.file
    this.#line = place.line
    this.#mask = 0
    if (this.#values.size > 0) this.#values = new Map()
  }

  /**
   * Records a statement about the document itself.
   *
   * @returns  whether to store it: false for a repetition, and for an instant that is not in the service's lexical form
   * @throws   Refusal: a second value for a property that has one, or an invalid value
   */
  note(predicate: number, high: number, low: number): boolean {
    if (predicate === vocabularyIds.type) {
      const bit = high === 0 ? typeBits.get(low) : undefined
      return bit === undefined || this.#take(bit)
    }
    const bit = propertyBits.get(predicate)
    if (bit === undefined) return true
    const known = this.#values.get(bit)
    if (known !== undefined) {
      if (known.high === high && known.low === low) return false
      throw new Refusal('The document has two values of a property that the service keeps, and can have one only.')
    }
    this.#values.set(bit, {high, low})
    if (predicate !== vocabularyIds.created && predicate !== vocabularyIds.modified) return this.#take(bit)
    if (high < firstInstant || high >= afterInstants) {
      throw new Refusal('The time of a document must be an xsd:dateTime with a time zone, to the millisecond.')
    }
    return (low & formMask) === serviceForm && this.#take(bit)
  }

  /** Ends the row of the current graph. */
  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    const {rows} = this
    rows.row(10)
    rows.int8(this.#id.high, this.#id.low)
    if (this.#parent.high === 0 && this.#parent.low === 0) rows.null()
    else rows.int8(this.#parent.high, this.#parent.low)
    rows.int4(this.#file)
    rows.int8(Math.floor(this.#line / 2 ** 32), this.#line | 0)
    rows.int4(this.#mask)
    for (const bit of propertyBits.values()) {
      const value = this.#values.get(bit)
      if (value === undefined) rows.null()
      else rows.int8(value.high, value.low)
    }
  }

  #take(bit: number): boolean {
    const isNew = (this.#mask & bit) === 0
    this.#mask |= bit
    return isNew
  }
}
