/**
 * Translates regular expressions and replacements of XPath to those of PostgreSQL.
 *
 * Pure. XPath differs in these points: `.` does not match line ends, `$` matches only at the very end, `\i`, `\c`,
 * `\p{…}` and class subtraction exist, and back references in replacements are written `$1`.
 * Sources: XPath functions §5.6.1 (syntax and flags); PostgreSQL manual §9.7.3.
 */

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

const nameStart = ':A-Z_a-zÀ-ÖØ-öø-˿Ͱ-ͽͿ-῿‌-‍⁰-↏Ⰰ-⿯、-퟿豈-﷏ﷰ-�'
const nameCharacter = `${nameStart}\\-.0-9·̀-ͯ‿-⁀`

const separators = ' \\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000'

/** Unicode categories that have a POSIX class or are small. Others are not supported. */
const categories: Readonly<Record<string, string>> = {
  L: '[:alpha:]',
  Lu: '[:upper:]',
  Ll: '[:lower:]',
  N: '[:digit:]',
  Nd: '[:digit:]',
  P: '[:punct:]',
  Z: `${separators}\\u2028\\u2029`,
  Zs: separators,
  Cc: '[:cntrl:]',
  C: '[:cntrl:]',
}

/** @param dot  the translation of `.` outside of classes */
function translateBody(pattern: string, dot: string): string | undefined {
  let output = ''
  let classDepth = 0
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern.charAt(index)
    if (character === '\\') {
      const [translated, length] = translateEscape(pattern.slice(index), classDepth > 0)
      if (translated === undefined) return undefined
      output += translated
      index += length - 1
    } else if (character === '[') {
      if (classDepth > 0) return undefined // subtraction of classes
      classDepth += 1
      output += '['
      if (pattern.charAt(index + 1) === '^') {
        output += '^'
        index += 1
      }
    } else if (character === ']') {
      if (classDepth === 0) return undefined
      classDepth -= 1
      output += ']'
    } else output += character === '.' && classDepth === 0 ? dot : character
  }
  return classDepth === 0 && !/\(\?(?!:)/.test(output) ? output : undefined
}

/** Translates an escape. @returns  the translation, undefined for an error, and the length of the escape */
function translateEscape(rest: string, isInClass: boolean): readonly [string | undefined, number] {
  const category = /^\\([pP])\{([A-Za-z]+)\}/.exec(rest)
  if (category !== null) {
    const [whole, sign, name = ''] = category
    const posix = categories[name]
    if (posix === undefined || (isInClass && sign === 'P')) return [undefined, 0]
    return [isInClass ? posix : `[${sign === 'P' ? '^' : ''}${posix}]`, whole.length]
  }
  const letter = rest.charAt(1)
  if (letter === 'i') return [isInClass ? nameStart : `[${nameStart}]`, 2]
  if (letter === 'I') return [isInClass ? undefined : `[^${nameStart}]`, 2]
  if (letter === 'c') return [isInClass ? nameCharacter : `[${nameCharacter}]`, 2]
  if (letter === 'C') return [isInClass ? undefined : `[^${nameCharacter}]`, 2]
  if (letter === 's') return [isInClass ? ' \\t\\n\\r' : '[ \\t\\n\\r]', 2] // not the spaces of Unicode
  if (letter === 'S' && !isInClass) return ['[^ \\t\\n\\r]', 2]
  if (/[dDSwWnrt0-9]/.test(letter) || /[\\|.\-^?*+{}()[\]$/]/.test(letter)) return [rest.slice(0, 2), 2]
  return [undefined, 0]
}

/** @returns  undefined if the replacement has a `$` or `\` that XPath forbids */
export function translateReplacement(replacement: string): string | undefined {
  if (!/^(?:[^\\$]|\\[\\$]|\$[0-9])*$/s.test(replacement)) return undefined
  return replacement.replace(/\\\$|\$([0-9])|\\\\/g, (part, digit) => {
    if (digit !== undefined) return digit === '0' ? '\\&' : `\\${digit}`
    return part === '\\$' ? '$' : '\\\\'
  })
}
