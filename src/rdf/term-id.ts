/**
 * What the id of a stored term tells of it: sql/migrations/000001_store.sql has the ranges.
 *
 * Floor 1. Pure. As text an id is decimal, without a sign unless its literal is inline (inline.ts).
 */

export const firstBlankNodeId = 2n ** 60n
export const firstLiteralId = 2n ** 62n // of the dictionary; between blank nodes and these, nothing is stored

export type TermKind = 'iri' | 'blank' | 'literal'

const [firstBlank, firstLiteral] = [String(firstBlankNodeId), String(firstLiteralId)]

/** Compares text: ids from those of blank nodes on have as many digits. */
export function kindOfId(id: string): TermKind {
  if (id.startsWith('-')) return 'literal'
  if (id.length < firstBlank.length || id < firstBlank) return 'iri'
  return id < firstLiteral ? 'blank' : 'literal'
}
