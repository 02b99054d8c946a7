/**
 * A hash table from 128-bit hashes to ids, at about 30 bytes per entry, without work for the garbage collector.
 *
 * Pure. It uses open addressing over typed arrays. A hash is four 32-bit words, an id two. Entries are never removed.
 */
const entryWords = 7 // four for the hash, two for the id, one for a note
const fillLimit = 0.7

export class HashTable {
  #slots: Int32Array
  #mask: number
  #size = 0

  constructor(capacity = 1 << 16) {
    this.#slots = new Int32Array(capacity * entryWords)
    this.#mask = capacity - 1
  }

  get size(): number {
    return this.#size
  }

  /** Finds or adds the entry with this hash. If `isNew` is true for the place, the caller must `set` the entry. */
  place(hash: Int32Array): number {
    if (this.#size > fillLimit * (this.#mask + 1)) this.#grow()
    const [a = 0, b = 0, c = 0, d = 0] = hash
    return this.#find(this.#slots, a, b, c, d)
  }

  /** Whether the entry has no id yet. Ids are never zero. */
  isNew(at: number): boolean {
    return this.#slots[at + 4] === 0 && this.#slots[at + 5] === 0
  }

  set(at: number, hash: Int32Array, high: number, low: number): void {
    this.#slots.set(hash, at)
    this.#slots[at + 4] = high
    this.#slots[at + 5] = low
    this.#size++
  }

  high(at: number): number {
    return this.#slots[at + 4] ?? 0
  }

  low(at: number): number {
    return this.#slots[at + 5] ?? 0
  }

  /** A number that the caller stores with the entry; 0 initially. */
  note(at: number): number {
    return this.#slots[at + 6] ?? 0
  }

  setNote(at: number, note: number): void {
    this.#slots[at + 6] = note
  }

  #find(slots: Int32Array, a: number, b: number, c: number, d: number): number {
    for (let slot = a & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot * entryWords
      if (slots[at + 4] === 0 && slots[at + 5] === 0) return at
      if (slots[at] === a && slots[at + 1] === b && slots[at + 2] === c && slots[at + 3] === d) return at
    }
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Int32Array(old.length * 2)
    this.#mask = this.#slots.length / entryWords - 1
    for (let at = 0; at < old.length; at += entryWords) {
      if (old[at + 4] === 0 && old[at + 5] === 0) continue
      const to = this.#find(this.#slots, old[at] ?? 0, old[at + 1] ?? 0, old[at + 2] ?? 0, old[at + 3] ?? 0)
      this.#slots.set(old.subarray(at, at + entryWords), to)
    }
  }
}
