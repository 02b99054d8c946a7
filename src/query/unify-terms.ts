/**
 * Computed terms of a batch of rows as ids, where they are stored: afterwards one term has one token.
 */

import type {Queryable} from '../db/connection/pool.ts'
import {findIds, type IdRow} from '../db/query/rows.ts'
import {packLiteral} from '../rdf/inline.ts'
import {termOfKey} from '../rdf/term.ts'
import {firstBlankNodeId} from '../rdf/term-id.ts'
import type {CompiledQuery} from '../sparql/compile.ts'

/** Rows with each key of a stored term, or of one that the query names, replaced by its id. */
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

/** The id that a term has without a dictionary: stored blank nodes and inline literals. */
function ownId(key: string): string | undefined {
  const blank = /^Bqs([1-9]\d{0,16})$/.exec(key)?.[1]
  if (blank !== undefined) return String(firstBlankNodeId + BigInt(blank))
  const term = key.startsWith('L') ? termOfKey(key) : undefined
  return term?.termType === 'Literal' ? packLiteral(term)?.toString() : undefined
}
