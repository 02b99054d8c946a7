/**
 * The escapes of Turtle's family to the characters they stand for.
 *
 * Floor 2. Pure. Source: Turtle §6.4.
 */
import {excerpt} from './body-text.ts'

const characters: Readonly<Record<string, string>> = {
  t: '\t',
  b: '\b',
  n: '\n',
  r: '\r',
  f: '\f',
  '"': '"',
  "'": "'",
  '\\': '\\',
}

/**
 * @param allowed  in IRIs only characters may be escaped by number
 * @param fail     throws; the offset is within the raw text
 */
export function unescapeText(
  raw: string,
  allowed: 'all' | 'characters only',
  fail: (message: string, offset: number) => never,
): string {
  return raw.replace(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([\s\S]|$))/g, (whole, four, eight, other, offset) => {
    const point = four ?? eight
    if (point === undefined) {
      const character = allowed === 'all' ? characters[other] : undefined
      return character ?? fail(`Unknown escape "${excerpt(whole)}"`, offset)
    }
    const number = Number.parseInt(point, 16)
    if (number > 0x10ffff || (number >= 0xd800 && number <= 0xdfff)) fail('An escape names no character', offset)
    return String.fromCodePoint(number)
  })
}
