/**
 * The same text in memory of its own.
 *
 * V8 represents a text that was cut out of a longer one, by `slice`, `split` or a regular expression, as a reference
 * into the longer one, which therefore stays in memory as long as the part. A cache must not keep such a part: it would
 * keep the whole answer that the part came from.
 */
export function detached(text: string): string {
  return text.length < shortest ? text : ` ${text}`.slice(1)
}

const shortest = 13 // UTF-16 units; V8 copies shorter texts
