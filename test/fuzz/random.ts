/**
 * A small generator of random choices: the same seed gives the same requests.
 *
 * Source: mulberry32, a public-domain generator with 32 bits of state.
 */
export type Random = ReturnType<typeof createRandom>

export function createRandom(seed: number) {
  let state = seed >>> 0

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0, less than the limit. */
  function below(limit: number): number {
    return Math.floor(next() * limit)
  }

  function pick<Choice>(choices: readonly Choice[]): Choice {
    const choice = choices[below(choices.length)]
    if (choice === undefined) throw new Error('nothing to pick from')
    return choice
  }

  return {
    below,
    pick,
    chance: (probability: number) => next() < probability,
    bytes: (length: number) => Buffer.from(Array.from({length}, () => below(256))),
    /** Some of the choices, possibly repeated. */
    some: <Choice>(choices: readonly Choice[], most: number) =>
      Array.from({length: below(most + 1)}, () => pick(choices)),
  }
}
