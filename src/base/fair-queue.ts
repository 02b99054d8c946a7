/**
 * A queue that serves datasets in turn, and within a dataset its callers: the first item of each, then the second.
 *
 * Every operation but `clear` takes constant time. `next` and `has` also visit the datasets that they pass over.
 */

export type FairQueue<Item> = {
  readonly size: () => number
  readonly sizeOf: (dataset: string | undefined) => number
  /** @param caller  undefined: items without a caller count together as one caller; the same for the dataset */
  readonly add: (caller: string | undefined, item: Item, dataset?: string) => void
  /** Removes an item. Returns whether it was in the queue. */
  readonly remove: (caller: string | undefined, item: Item, dataset?: string) => boolean
  /** Whether `next` would return an item. */
  readonly has: (admits?: Admits) => boolean
  /** Removes and returns the next item; undefined if there is none. */
  readonly next: (admits?: Admits) => Item | undefined
  /** Removes and returns all items. */
  readonly clear: () => readonly Item[]
}

/** Whether an item of a dataset may be served now. A dataset that may not keeps its place in the order. */
export type Admits = (dataset: string | undefined) => boolean

type Line<Item> = {size: number; readonly callers: Map<string | undefined, Set<Item>>}

export function createFairQueue<Item>(): FairQueue<Item> {
  const lines = new Map<string | undefined, Line<Item>>() // by dataset; the first that is admitted is served next
  let size = 0

  function remove(caller: string | undefined, item: Item, dataset?: string): boolean {
    const line = lines.get(dataset)
    const items = line?.callers.get(caller)
    if (line === undefined || items?.delete(item) !== true) return false
    size -= 1
    line.size -= 1
    if (items.size === 0) line.callers.delete(caller)
    if (line.size === 0) lines.delete(dataset)
    return true
  }

  return {
    size: () => size,
    sizeOf: dataset => lines.get(dataset)?.size ?? 0,
    add(caller, item, dataset) {
      const line = lines.get(dataset) ?? {size: 0, callers: new Map()}
      lines.set(dataset, line)
      line.callers.set(caller, (line.callers.get(caller) ?? new Set()).add(item))
      line.size += 1
      size += 1
    },
    remove,
    has: (admits = admitAll) => [...lines.keys()].some(admits),
    next(admits = admitAll) {
      for (const [dataset, line] of lines) {
        if (!admits(dataset)) continue
        for (const [caller, items] of line.callers) {
          for (const item of items) {
            remove(caller, item, dataset)
            if (items.size > 0) moveToEnd(line.callers, caller, items)
            if (line.size > 0) moveToEnd(lines, dataset, line)
            return item
          }
        }
      }
      return undefined
    },
    clear() {
      const all = [...lines.values()].flatMap(({callers}) => [...callers.values()].flatMap(items => [...items]))
      lines.clear()
      size = 0
      return all
    },
  }
}

const admitAll: Admits = () => true

function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key)
  map.set(key, value)
}
