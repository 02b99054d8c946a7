/**
 * The characters of names in LD Patch.
 *
 * Floor 2. Pure. Sources: LD Patch, Turtle §6.5 and SPARQL 1.1 §19.8: PN_CHARS_BASE, PN_CHARS, VARNAME.
 */
const letterBeyondAscii = new RegExp(
  '^[\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F' +
    '\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}]$',
  'u',
)

/** Whether a code point is in PN_CHARS_BASE. */
export function isLetter(point: number): boolean {
  if (point < 128) return (point >= 97 && point <= 122) || (point >= 65 && point <= 90)
  return letterBeyondAscii.test(String.fromCodePoint(point))
}

export function isDigit(point: number): boolean {
  return point >= 48 && point <= 57
}

/** Whether a code point beyond ASCII may stand inside a name though it is no letter. */
export function isJoiner(point: number): boolean {
  return point === 0xb7 || (point >= 0x300 && point <= 0x36f) || point === 0x203f || point === 0x2040
}
