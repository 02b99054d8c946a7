/**
 * Reads items of a stream ahead of its consumer.
 */

/** Waits for the first item. Returns a stream that includes it, so errors before the first item are thrown here. */
export async function peek<Item>(items: AsyncIterable<Item>): Promise<AsyncIterable<Item>> {
  const iterator = items[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    if (first.done === true) return
    yield first.value
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
  })()
}

/** The same items. Requests each item while the consumer still handles the one before, so both work in parallel. */
export async function* readAhead<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]()
  for (let next = await iterator.next(); next.done !== true; ) {
    const following = iterator.next()
    following.catch(() => undefined) // it is awaited later
    yield next.value
    next = await following
  }
}

/** A stream of one item. */
export async function* oneBatch<Item>(item: Item): AsyncGenerator<Item> {
  yield item
}
