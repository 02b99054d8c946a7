/**
 * Encodes rows of a binary COPY into a growing buffer.
 *
 * Pure. Source: PostgreSQL manual, COPY, "Binary Format".
 */
const signature = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const nothing = new Uint8Array(0)

export class CopyRows {
  #bytes: Buffer
  #view: DataView
  #length = 0
  #rows = 0

  constructor(size = 1 << 16) {
    this.#bytes = Buffer.allocUnsafeSlow(size)
    this.#view = viewOf(this.#bytes)
  }

  get rows(): number {
    return this.#rows
  }

  get length(): number {
    return this.#length
  }

  /** Starts a row with this number of fields. */
  row(fields: number): void {
    if (this.#bytes.length - this.#length < 256) this.#grow(256)
    this.#rows++
    this.#view.setInt16(this.#length, fields)
    this.#length += 2
  }

  /**
   * Writes an int8 from its halves. It does not grow the buffer: at most fifteen may follow each other without a text.
   */
  int8(high: number, low: number): void {
    const at = this.#length
    this.#view.setInt32(at, 8)
    this.#view.setInt32(at + 4, high)
    this.#view.setInt32(at + 8, low)
    this.#length = at + 12
  }

  int4(value: number): void {
    this.#view.setInt32(this.#length, 4)
    this.#view.setInt32(this.#length + 4, value)
    this.#length += 8
  }

  null(): void {
    this.#view.setInt32(this.#length, -1)
    this.#length += 4
  }

  /** Writes sixteen bytes, given as four words. */
  uuid(words: Int32Array): void {
    this.#view.setInt32(this.#length, 16)
    for (let n = 0; n < 4; n++) this.#view.setInt32(this.#length + 4 + 4 * n, words[n] ?? 0)
    this.#length += 20
  }

  text(value: string): void {
    if (this.#bytes.length - this.#length < 3 * value.length + 256) this.#grow(3 * value.length + 256)
    const size = this.#bytes.write(value, this.#length + 4, 'utf8')
    this.#view.setInt32(this.#length, size)
    this.#length += 4 + size
  }

  /** Returns the rows with their buffer, and starts with a new one. */
  take(): Uint8Array<ArrayBuffer> {
    if (this.#length === 0) return nothing
    const taken = new Uint8Array(this.#bytes.buffer as ArrayBuffer, 0, this.#length)
    this.#bytes = Buffer.allocUnsafeSlow(this.#bytes.length)
    this.#view = viewOf(this.#bytes)
    this.#length = 0
    this.#rows = 0
    return taken
  }

  #grow(needed: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.#length + needed))
    this.#bytes.copy(bytes, 0, 0, this.#length)
    this.#bytes = bytes
    this.#view = viewOf(bytes)
  }
}

/** The rows between the header and the trailer of a COPY stream. */
export function asCopyStream(rows: Uint8Array): readonly Uint8Array[] {
  return [signature, rows, Buffer.from([0xff, 0xff])]
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
