/**
 * Any text to text that PostgreSQL can hold, and back: it holds every character but U+0000, which RDF allows in
 * literals.
 *
 * Floor 1. Pure. U+0000 becomes U+0001 U+0001 and U+0001 becomes U+0001 U+0002, so nothing is ambiguous, the order
 * by code points is kept, and text without these two characters, as good as all of it, stays as it is.
 * sql/functions/30_term.sql (show_term) knows the form.
 */
const unstorable = /[\u0000\u0001]/g
const stored = /\u0001([\u0001\u0002])/g

/** The form that is stored and hashed. */
export function toStoredText(text: string): string {
  return text.includes('\u0000') || text.includes('\u0001')
    ? text.replace(unstorable, character => (character === '\u0000' ? '\u0001\u0001' : '\u0001\u0002'))
    : text
}

/** The text as it was written. */
export function fromStoredText(text: string): string {
  return text.includes('\u0001') ? text.replace(stored, (_, mark) => (mark === '\u0001' ? '\u0000' : '\u0001')) : text
}
