/**
 * Derives from a regular expression of REGEX the substrings that every matching text contains.
 *
 * Pure. Uses only literal characters that occur at least once in each match, and ignores classes and syntax that it
 * does not understand. So a need is never too strong.
 *
 * Source: XPath functions §5.6.1 (syntax and flags). plan/expression/regex.ts translates the pattern itself.
 */
import {translatePattern, withoutWhitespace} from '../plan/expression/regex.ts'
import {allOf, anyOf, type Needle, needle, type TextNeed} from './needle.ts'

type Reader = {
  readonly pattern: string
  readonly isCaseless: boolean
  readonly isAnchored: boolean // `^` and `$` are the ends of the text
  at: number
  depth: number // of groups
  isUnderstood: boolean
}

/** The need of a branch of a pattern: pieces in their order, and groups with alternatives. */
type Branch = {
  readonly pieces: string[]
  readonly choices: TextNeed<Needle>[]
  run: string // of literal characters, up to here
  isStart: boolean
  isEnd: boolean
}

/** @returns  undefined if matches have no substring in common, or if the pattern is not understood */
export function patternNeed(pattern: string, flags: string): TextNeed<Needle> | undefined {
  if (translatePattern(pattern, flags) === undefined) return undefined
  const isCaseless = flags.includes('i')
  if (flags.includes('q')) return needle([literalText(pattern, isCaseless)], false, false)
  const text = flags.includes('x') ? withoutWhitespace(pattern) : pattern
  const reader: Reader = {
    pattern: text,
    isCaseless,
    isAnchored: !flags.includes('m'),
    at: 0,
    depth: 0,
    isUnderstood: true,
  }
  const need = readChoice(reader, true)
  return reader.isUnderstood && reader.at === text.length ? need : undefined
}

/** Stops reading at a pattern that is not understood. */
function giveUp(reader: Reader): void {
  reader.isUnderstood = false
  reader.at = reader.pattern.length
}

/** Reads branches separated by `|`, up to the end of the group. */
function readChoice(reader: Reader, isTop: boolean): TextNeed<Needle> | undefined {
  const needs = [readBranch(reader, isTop)]
  while (reader.pattern[reader.at] === '|') {
    reader.at += 1
    needs.push(readBranch(reader, isTop))
  }
  return anyOf(needs)
}

function readBranch(reader: Reader, isTop: boolean): TextNeed<Needle> | undefined {
  const branch: Branch = {pieces: [], choices: [], run: '', isStart: false, isEnd: false}
  const {pattern} = reader
  const begin = reader.at
  while (reader.at < pattern.length && pattern[reader.at] !== '|' && pattern[reader.at] !== ')') {
    const isAnchor = isTop && reader.isAnchored
    if (pattern[reader.at] === '^') {
      if (isAnchor && reader.at === begin) branch.isStart = true
      else endRun(branch)
      reader.at += 1
      branch.isEnd = false
    } else if (pattern[reader.at] === '$') {
      branch.isEnd = isAnchor && branch.run !== ''
      reader.at += 1
      const isLast = reader.at === pattern.length || pattern[reader.at] === '|'
      if (!isLast) branch.isEnd = false
      endRun(branch)
    } else readAtom(reader, branch)
  }
  endRun(branch)
  return allOf([needle(branch.pieces, branch.isStart, branch.isEnd), ...branch.choices])
}

/** Ends a piece after the literal characters so far. If there are none, the next piece is not at the start. */
function endRun(branch: Branch): void {
  if (branch.run !== '') branch.pieces.push(branch.run)
  else if (branch.pieces.length === 0) branch.isStart = false
  branch.run = ''
}

function readAtom(reader: Reader, branch: Branch): void {
  const {pattern} = reader
  if (pattern[reader.at] === '(') {
    const need = readGroup(reader)
    endRun(branch)
    const {least} = readQuantifier(reader)
    if (least > 0 && need !== undefined) branch.choices.push(need)
    return
  }
  const character = readCharacter(reader)
  const {least, most} = readQuantifier(reader)
  if (character !== undefined && least > 0) branch.run += character
  if (character === undefined || least === 0 || most > 1) endRun(branch)
}

const depthMax = 50 // of groups

function readGroup(reader: Reader): TextNeed<Needle> | undefined {
  reader.at += reader.pattern.startsWith('(?:', reader.at) ? 3 : 1
  reader.depth += 1
  const need = reader.depth > depthMax ? undefined : readChoice(reader, false)
  reader.depth -= 1
  if (reader.pattern[reader.at] === ')') reader.at += 1
  else giveUp(reader)
  return need
}

/** A class, an escape, or a character that is not an operator. */
const atom = /\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|[0-9]+|.)|[^?*+{}\]\\[]/suy
const quantifier = /(?:([?*+])|\{(\d{1,4})(,?)(\d{0,4})\})\??/y

/** Matches an expression at the position of the reader and advances it. */
function matchAt(expression: RegExp, reader: Reader): RegExpExecArray | null {
  expression.lastIndex = reader.at
  const found = expression.exec(reader.pattern)
  reader.at += found?.[0].length ?? 0
  return found
}

/** Reads one character or escape. @returns  undefined if it can match several characters */
function readCharacter(reader: Reader): string | undefined {
  const part = matchAt(atom, reader)?.[0]
  if (part === undefined) {
    giveUp(reader)
    return undefined
  }
  if (part.startsWith('\\')) return /^\\[\\|.\-^?*+{}()[\]$/]$/.test(part) ? part.slice(1) : undefined
  return part === '.' || part.startsWith('[') || !isPlain(part, reader.isCaseless) ? undefined : part
}

/** Reads a quantifier: the least and the greatest number of repetitions. */
function readQuantifier(reader: Reader): {readonly least: number; readonly most: number} {
  const found = matchAt(quantifier, reader)
  if (found === null) return {least: 1, most: 1}
  const [, sign, least = '0', comma = '', most = ''] = found
  if (sign !== undefined) return {least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Number.POSITIVE_INFINITY}
  if (comma === '') return {least: Number(least), most: Number(least)}
  return {least: Number(least), most: most === '' ? Number.POSITIVE_INFINITY : Number(most)}
}

/** Whether a literal character can be part of a piece. With flag i, case beyond ASCII depends on the collation. */
function isPlain(character: string, isCaseless: boolean): boolean {
  return !isCaseless || character <= '\x7f' || character.toLowerCase() === character.toUpperCase()
}

/** The text of a literal pattern, split at characters that are not plain. */
function literalText(pattern: string, isCaseless: boolean): string {
  return Array.from(pattern, character => (isPlain(character, isCaseless) ? character : '\0')).join('')
}
