/**
 * Replaces keys of computed terms in a batch of rows by ids if the terms are stored. Then each term has one token.
 */

import type {Queryable} from '../db/connection/pool.ts'
import {findIds, type IdRow} from '../db/query/rows.ts'
import {idOfBlankNodeLabel} from '../rdf/id-layout.ts'
import {packLiteral} from '../rdf/inline.ts'
import {kindOfKey, termOfKey} from '../rdf/term-key.ts'
import type {CompiledQuery} from '../sparql/compile.ts'

/** Rows in which the id replaces each key of a term that is stored or occurs in the query. */
export async function unifyTokens(
  transaction: Queryable,
  schema: string,
  {columns, localKeys}: CompiledQuery,
  rows: readonly IdRow[],
): Promise<readonly IdRow[]> {
  const isKey = columns.map(({rep}) => rep === 'key')
  if (!isKey.includes(true)) return rows
  const keys = new Set(rows.flatMap(row => row.filter((value, index) => value !== null && isKey[index]) as string[]))
  const ids = new Map<string, string>()
  for (const [id, key] of localKeys) ids.set(key, id)
  const unknown: string[] = []
  for (const key of keys) {
    const own = ownId(key)
    if (own !== undefined) ids.set(key, own)
    else if (kindOfKey(key) !== 'blank' && !ids.has(key)) unknown.push(key)
  }
  for (const [key, id] of await findIds(transaction, schema, unknown)) ids.set(key, id)
  return rows.map(row =>
    row.map((value, index) => (value !== null && isKey[index] ? (ids.get(value) ?? value) : value)),
  )
}

/** The id of a term that needs no dictionary: a stored blank node or an inline literal; otherwise undefined. */
function ownId(key: string): string | undefined {
  const term = termOfKey(key)
  if (term.termType === 'BlankNode') return idOfBlankNodeLabel(term.value)?.toString()
  return term.termType === 'Literal' ? packLiteral(term)?.toString() : undefined
}
