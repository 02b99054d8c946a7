/** Pseudorandom numbers: xorshift, 32 bits. */
export type Random = {
  readonly next: () => number // from 0, below 1
  readonly below: (limit: number) => number
  readonly between: (least: number, most: number) => number
  readonly chance: (probability: number) => boolean
  /** Mostly small numbers: a few of the numbers below the limit occur often. */
  readonly popular: (limit: number) => number
}

/** @param seed  not zero */
export function createRandom(seed: number): Random {
  let state = seed
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: probability => next() < probability,
    popular: limit => Math.floor(limit * next() ** 3),
  }
}

/** An item of a non-empty list. */
export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[random.below(items.length)]
  if (item === undefined) throw new Error('nothing to choose from')
  return item
}
