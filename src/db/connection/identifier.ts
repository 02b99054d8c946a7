/**
 * Quotes identifiers for SQL text, so that any name is valid.
 *
 * Pure. Source: PostgreSQL manual §4.1.1.
 */

/** Quotes a name: My-Data → "My-Data". */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
