/**
 * What the id of a stored term says about the term. sql/migrations/000001_store.sql defines the ranges.
 *
 * Pure. As text an id is a decimal number; it has a minus sign if it is an inline literal (inline.ts).
 */

export const firstBlankNodeId = 2n ** 60n
export const firstLiteralId = 2n ** 62n // of dictionary literals; the range between blank nodes and these is unused

export type TermKind = 'iri' | 'blank' | 'literal'

const [firstBlank, firstLiteral] = [String(firstBlankNodeId), String(firstLiteralId)]

/** Compares ids as text, which is correct because all ids from 2^60 on have 19 digits. */
export function kindOfId(id: string): TermKind {
  if (id.startsWith('-')) return 'literal'
  if (id.length < firstBlank.length || id < firstBlank) return 'iri'
  return id < firstLiteral ? 'blank' : 'literal'
}
