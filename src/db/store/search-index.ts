/**
 * The search index of a dataset: creates it while the service runs, recreates it after an interruption, drops it, and
 * merges its pending list. sql/functions/term/words.sql says what it contains. With pg_trgm there is a second one, of
 * similar words (sql/functions/term/similar.sql).
 */
import {setTimeout as delay} from 'node:timers/promises'
import {Refusal} from '../../base/refusal.ts'
import {firstLiteralId, firstOfClass, literalClasses} from '../../rdf/id-layout.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database, Queryable, Transaction} from '../connection/pool.ts'
import {databaseCodeOf} from '../connection/problem-of.ts'
import {createTermIndex, createTermIndexInside, dropTermIndex, isIndexBeingMade, type TermIndex} from './term-index.ts'
import {createExtension, readTextIndexState} from './text-index.ts'

export type SearchIndexState = {
  readonly isThere: boolean
  readonly isUsable: boolean // false: missing, being created, or left invalid by an interruption
}

const smallTerms = 10_000 // as in sql/functions/term/words.sql
const gatheredLiterals = 2000 // at a time, which takes some hundred milliseconds

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
    if (await isIndexBeingMade(database, schema, 'term_words')) return 'busy'
    if (state.isThere) await dropTermIndex(database, schema, 'term_words')
    await createTermIndex(database, schema, searchIndex(schema))
    return 'made'
  } catch (error) {
    // Created meanwhile, or by two sessions that wait for each other.
    if (['42P07', '23505', '40P01'].includes(databaseCodeOf(error) ?? '')) return 'busy'
    throw databaseCodeOf(error) === '42501' ? notAllowed(error) : error
  }
}

/** Creates the index in a transaction, if it does not exist and the dictionary is small as in a new dataset. */
export async function createSmallSearchIndex(transaction: Transaction, schema: string): Promise<void> {
  const own = quoteIdentifier(schema)
  const [row] = await transaction.query<{isWanted: boolean}>(
    `select not s.is_there and not exists (select from ${own}.term offset ${smallTerms}) as "isWanted"
       from ${own}.search_index_state() as s`,
  )
  if (row?.isWanted === true) await createTermIndexInside(transaction, schema, searchIndex(schema))
}

/** Drops the index, and the words among which similar ones are found. */
export async function dropSearchIndex(database: Database, schema: string): Promise<void> {
  await dropTermIndex(database, schema, 'term_words')
  await dropTermIndex(database, schema, 'search_word_similar')
  await database.query(`select ${quoteIdentifier(schema)}.forget_search_words()`)
}

export async function findsSimilarWords(queryable: Queryable, schema: string): Promise<boolean> {
  const text = `select ${quoteIdentifier(schema)}.similar_words_schema() is not null as "isUsable"`
  const [row] = await queryable.query<{isUsable: boolean}>(text)
  return row?.isUsable === true
}

/**
 * Creates the index by which similar words are found, if the server has pg_trgm and the role may create it.
 *
 * @param database  without a time limit for statements
 * @returns         whether similar words can be found now
 */
export async function createSimilarIndex(database: Database, schema: string): Promise<boolean> {
  if (await findsSimilarWords(database, schema)) return true
  const {isOffered, extensionSchema} = await readTextIndexState(database, schema)
  if (!isOffered && extensionSchema === undefined) return false
  try {
    const extension = extensionSchema ?? (await createExtension(database, schema))
    if (await isIndexBeingMade(database, schema, 'search_word_similar')) return false
    await dropTermIndex(database, schema, 'search_word_similar') // invalid, if it exists
    const using = `using gin (word ${quoteIdentifier(extension)}.gin_trgm_ops)`
    await createTermIndex(database, schema, {name: 'search_word_similar', using})
    return true
  } catch (error) {
    // The role may not, or it was created meanwhile.
    if (['42501', '42P07', '23505', '40P01'].includes(databaseCodeOf(error) ?? '')) return false
    throw error
  }
}

/**
 * Gathers the words of new literals, among which similar ones are found.
 *
 * @param signal  ends the work. With it, the work rests as long as it takes, so that others have the processor
 */
export async function gatherSearchWords(queryable: Queryable, schema: string, signal?: AbortSignal): Promise<void> {
  const text = `select ${quoteIdentifier(schema)}.gather_search_words($1) as "isMore"`
  for (let isMore = true; isMore && signal?.aborted !== true; ) {
    const began = performance.now()
    const [row] = await queryable.query<{isMore: boolean}>(text, [gatheredLiterals])
    isMore = row?.isMore === true
    if (isMore && signal !== undefined) await delay(performance.now() - began, undefined, {signal, ref: false})
  }
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
