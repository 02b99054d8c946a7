/**
 * Finds the word that somebody probably meant.
 *
 * Pure. Compares words without regard to case. Source: optimal string alignment distance (insertions, deletions,
 * replacements, and swaps of neighbours count one each).
 */

const longest = 40 // characters; longer words are not compared

/** @returns  the candidate that differs least from the word, the first of several; undefined if none is similar */
export function nearestWord(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length < 2 || word.length > longest) return undefined
  const written = word.toLowerCase()
  let [nearest, least]: [string | undefined, number] = [undefined, word.length <= 4 ? 2 : 3]
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= least) continue
    const distance = distanceOf(written, candidate.toLowerCase())
    if (distance < least && distance > 0) [nearest, least] = [candidate, distance]
  }
  return nearest
}

/** The number of mistakes that make one word the other. */
export function distanceOf(a: string, b: string): number {
  let [before, row]: [readonly number[], readonly number[]] = [[], Array.from({length: b.length + 1}, (_, j) => j)]
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const shifted = Math.min(row[j] ?? 0, next[j - 1] ?? 0) + 1
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(Math.min(replaced, shifted, isSwap ? (before[j - 2] ?? 0) + 1 : replaced))
    }
    ;[before, row] = [row, next]
  }
  return row[b.length] ?? 0
}
