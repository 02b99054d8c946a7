/**
 * Cuts a snippet out of a text and marks the words that a search found.
 *
 * Pure. A word is marked if it is a searched word, begins with one as other forms of a word do, or with a searched
 * prefix. PostgreSQL decides what matches; this only shows it.
 */
import {plainWord, type SearchWords} from './search-words.ts'

export type Snippet = {
  readonly text: string
  readonly marks: readonly (readonly [from: number, to: number])[] // UTF-16 offsets in the text
}

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu
const [before, longest] = [60, 240] // characters in front of the first mark, and of a snippet
const ending = 3 // characters in which forms of a word may differ at the end

/** @returns  the text with line ends as blanks, cut around the first word that was found */
export function snippetOf(literal: string, search: SearchWords): Snippet {
  const flat = literal.replace(/\s+/g, ' ').trim()
  const isFound = finderOf(search)
  const found = Array.from(flat.matchAll(wordPattern))
    .filter(([word]) => isFound(plainWord(word)))
    .map(({0: word, index}) => [index, index + word.length] as const)
  const first = found[0]?.[0] ?? 0
  const start = flat.length <= longest || first <= before ? 0 : blankBefore(flat, first - before)
  const end = Math.min(flat.length, start + longest)
  const [head, tail] = [start > 0 ? '… ' : '', end < flat.length ? ' …' : '']
  const shift = head.length - start
  const marks = found.filter(([from, to]) => from >= start && to <= end)
  return {
    text: head + flat.slice(start, end) + tail,
    marks: marks.map(([from, to]) => [from + shift, to + shift] as const),
  }
}

function finderOf({parts}: SearchWords): (word: string) => boolean {
  const whole = new Set(parts.flatMap(({kind, text}) => (kind === 'prefix' ? [] : text.split(' ').map(plainWord))))
  const prefixes = parts.filter(({kind}) => kind === 'prefix').map(({text}) => plainWord(text))
  const stems = parts
    .filter(({kind, text}) => kind === 'word' && text.length > ending + 1)
    .map(({text}) => plainWord(text))
  return word =>
    whole.has(word) || prefixes.some(prefix => word.startsWith(prefix)) || stems.some(stem => isForm(word, stem))
}

/** Whether two words differ only in their last characters, as "house" and "houses" do. */
function isForm(word: string, other: string): boolean {
  let same = 0
  while (same < word.length && word[same] === other[same]) same += 1
  return same >= 3 && word.length - same <= ending && other.length - same <= ending
}

/** Where the word begins that contains a place in a text. */
function blankBefore(text: string, place: number): number {
  return text.lastIndexOf(' ', place) + 1
}
