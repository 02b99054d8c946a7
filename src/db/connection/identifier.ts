/**
 * Names in SQL text: quoted, so that any name a person may choose is one.
 *
 * Pure. Source: PostgreSQL manual §4.1.1.
 */

/** A name as an identifier: My-Data → "My-Data". */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
