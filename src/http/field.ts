/**
 * The parts of header fields: tokens, quoted strings, lists and parameters.
 *
 * Pure, in one pass over the text without backtracking. Knows no field by name.
 * Source: RFC 9110 §5.6.
 */

const tokenSyntax = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const outerBlanks = /^[ \t]+|(?<![ \t])[ \t]+$/g

/** A parameter: its name in lower case, its value without quotes, '' if there is no value. */
export type FieldParameter = {readonly name: string; readonly value: string}

/** Whether the text is a token (RFC 9110 §5.6.2). */
export function isToken(text: string): boolean {
  return tokenSyntax.test(text)
}

/** Removes optional white space around a text (RFC 9110 §5.6.3: spaces and tabs only). */
export function trimBlanks(text: string): string {
  return text.replace(outerBlanks, '')
}

/** The members of a list field. Empty members are skipped, as RFC 9110 §5.6.1.2 requires. */
export function splitList(value: string): string[] {
  return splitOutsideQuotes(value, ',').filter(member => member !== '')
}

/**
 * Splits at separators outside of quoted strings and of `<…>`, and trims the parts.
 *
 * An unclosed quoted string extends to the end of the text. An unclosed `<` is an ordinary character.
 */
export function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  const lastClosing = text.lastIndexOf('>')
  let start = 0
  for (let position = 0; position < text.length; position++) {
    const character = text[position]
    if (character === '"') position = closingQuote(text, position)
    else if (character === '<' && position < lastClosing) position = text.indexOf('>', position)
    else if (character === separator) {
      parts.push(trimBlanks(text.slice(start, position)))
      start = position + 1
    }
  }
  parts.push(trimBlanks(text.slice(start)))
  return parts
}

/** The position of the quote that closes the one at `opening`; the length of the text if there is none. */
function closingQuote(text: string, opening: number): number {
  for (let position = opening + 1; position < text.length; position++) {
    if (text[position] === '\\') position++
    else if (text[position] === '"') return position
  }
  return text.length
}

/**
 * The content of a quoted string, with its escapes resolved. Returns any other text unchanged.
 *
 * @returns  undefined if a quoted string is not closed, or ends before the text does
 */
export function unquote(text: string): string | undefined {
  if (!text.startsWith('"')) return text
  if (closingQuote(text, 0) !== text.length - 1 || text.length === 1) return undefined
  return text.slice(1, -1).replace(/\\(.)/gs, '$1')
}

/**
 * Reads `name=value`. White space around `=` is accepted (RFC 7240 §2 allows it, RFC 9110 §5.6.6 does not).
 *
 * @returns  undefined if the name is not a token or the value is a malformed quoted string
 */
export function readParameter(text: string): FieldParameter | undefined {
  const equals = text.indexOf('=')
  const name = trimBlanks(equals === -1 ? text : text.slice(0, equals))
  const value = unquote(equals === -1 ? '' : trimBlanks(text.slice(equals + 1)))
  return isToken(name) && value !== undefined ? {name: name.toLowerCase(), value} : undefined
}
