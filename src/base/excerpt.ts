/**
 * Shortens texts of clients for error messages, logs and explanations.
 *
 * Pure.
 */

const lengthLimit = 120 // characters: enough to recognise the value, too few to fill a log

/** The value cut after 120 characters, with line ends and tabs as \n, \r, \t and other controls as \uXXXX. */
export function excerpt(value: string): string {
  const head = value.slice(0, lengthLimit).replace(/[\p{Cc}\p{Surrogate}\u2028\u2029]/gu, escapeCharacter)
  return value.length > lengthLimit ? `${head}…` : head
}

/**
 * The first characters of a text, and how many were left out.
 *
 * @param limit  characters to keep
 */
export function shortened(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)} … (${text.length - limit} more characters)`
}

const short: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

function escapeCharacter(character: string): string {
  const known = short.get(character)
  if (known !== undefined) return known
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** A JSON value for an error message. Arrays and objects are only named, because they may be nested very deep. */
export function excerptOfJson(value: unknown): string {
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : `"${excerpt(String(value))}"`
}
