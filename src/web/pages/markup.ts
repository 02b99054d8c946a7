/**
 * HTML templates that escape their values. Every page is made with them.
 *
 * Pure. A value is escaped as text unless it is markup made by this tag. Attributes must be in double quotes.
 * Source: HTML, "Serialising HTML fragments" (characters that end a text or an attribute).
 */

/** Markup that is safe to send. Only the `markup` tag makes it, and the build of the documentation. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value in a template. undefined and false become nothing. */
export type Part = Markup | string | number | undefined | false | readonly Part[]

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#13;', // HTML parsers turn a bare carriage return into a line feed
  '\u0000': '\uFFFD', // HTML has no way to write U+0000
}

/** Escapes text for use between tags or in a quoted attribute. */
export function escapeText(text: string): string {
  return /[&<>"'\r\u0000]/.test(text) ? text.replace(/[&<>"'\r\u0000]/g, unit => escapes[unit] ?? unit) : text
}

/** Template tag, as in markup`<p title="${title}">${text}</p>`. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0] ?? ''
  for (const [index, part] of parts.entries()) text += textOf(part) + (strings[index + 1] ?? '')
  return new Markup(text)
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Markup) return part.text
  if (typeof part === 'object') return part.map(textOf).join('')
  return escapeText(String(part))
}
