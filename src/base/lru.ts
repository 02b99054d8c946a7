/**
 * A map of limited size that evicts entries that were not used for long.
 *
 * It has two generations of half the limit each. What is set or found goes to the younger one. When that is full it
 * becomes the older one, and the entries of the older one that were not used meanwhile are evicted. So a use of an
 * entry of the younger generation, the usual case, costs one look-up. An exact order of uses would also cost a deletion
 * and an insertion.
 *
 * It keeps the key with which an entry was set, not the equal one with which it was found: see detached.ts.
 */
export type Lru<Key, Value> = {
  readonly limit: number
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
  readonly size: () => number
}

type Entry<Key, Value> = {readonly key: Key; readonly value: Value}

/** @param limit  greatest number of entries, at least 2 */
export function createLru<Key, Value>(limit: number): Lru<Key, Value> {
  const half = Math.max(1, Math.floor(limit / 2))
  let [young, old] = [new Map<Key, Entry<Key, Value>>(), new Map<Key, Entry<Key, Value>>()]
  function add(entry: Entry<Key, Value>): void {
    if (young.size >= half) [young, old] = [new Map(), young]
    young.set(entry.key, entry)
    old.delete(entry.key)
  }
  return {
    limit,
    get(key) {
      const entry = young.get(key)
      if (entry !== undefined) return entry.value
      const older = old.get(key)
      if (older !== undefined) add(older)
      return older?.value
    },
    set(key, value) {
      if (young.has(key)) young.set(key, {key, value})
      else add({key, value})
    },
    size: () => young.size + old.size,
  }
}
