/**
 * A queue that serves callers in turn: the first of each caller, then the second of each.
 *
 * Floor 0. Every step takes constant time.
 */

export type FairQueue<Item> = {
  readonly size: () => number
  /** @param caller  undefined: one caller of its own, whoever it is */
  readonly add: (caller: string | undefined, item: Item) => void
  /** Takes out an item that waits. Returns whether it did. */
  readonly remove: (caller: string | undefined, item: Item) => boolean
  /** Takes out the item whose turn it is; undefined when none waits. */
  readonly next: () => Item | undefined
  /** Takes out all. */
  readonly clear: () => readonly Item[]
}

export function createFairQueue<Item>(): FairQueue<Item> {
  const lines = new Map<string | undefined, Set<Item>>() // of callers who wait; the first is the next to be served
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
            lines.set(caller, line) // behind the others
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
