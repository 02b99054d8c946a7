/**
 * Items of a stream before their time.
 */

/** Waits for the first item, and gives back a stream that begins with it. */
export async function peek<Item>(items: AsyncIterable<Item>): Promise<AsyncIterable<Item>> {
  const iterator = items[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    if (first.done === true) return
    yield first.value
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
  })()
}

/** The same items, each asked for before the one before it is taken: what makes them works while its taker does. */
export async function* readAhead<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]()
  for (let next = await iterator.next(); next.done !== true; ) {
    const following = iterator.next()
    following.catch(() => undefined) // until it is awaited
    yield next.value
    next = await following
  }
}
