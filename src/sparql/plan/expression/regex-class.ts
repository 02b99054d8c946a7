/**
 * Translates the character classes of XML Schema's patterns to brackets of PostgreSQL.
 *
 * Pure. A class of characters, ranges and the usual escapes stays nearly as it is. One with categories, complements or
 * a subtraction becomes a list of ranges. With the flag i, PostgreSQL adds the other cases to the result.
 * Source: XML Schema Part 2, appendix F.1.
 */
import {bracket, type CharacterSet, complement, namedSet, union, without} from './regex-sets.ts'

export type PatternReader = {
  readonly pattern: string
  at: number
  setsLeft: number // sets that the pattern may still have
}

const nameStart = ':A-Z_a-zÀ-ÖØ-öø-˿Ͱ-ͽͿ-῿‌-‍⁰-↏Ⰰ-⿯、-퟿豈-﷏ﷰ-�'
const nameCharacter = `${nameStart}\\-.0-9·̀-ͯ‿-⁀`

/** The members of the escapes of several characters that PostgreSQL does not have, or has for other characters. */
const members: Readonly<Record<string, string>> = {s: ' \\t\\n\\r', i: nameStart, c: nameCharacter}
const singles: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t'}

const pairEscape = /\\([dDwWsSiIcC0-9nrt\\|.\-^?*+{}()[\]$/])/y
const namedEscape = /\\([pP])\{([A-Za-z0-9-]{1,50})\}/y

/** Translates an escape outside of classes; undefined for an error. Advances the reader. */
export function translateEscape(reader: PatternReader): string | undefined {
  const [pair, letter = ''] = match(pairEscape, reader) ?? []
  const lower = letter.toLowerCase()
  const listed = members[lower]
  if (listed !== undefined) return `[${letter === lower ? '' : '^'}${listed}]`
  if (pair !== undefined) return pair
  const [, sign, name = ''] = match(namedEscape, reader) ?? []
  const set = takeSet(reader, () => namedSet(name))
  return set && bracket(set, sign === 'P' ? '^' : '')
}

function takeSet(reader: PatternReader, set: () => CharacterSet | undefined): CharacterSet | undefined {
  reader.setsLeft -= 1
  return reader.setsLeft < 0 ? undefined : set()
}

const plainClass = /\[\^?(?:[^[\]\\]|\\[dwsicnrt\\|.\-^?*+{}()[\]$/])+\]/y

/** Translates a class; undefined for an error. Advances the reader. */
export function translateClass(reader: PatternReader): string | undefined {
  const [plain] = match(plainClass, reader) ?? []
  if (plain !== undefined) return plain.replace(/\\(.)/gs, (pair, letter) => members[letter] ?? pair)
  reader.at += 1
  const found = readClass(reader, 0)
  if (found === undefined) return undefined
  const {set, removed, isNegated} = found
  return isNegated ? bracket(union(set, removed), '^') : bracket(without(set, removed), '')
}

type Class = {readonly set: CharacterSet; readonly removed: CharacterSet; readonly isNegated: boolean}

const deepest = 20 // subtractions within each other

/** Reads a class after its first bracket; undefined for an error. */
function readClass(reader: PatternReader, depth: number): Class | undefined {
  const isNegated = reader.pattern.startsWith('^', reader.at)
  if (isNegated) reader.at += 1
  const sets: CharacterSet[] = []
  let removed: CharacterSet = []
  for (let isOpen = true; isOpen; ) {
    if (sets.length > 0 && reader.pattern.startsWith('-[', reader.at)) {
      reader.at += 2
      const inner = takeSet(reader, () => []) && depth < deepest ? readClass(reader, depth + 1) : undefined
      if (inner === undefined || !reader.pattern.startsWith(']', reader.at)) return undefined
      removed = without(inner.isNegated ? complement(inner.set) : inner.set, inner.removed)
    }
    if (sets.length > 0 && reader.pattern.startsWith(']', reader.at)) isOpen = false
    else {
      const set = readItem(reader)
      if (set === undefined) return undefined
      sets.push(set)
    }
  }
  reader.at += 1
  return {set: union(...sets), removed, isNegated}
}

const escapedItem = /\\(?:([pP])\{([A-Za-z0-9-]{1,50})\}|([dDwWsSiIcC]))/y

/** Reads an escape, a range or a character. */
function readItem(reader: PatternReader): CharacterSet | undefined {
  const [escaped, sign, name, letter = ''] = match(escapedItem, reader) ?? []
  if (escaped !== undefined) {
    const set = takeSet(reader, () => (name === undefined ? setOfEscape(letter) : namedSet(name)))
    return set && (sign === 'P' ? complement(set) : set)
  }
  const first = readPoint(reader)
  if (first === undefined || !/^-[^\][]/.test(reader.pattern.slice(reader.at, reader.at + 2)))
    return first === undefined ? undefined : [[first, first]]
  reader.at += 1
  const last = readPoint(reader)
  return last === undefined || last < first ? undefined : [[first, last]]
}

const point = /\\([nrt\\|.\-^?*+{}()[\]$/])|[^[\]\\]/uy

function readPoint(reader: PatternReader): number | undefined {
  const [character, escaped] = match(point, reader) ?? []
  const read = escaped === undefined ? character : (singles[escaped] ?? escaped)
  return read?.codePointAt(0)
}

function match(expression: RegExp, reader: PatternReader): RegExpExecArray | null {
  expression.lastIndex = reader.at
  const found = expression.exec(reader.pattern)
  reader.at += found?.[0].length ?? 0
  return found
}

/** The characters of an escape of several characters. A capital is the complement. */
function setOfEscape(letter: string): CharacterSet | undefined {
  const lower = letter.toLowerCase()
  if (letter !== lower) return complement(setOfEscape(lower) ?? [])
  if (lower === 'd') return namedSet('Nd')
  if (lower === 'w') return complement(union(...['P', 'Z', 'C'].map(name => namedSet(name) ?? [])))
  return readClass({pattern: `${members[lower]}]`, at: 0, setsLeft: 0}, 0)?.set
}
