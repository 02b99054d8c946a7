/**
 * Reads what somebody searches for: words, "phrases" and prefixes*.
 *
 * Pure. sql/functions/term/words.sql finds the literals that match all parts (docs/search.md).
 */
import {excerpt} from './excerpt.ts'
import {distanceOf} from './nearest.ts'
import {Problem} from './problem.ts'

export type SearchPart = {
  readonly kind: 'word' | 'phrase' | 'prefix' | 'any' // any: one of several words
  readonly text: string // words, separated by blanks
}

export type SearchWords = {
  readonly parts: readonly SearchPart[] // all of them must match
  readonly whole: string // all words in their order
}

const lengthLimit = 500 // characters
const wordLimit = 20
const shortestPrefix = 2 // characters

const partPattern = /"([^"]*)"?|([^\s"]+)/gu
const wordPattern = /[\p{L}\p{N}\p{M}]+/gu

/**
 * Reads the text of a search.
 *
 * @throws  Problem 400 `search-words`: no words, too many, or a prefix of one character
 */
export function readSearchWords(written: string): SearchWords {
  if (written.length > lengthLimit) throw refusal(`A search may have ${lengthLimit} characters, got ${written.length}.`)
  const parts = Array.from(written.normalize('NFC').matchAll(partPattern)).flatMap(([, quoted, plain = '']) =>
    quoted === undefined ? readPlain(plain) : readQuoted(quoted),
  )
  const words = parts.flatMap(({text}) => text.split(' '))
  if (words.length === 0) throw refusal(`The search "${excerpt(written)}" has no words.`)
  if (words.length > wordLimit) throw refusal(`A search may have ${wordLimit} words, got ${words.length}.`)
  return {parts, whole: words.join(' ')}
}

/** The same search while its last word is typed: the word may continue. After others, one character does not count. */
export function asTyped({parts, whole}: SearchWords): SearchWords {
  const [last, others] = [parts.at(-1), parts.slice(0, -1)]
  if (last?.kind !== 'word') return {parts, whole}
  if (charactersOf(last.text) >= shortestPrefix) return {parts: [...others, {kind: 'prefix', text: last.text}], whole}
  return {parts: others.length === 0 ? parts : others, whole}
}

function readQuoted(quoted: string): readonly SearchPart[] {
  const words = wordsOf(quoted)
  if (words.length === 0) return []
  return [{kind: words.length === 1 ? 'word' : 'phrase', text: words.join(' ')}]
}

/** Words without quotes around them: `well-known*` is the word "well" and the prefix "known". */
function readPlain(written: string): readonly SearchPart[] {
  const words = wordsOf(written)
  return words.map((text, index) => {
    if (index < words.length - 1 || !written.endsWith('*')) return {kind: 'word', text}
    if (charactersOf(text) < shortestPrefix)
      throw refusal(`A prefix needs ${shortestPrefix} characters, got "${excerpt(written)}".`)
    return {kind: 'prefix', text}
  })
}

export function wordsOf(text: string): readonly string[] {
  return text.match(wordPattern) ?? []
}

function charactersOf(text: string): number {
  return Array.from(text).length
}

function refusal(message: string): Problem {
  return new Problem(400, 'search-words', message)
}

const correctedWords = 3
const [shortestCorrected, shortestCorrectedTwice, longestCorrected] = [4, 6, 20] // characters

/** Letters that may be missing or wrong in a word, by the script of the word. Accents are not compared. */
const alphabets: readonly (readonly [script: RegExp, letters: string])[] = [
  [/^[a-z0-9]+$/, 'abcdefghijklmnopqrstuvwxyz'],
  [/^[\p{Script=Greek}0-9]+$/u, 'αβγδεζηθικλμνξοπρστυφχψω'],
  [/^[\p{Script=Cyrillic}0-9]+$/u, 'абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґј'],
]

/** The words of a search that are corrected if nothing is found, without differences of case and accents. */
export function correctable({parts}: SearchWords): readonly string[] {
  if (parts.length > correctedWords) return []
  const words = parts.flatMap(({kind, text}) => (kind === 'word' ? [plainWord(text)] : []))
  return words.filter(word => word.length >= shortestCorrected && word.length <= longestCorrected)
}

/**
 * The search with one mistake in each word forgiven: a letter that is missing, wrong, superfluous, or exchanged with
 * its neighbour. Phrases and prefixes stay as they are.
 *
 * @returns  undefined if no word can be corrected, or if there are too many words
 */
export function corrected(words: SearchWords): SearchWords | undefined {
  return forgiving(words, similarWords)
}

/**
 * The search with one or two mistakes in each word forgiven, among words that exist.
 *
 * @param known  for words of `correctable`, words that may be similar
 * @returns      undefined if no other word is similar
 */
export function correctedAmong(
  words: SearchWords,
  known: Readonly<Record<string, readonly string[]>>,
): SearchWords | undefined {
  return forgiving(words, written => {
    const word = plainWord(written)
    const similar = (known[word] ?? []).filter(each => each !== word && areSimilar(word, each))
    return similar.length === 0 ? [] : [word, ...similar]
  })
}

function forgiving(
  {parts, whole}: SearchWords,
  similarTo: (word: string) => readonly string[],
): SearchWords | undefined {
  if (parts.length > correctedWords) return undefined
  const similar = parts.map((part): SearchPart => {
    const words = part.kind === 'word' ? similarTo(part.text) : []
    return words.length === 0 ? part : {kind: 'any', text: words.join(' ')}
  })
  return similar.some(({kind}) => kind === 'any') ? {parts: similar, whole} : undefined
}

/** Whether a word has at most two mistakes, or one if it is short. */
function areSimilar(written: string, meant: string): boolean {
  if (Math.abs(written.length - meant.length) > 2) return false
  return distanceOf(written, meant) <= (written.length < shortestCorrectedTwice ? 1 : 2)
}

/** The word, and all words that differ from it by one mistake. */
function similarWords(written: string): readonly string[] {
  const word = plainWord(written)
  const [, letters = ''] = alphabets.find(([script]) => script.test(word)) ?? []
  const {length} = word
  if (letters === '' || length < shortestCorrected || length > longestCorrected) return []
  const similar = new Set([word])
  for (let at = 0; at <= length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    for (const letter of letters) similar.add(before + letter + after).add(before + letter + after.slice(1))
    similar.add(before + after.slice(1)).add(before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2))
  }
  return [...similar]
}

/** A word without differences of case and accents, about as search_text of SQL returns it. */
export function plainWord(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFKD')
    .replace(/([a-zα-ω])\p{M}+/gu, '$1')
    .normalize('NFC')
}
