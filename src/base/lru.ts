/**
 * A map of limited size that evicts the least recently used entry.
 *
 * It keeps the key with which an entry was set, not the equal one with which it was found: see detached.ts.
 */
export type Lru<Key, Value> = {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
  readonly size: () => number
}

type Entry<Key, Value> = {readonly key: Key; readonly value: Value}

/** @param limit  greatest number of entries */
export function createLru<Key, Value>(limit: number): Lru<Key, Value> {
  const entries = new Map<Key, Entry<Key, Value>>()
  function moveToEnd(entry: Entry<Key, Value>): void {
    entries.delete(entry.key)
    entries.set(entry.key, entry)
  }
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      moveToEnd(entry)
      return entry.value
    },
    set(key, value) {
      moveToEnd({key, value})
      const [oldest] = entries.keys()
      if (entries.size > limit && oldest !== undefined) entries.delete(oldest)
    },
    size: () => entries.size,
  }
}
