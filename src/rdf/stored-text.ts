/**
 * Text to a form that PostgreSQL can store, and back: RDF literals may contain U+0000, PostgreSQL text may not.
 *
 * Pure. U+0000 becomes U+0001 U+0001, and U+0001 becomes U+0001 U+0002. The mapping is unambiguous and preserves the
 * order by code points. Text without these two characters, which is nearly all text, is unchanged.
 * sql/functions/term/term.sql (show_term) decodes the same form.
 */
const unstorable = /[\u0000\u0001]/g
const stored = /\u0001([\u0001\u0002])/g

/** The form to store and to hash. */
export function toStoredText(text: string): string {
  return text.includes('\u0000') || text.includes('\u0001')
    ? text.replace(unstorable, character => (character === '\u0000' ? '\u0001\u0001' : '\u0001\u0002'))
    : text
}

/** The original text. */
export function fromStoredText(text: string): string {
  return text.includes('\u0001') ? text.replace(stored, (_, mark) => (mark === '\u0001' ? '\u0000' : '\u0001')) : text
}
