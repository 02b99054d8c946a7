/**
 * Replaces keys of computed terms in a batch of rows by ids if the terms are stored. Then each term has one token.
 */

import type {Queryable} from '../db/connection/pool.ts'
import {findIds, type IdRow} from '../db/query/rows.ts'
import {firstBlankNodeId} from '../rdf/id-layout.ts'
import {packLiteral} from '../rdf/inline.ts'
import {termOfKey} from '../rdf/term.ts'
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
    else if (!key.startsWith('B') && !ids.has(key)) unknown.push(key)
  }
  for (const [key, id] of await findIds(transaction, schema, unknown)) ids.set(key, id)
  return rows.map(row =>
    row.map((value, index) => (value !== null && isKey[index] ? (ids.get(value) ?? value) : value)),
  )
}

/** The id of a term that needs no dictionary: a stored blank node or an inline literal; otherwise undefined. */
function ownId(key: string): string | undefined {
  const blank = /^Bqs([1-9]\d{0,16})$/.exec(key)?.[1]
  if (blank !== undefined) return String(firstBlankNodeId + BigInt(blank))
  const term = key.startsWith('L') ? termOfKey(key) : undefined
  return term?.termType === 'Literal' ? packLiteral(term)?.toString() : undefined
}
