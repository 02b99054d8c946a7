/**
 * A JSON value to its canonical text: names sorted by UTF-16 units, no white space, numbers as ECMAScript prints them.
 *
 * Source: RFC 8785 (JCS), which JSON-LD 1.1 API §8.6 requires.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join()}}`
}
