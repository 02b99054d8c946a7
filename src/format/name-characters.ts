/**
 * The characters of names in Turtle's family and in XML.
 *
 * Floor 2. Pure.
 * Sources: Turtle §6.5, PN_CHARS_BASE, PN_CHARS_U, PN_CHARS; Namespaces in XML 1.0, NCName (the same ranges beyond
 * ASCII).
 */
const base =
  'A-Za-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F' +
  '\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}'
const rest = `${base}_\\-0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040`

const inside = new RegExp(`^[${rest}]$`, 'u')
const blankLabel = new RegExp(`^[${base}_0-9](?:[${rest}.]*[${rest}])?$`, 'u')
const ncName = new RegExp(`^[${base}_][${rest}.]*$`, 'u')

/** Whether a character (one code point) is in PN_CHARS. */
export function isNameCharacter(character: string): boolean {
  return inside.test(character)
}

/** Whether a label can stand after '_:' in Turtle, TriG, N-Triples and N-Quads. */
export function isBlankLabel(label: string): boolean {
  return blankLabel.test(label)
}

/** Whether a name can stand in rdf:nodeID and, with a prefix before it, as an element. */
export function isNcName(name: string): boolean {
  return ncName.test(name)
}
