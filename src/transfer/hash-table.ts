/**
 * Ids by 128-bit hash, in some 30 bytes each and out of the garbage collector's way.
 *
 * Pure. Open addressing over typed arrays; a hash is four words, an id its two halves. Nothing is forgotten:
 * what is not in here has not been seen.
 */
const entryWords = 7 // four of the hash, two of the id, one for the owner
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

  /** The place of an entry with this hash, found or made; `isNew` tells which, and the maker must `set` it. */
  place(hash: Int32Array): number {
    if (this.#size > fillLimit * (this.#mask + 1)) this.#grow()
    const [a = 0, b = 0, c = 0, d = 0] = hash
    return this.#find(this.#slots, a, b, c, d)
  }

  /** Whether nothing was set here yet: ids are never zero. */
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

  /** A number that the entry keeps for its owner; 0 at first. */
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
