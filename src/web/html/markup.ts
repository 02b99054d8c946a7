/**
 * Markup with its values escaped: the only way in which a page comes to be.
 *
 * Floor 5. Pure. A value is text unless it is markup that this tag has made. Attributes are written in double quotes.
 * Source: HTML, "Serialising HTML fragments" (which characters end a text or an attribute).
 */

/** Markup that is safe to send. Made by `markup` alone. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What may stand in a template; what is undefined or false says nothing. */
export type Part = Markup | string | number | undefined | false | readonly Part[]

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#13;', // a parser makes a line feed of it otherwise
  '\u0000': '\uFFFD', // no parser lets it pass
}

/** Text for a template, between tags or in a quoted attribute. */
export function escapeText(text: string): string {
  return /[&<>"'\r\u0000]/.test(text) ? text.replace(/[&<>"'\r\u0000]/g, unit => escapes[unit] ?? unit) : text
}

/** Template tag: markup`<p title="${title}">${text}</p>`. */
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
