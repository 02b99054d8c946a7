/**
 * References between the requests of a batch: `$id` stands for the document that an earlier request has created.
 *
 * A text with references becomes a template, so that long texts are searched once, before any request runs.
 * Sources: OData JSON Format 4.01 §19; docs/interface.md, Batches.
 */

/** The IRI of the document that a request has created, or the entity tag of its response. */
export type Reference = {readonly kind: 'iri' | 'etag'; readonly id: string}

export type ReferringText = readonly (string | Reference)[]

/** A reference at the beginning of a text: the id, and the text that follows. */
const leading = /^\$([A-Za-z0-9._~-]+)(?=$|[/?#])/

/** Reads `$id`, perhaps with a path, a query or a fragment after it. Any other text is a template of itself. */
export function readReference(text: string, known: ReadonlySet<string>): ReferringText {
  const [whole = '', id] = leading.exec(text) ?? []
  return id === undefined || !known.has(id) ? [text] : [{kind: 'iri', id}, text.slice(whole.length)]
}

/** Where strings, comments and IRIs may begin in Turtle, TriG, N3, LD Patch and SPARQL. */
const opening = /["'#<]/g
const iriEnd = /[<>"{}|^`\\\x00-\x20]/g

/** Finds `<$id>` outside of strings and comments in a text of Turtle's family. */
export function readTurtleReferences(text: string, known: ReadonlySet<string>): ReferringText {
  if (!text.includes('<$')) return [text]
  const parts: (string | Reference)[] = []
  let copied = 0
  for (let at = next(opening, text, 0); at < text.length; at = next(opening, text, at)) {
    const isIri = text[at] === '<'
    const end = isIri ? next(iriEnd, text, at + 1) : text[at] === '#' ? next(/[\r\n]/g, text, at) : stringEnd(text, at)
    if (isIri && text[end] === '>') {
      const [reference, rest] = readReference(text.slice(at + 1, end), known)
      if (rest !== undefined && reference !== undefined) {
        parts.push(text.slice(copied, at + 1), reference, rest)
        copied = end
      }
    }
    at = isIri && text[end] !== '>' ? at + 1 : end
  }
  return [...parts, text.slice(copied)]
}

/** The position after a string that begins at a quote. A string that is not closed ends with the text or the line. */
function stringEnd(text: string, start: number): number {
  const quote = text[start] ?? ''
  const long = quote.repeat(3)
  const isLong = text.startsWith(long, start)
  const closing = isLong ? long : quote
  const stop = isLong ? new RegExp(`\\\\|${long}`, 'g') : new RegExp(`\\\\|${quote}|[\r\n]`, 'g')
  for (let at = next(stop, text, start + closing.length); at < text.length; at = next(stop, text, at + 2))
    if (text[at] !== '\\') return at + (text[at] === quote ? closing.length : 1)
  return text.length
}

/** The position of the next match at or after a position; the length of the text if there is none. */
function next(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

/** Finds `"@id":"$id"` in the text that JSON.stringify writes, in which a string contains no unescaped quotes. */
export function readJsonReferences(text: string, known: ReadonlySet<string>): ReferringText {
  const parts: (string | Reference)[] = []
  let copied = 0
  for (const {index, 1: head = '', 2: value = ''} of text.matchAll(/("@id":")(\$[^"\\]*)(?=")/g)) {
    const [reference, rest] = readReference(value, known)
    if (reference === undefined || rest === undefined) continue
    parts.push(text.slice(copied, index + head.length), reference, rest)
    copied = index + head.length + value.length
  }
  return [...parts, text.slice(copied)]
}

/** The ids that a template refers to. */
export function referencesOf(template: ReferringText): readonly string[] {
  return template.flatMap(part => (typeof part === 'string' ? [] : part.id))
}

/** Replaces the references. A path after `$id` continues the IRI of the document, which ends with a slash. */
export function fillTemplate(template: ReferringText, meaningOf: (reference: Reference) => string): string {
  return template
    .map((part, index) => {
      if (typeof part === 'string') return part
      const after = template[index + 1]
      const value = meaningOf(part)
      return typeof after === 'string' && after.startsWith('/') ? value.replace(/\/$/, '') : value
    })
    .join('')
}
