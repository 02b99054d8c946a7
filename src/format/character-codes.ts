/**
 * Character codes by name, for scanners that go through text code by code.
 *
 * Floor 2. Pure.
 */
export function codeOf(character: string): number {
  return character.charCodeAt(0)
}

/** The codes of the characters that the grammars ask for by name. */
export const marks = {
  tab: codeOf('\t'),
  lineFeed: codeOf('\n'),
  carriageReturn: codeOf('\r'),
  space: codeOf(' '),
  quote: codeOf('"'),
  hash: codeOf('#'),
  percent: codeOf('%'),
  apostrophe: codeOf("'"),
  openParenthesis: codeOf('('),
  plus: codeOf('+'),
  hyphen: codeOf('-'),
  dot: codeOf('.'),
  zero: codeOf('0'),
  nine: codeOf('9'),
  colon: codeOf(':'),
  semicolon: codeOf(';'),
  less: codeOf('<'),
  greater: codeOf('>'),
  at: codeOf('@'),
  openBracket: codeOf('['),
  backslash: codeOf('\\'),
  closeBracket: codeOf(']'),
  lowLine: codeOf('_'),
  openBrace: codeOf('{'),
  closeBrace: codeOf('}'),
} as const
