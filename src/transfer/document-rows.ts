/**
 * What the statements of a graph say of its document, gathered while the graph lasts, to one row.
 *
 * A graph that comes again later gets a row more; sql/functions/86_import_document.sql puts them together,
 * and adds what none of them says. Sources: interface, "Document" and "Access point"; decisions, 2 and 4.
 */
import {Refusal} from '../base/refusal.ts'
import {CopyRows} from '../db/bulk/copy-rows.ts'

/** Ids of the vocabulary, as sql/functions/10_vocabulary.sql names them. */
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

/** Which of the service's triples a graph holds: bits, as sql/functions/86_import_document.sql reads them. */
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

/** The upper half of the ids of dateTimes with a zone: -2^63 + 3 * 2^60, of 2^60 ids. */
const firstInstant = -0x8000_0000 + 3 * 0x1000_0000
const afterInstants = firstInstant + 0x1000_0000
const serviceForm = 7 // low nine bits: UTC, three fraction digits

type Id = {high: number; low: number}

export class DocumentRows {
  /** Rows not yet taken: id, parent, file, line, mask, created, modified, resource, relation, content. */
  readonly rows = new CopyRows(1 << 16)
  readonly #id: Id = {high: 0, low: 0}
  readonly #parent: Id = {high: 0, low: 0}
  #isOpen = false
  #file = 0
  #line = 0
  #mask = 0
  #values = new Map<number, Id>()

  /** A graph begins. @param parent  undefined for the root */
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
   * Takes note of a statement about the document itself.
   *
   * @returns  whether it is to be stored: not what was said before, nor an instant in another form than the service's
   * @throws   Refusal: a second value, or one that cannot be
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
    return (low & 511) === serviceForm && this.#take(bit)
  }

  /** The graph ends. */
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
