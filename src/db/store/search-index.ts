/**
 * The search index of a dataset: creates it while the service runs, recreates it after an interruption, drops it, and
 * merges its pending list. sql/functions/term/words.sql says what it contains.
 */
import {Refusal} from '../../base/refusal.ts'
import {firstLiteralId, firstOfClass, literalClasses} from '../../rdf/id-layout.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database, Queryable} from '../connection/pool.ts'
import {databaseCodeOf} from '../connection/problem-of.ts'
import {createTermIndex, dropTermIndex, isIndexBeingMade, type TermIndex} from './term-index.ts'

export type SearchIndexState = {
  readonly isThere: boolean
  readonly isUsable: boolean // false: missing, being created, or left invalid by an interruption
}

type StateRow = {readonly is_there: boolean; readonly is_usable: boolean}

export async function readSearchIndexState(queryable: Queryable, schema: string): Promise<SearchIndexState> {
  const [row] = await queryable.query<StateRow>(`select * from ${quoteIdentifier(schema)}.search_index_state()`)
  return {isThere: row?.is_there ?? false, isUsable: row?.is_usable ?? false}
}

/**
 * Creates the index if it does not exist, without blocking reads and writes. Drops an invalid index of an interrupted
 * run first.
 *
 * @param database  without a time limit for statements
 * @returns         'busy': another session is creating it
 * @throws          Refusal: the role does not own the dictionary
 */
export async function createSearchIndex(database: Database, schema: string): Promise<'made' | 'kept' | 'busy'> {
  const state = await readSearchIndexState(database, schema)
  if (state.isUsable) return 'kept'
  try {
    if (await isIndexBeingMade(database, schema)) return 'busy'
    if (state.isThere) await dropSearchIndex(database, schema)
    await createTermIndex(database, schema, searchIndex(schema))
    return 'made'
  } catch (error) {
    // Created meanwhile, or by two sessions that wait for each other.
    if (['42P07', '23505', '40P01'].includes(databaseCodeOf(error) ?? '')) return 'busy'
    throw databaseCodeOf(error) === '42501' ? notAllowed(error) : error
  }
}

export function dropSearchIndex(database: Database, schema: string): Promise<void> {
  return dropTermIndex(database, schema, 'term_words')
}

/** Merges the words of new literals, which writers append to a list, into the index. @returns pages of the list */
export async function mergeSearchIndex(queryable: Queryable, schema: string): Promise<number> {
  const text = `select ${quoteIdentifier(schema)}.merge_search_index() as pages`
  const [row] = await queryable.query<{pages: string}>(text)
  return Number(row?.pages ?? 0)
}

function searchIndex(schema: string): TermIndex {
  const words = `${quoteIdentifier(schema)}.search_words(lex, lang)`
  return {
    name: 'term_words',
    using: `using gin (${words})`,
    condition: `id between ${firstLiteralId} and ${firstOfClass(literalClasses.langString + 1n) - 1n}`, // strings
  }
}

function notAllowed(cause: unknown): Refusal {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Refusal(
    `This role may not make the search index (${reason}). Run "quadstead search-index" as the owner of the schema.`,
    {cause},
  )
}
