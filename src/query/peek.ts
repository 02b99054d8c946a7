/**
 * The first item of a stream before its time.
 *
 * Floor 4.
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
