/**
 * Sets of characters in patterns: categories of Unicode, and classes with subtraction, as brackets of ranges.
 *
 * Pure. PostgreSQL's patterns have neither, so a class that needs them becomes a list of ranges. The categories are
 * those of JavaScript's `\p{…}`. Each is computed once per process, at its first use.
 * Source: XML Schema Part 2, appendix F.
 */
import {blockOf} from './regex-blocks.ts'

/** Ranges of code points, first and last, in their order and without surrogates. No two touch. */
export type CharacterSet = readonly (readonly [first: number, last: number])[]

const mostPoint = 0x10ffff
const surrogates: CharacterSet = [[0xd800, 0xdfff]]

/** Ranges of which all code points have the category of the first. Only the first one is tested. */
const uniform: CharacterSet = [
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xd800, 0xdfff],
  [0xe000, 0xf8ff],
  [0x17000, 0x187f7],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b739],
  [0x2b740, 0x2b81d],
  [0x2b820, 0x2cea1],
  [0x2ceb0, 0x2ebe0],
  [0x30000, 0x3134a],
  [0x31350, 0x323af],
  [0x34000, 0xdffff],
  [0xe0200, 0xeffff],
  [0xf0000, 0xffffd],
  [0x100000, 0x10fffd],
]

type Tested = {readonly first: number; readonly text: string}

let tested: readonly Tested[] | undefined

/** The characters outside of `uniform`, as texts that are in one plane each, with their first code points. */
function testedTexts(): readonly Tested[] {
  tested ??= complement(uniform).flatMap(([first, last]) => {
    const isBasic = first < 0x10000
    const ends = isBasic && last > 0xffff ? [0xffff, last] : [last]
    return ends.map((end, index) => textOf(index === 0 ? first : 0x10000, end))
  })
  return tested
}

function textOf(first: number, last: number): Tested {
  let text = ''
  const units: number[] = []
  for (let point = first; point <= last; point += 1) {
    if (point > 0xffff) units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + (point & 0x3ff))
    else units.push(point)
    if (units.length > 4096 || point === last) text += String.fromCharCode(...units.splice(0))
  }
  return {first, text}
}

const categories = new Map<string, CharacterSet>()
const categoryName = /^(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|Z[slp]?|S[mcko]?|C[cfon]?)$/

/** The characters of a category (`Lu`) or of a block (`IsGreek`); undefined for an unknown name. */
export function namedSet(name: string): CharacterSet | undefined {
  if (name.startsWith('Is')) {
    const block = blockOf(name.slice(2))
    return block && [block]
  }
  if (!categoryName.test(name)) return undefined
  const known = categories.get(name) ?? without(categorySet(name), surrogates)
  categories.set(name, known)
  return known
}

function categorySet(name: string): CharacterSet {
  const one = new RegExp(`^\\p{${name}}`, 'u')
  const found: [number, number][] = uniform.filter(([first]) => one.test(String.fromCodePoint(first))).map(copied)
  const runs = new RegExp(`\\p{${name}}+`, 'gu')
  for (const {first, text} of testedTexts()) {
    const units = first > 0xffff ? 2 : 1 // per character
    for (const {index, 0: run} of text.matchAll(runs))
      found.push([first + index / units, first + (index + run.length) / units - 1])
  }
  return union(found)
}

function copied([first, last]: readonly [number, number]): [number, number] {
  return [first, last]
}

/** The union of ranges in any order. */
export function union(...sets: readonly CharacterSet[]): CharacterSet {
  const merged: [number, number][] = []
  for (const [first, last] of sets.flat().sort(([a], [b]) => a - b)) {
    const before = merged.at(-1)
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else merged.push([first, last])
  }
  return merged
}

/** All other characters. */
export function complement(set: CharacterSet): CharacterSet {
  const firsts = [0, ...set.map(([, last]) => last + 1)]
  const lasts = [...set.map(([first]) => first - 1), mostPoint]
  return firsts.flatMap((first, index) => (first <= (lasts[index] ?? 0) ? [[first, lasts[index] ?? 0] as const] : []))
}

export function without(set: CharacterSet, removed: CharacterSet): CharacterSet {
  return complement(union(complement(set), removed))
}

/** A set as a bracket of PostgreSQL. @param sign  `^` for all characters that are not in the set */
export function bracket(set: CharacterSet, sign: '' | '^'): string {
  const ranges = without(set, surrogates).map(([first, last]) => {
    const [from, to] = [Math.max(first, 1), last] // U+0000 is U+10FFFF there (sql/functions/sparql/4_stored_text.sql)
    const zero = first === 0 ? character(mostPoint) : ''
    return zero + (to < from ? '' : to === from ? character(from) : `${character(from)}-${character(to)}`)
  })
  if (ranges.length === 0) return bracket([[0, mostPoint]], sign === '' ? '^' : '')
  return `[${sign}${ranges.join('')}]`
}

function character(point: number): string {
  const text = String.fromCodePoint(point)
  return /[\]\\^[-]/.test(text) ? `\\${text}` : text
}
