/**
 * Translates regular expressions and replacements of XPath to those of PostgreSQL.
 *
 * Pure. XPath differs in these points: `.` does not match line ends, `$` matches only at the very end, `\i`, `\c`,
 * `\p{…}` and class subtraction exist (regex-class.ts), and back references in replacements are written `$1`.
 * Sources: XPath functions §5.6.1 (syntax and flags); PostgreSQL manual §9.7.3.
 */
import {type PatternReader, translateClass, translateEscape} from './regex-class.ts'

/**
 * @param flags  any of s, m, i, x and q
 * @returns      undefined if the pattern or a flag is an error in XPath, or not supported
 */
export function translatePattern(pattern: string, flags: string): string | undefined {
  if (!/^[smixq]*$/.test(flags)) return undefined
  // w: only `^` and `$` treat line ends specially; s: nothing does.
  const prefix = `(?${flags.includes('i') ? 'i' : 'c'}${flags.includes('m') ? 'w' : 's'})`
  if (flags.includes('q')) return prefix + pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  const body = translateBody(
    flags.includes('x') ? withoutWhitespace(pattern) : pattern,
    flags.includes('s') ? '.' : '[^\\n\\r]',
  )
  return body === undefined ? undefined : prefix + body
}

/** Removes white space outside of classes, as the flag x demands. */
export function withoutWhitespace(pattern: string): string {
  return pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\s+/gs, part => (/^\s/.test(part) ? '' : part))
}

/** The greatest number of sets in a pattern. Each takes up to a millisecond and 2,500 characters. */
const mostSets = 30

/** @param dot  the translation of `.` outside of classes */
function translateBody(pattern: string, dot: string): string | undefined {
  const reader: PatternReader = {pattern, at: 0, setsLeft: mostSets}
  let output = ''
  while (reader.at < pattern.length) {
    const translated = translatePart(reader, dot)
    if (translated === undefined) return undefined
    output += translated
  }
  return output
}

/** Translates an escape, a class or a character, and advances the reader; undefined for an error. */
function translatePart(reader: PatternReader, dot: string): string | undefined {
  const {pattern, at} = reader
  const character = pattern.charAt(at)
  if (character === '\\') return translateEscape(reader)
  if (character === '[') return translateClass(reader)
  if (character === ']' || (character === '(' && /^\?[^:]/.test(pattern.slice(at + 1, at + 3)))) return undefined
  reader.at += 1
  return character === '.' ? dot : character
}

/** @returns  undefined if the replacement has a `$` or `\` that XPath forbids */
export function translateReplacement(replacement: string): string | undefined {
  if (!/^(?:[^\\$]|\\[\\$]|\$[0-9])*$/s.test(replacement)) return undefined
  return replacement.replace(/\\\$|\$([0-9])|\\\\/g, (part, digit) => {
    if (digit !== undefined) return digit === '0' ? '\\&' : `\\${digit}`
    return part === '\\$' ? '$' : '\\\\'
  })
}
