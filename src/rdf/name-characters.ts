/**
 * Characters of names in Turtle and its relatives, in LD Patch and in XML.
 *
 * Pure.
 * Sources: Turtle §6.5, PN_CHARS_BASE, PN_CHARS_U, PN_CHARS; SPARQL 1.1 §19.8, VARNAME; Namespaces in XML 1.0, NCName
 * (the same ranges beyond ASCII).
 */
const lettersBeyondAscii =
  '\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F' +
  '\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}'
const base = `A-Za-z${lettersBeyondAscii}`
const joiners = '\\u00B7\\u0300-\\u036F\\u203F\\u2040'
const rest = `${base}_\\-0-9${joiners}`

const letterBeyondAscii = new RegExp(`^[${lettersBeyondAscii}]$`, 'u')
const joiner = new RegExp(`^[${joiners}]$`, 'u')
const inside = new RegExp(`^[${rest}]$`, 'u')
const blankLabel = new RegExp(`^[${base}_0-9](?:[${rest}.]*[${rest}])?$`, 'u')
const ncName = new RegExp(`^[${base}_][${rest}.]*$`, 'u')

/** Whether a code point is in PN_CHARS_BASE, so it may begin any name. */
export function isLetter(point: number): boolean {
  if (point < 128) return (point >= 97 && point <= 122) || (point >= 65 && point <= 90)
  return letterBeyondAscii.test(String.fromCodePoint(point))
}

export function isDigit(point: number): boolean {
  return point >= 48 && point <= 57
}

/** Whether a code point beyond ASCII that is not a letter may occur inside a name. */
export function isJoiner(point: number): boolean {
  return point >= 128 && joiner.test(String.fromCodePoint(point))
}

/** Whether a character (one code point) is in PN_CHARS, so it may occur inside any name. */
export function isNameCharacter(character: string): boolean {
  return inside.test(character)
}

/** Whether a blank node label is valid after '_:' in Turtle, TriG, N-Triples and N-Quads. */
export function isBlankLabel(label: string): boolean {
  return blankLabel.test(label)
}

/** Whether a name is an NCName: valid as an rdf:nodeID and as the local part of an element's name. */
export function isNcName(name: string): boolean {
  return ncName.test(name)
}
