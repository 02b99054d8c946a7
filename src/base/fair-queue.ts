/**
 * A queue that serves callers in turn: the first item of each caller, then the second of each.
 *
 * Every operation but `clear` takes constant time.
 */

export type FairQueue<Item> = {
  readonly size: () => number
  /** @param caller  undefined: items without a caller count together as one caller */
  readonly add: (caller: string | undefined, item: Item) => void
  /** Removes an item. Returns whether it was in the queue. */
  readonly remove: (caller: string | undefined, item: Item) => boolean
  /** Removes and returns the next item; undefined if the queue is empty. */
  readonly next: () => Item | undefined
  /** Removes and returns all items. */
  readonly clear: () => readonly Item[]
}

export function createFairQueue<Item>(): FairQueue<Item> {
  const lines = new Map<string | undefined, Set<Item>>() // caller → its items; the first caller is served next
  let size = 0

  function remove(caller: string | undefined, item: Item): boolean {
    const line = lines.get(caller)
    if (line?.delete(item) !== true) return false
    size -= 1
    if (line.size === 0) lines.delete(caller)
    return true
  }

  return {
    size: () => size,
    add(caller, item) {
      const line = lines.get(caller) ?? new Set()
      lines.set(caller, line.add(item))
      size += 1
    },
    remove,
    next() {
      for (const [caller, line] of lines) {
        for (const item of line) {
          remove(caller, item)
          if (line.size > 0) {
            lines.delete(caller)
            lines.set(caller, line) // moves the caller to the end
          }
          return item
        }
      }
      return undefined
    },
    clear() {
      const all = [...lines.values()].flatMap(line => [...line])
      lines.clear()
      size = 0
      return all
    },
  }
}
