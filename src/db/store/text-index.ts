/**
 * The text index of a dataset: creates it while the service runs, recreates it after an interruption, drops it.
 *
 * It needs the extension pg_trgm. sql/functions/term/text_index.sql says what the index is for. Sources: PostgreSQL
 * manual, CREATE INDEX (CONCURRENTLY), pg_trgm.
 */
import {Refusal} from '../../base/refusal.ts'
import {firstLiteralId} from '../../rdf/id-layout.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database, Queryable} from '../connection/pool.ts'
import {databaseCodeOf} from '../connection/problem-of.ts'
import {createTermIndex, dropTermIndex, isIndexBeingMade, patient, type TermIndex} from './term-index.ts'

export type TextIndexState = {
  readonly isOffered: boolean // the server has pg_trgm
  readonly extensionSchema: string | undefined // undefined: the extension is not created in this database
  readonly isThere: boolean
  readonly isUsable: boolean // false: missing, being created, or left invalid by an interruption
  readonly terms: number // in the dictionary, an estimate
}

type StateRow = {
  readonly is_offered: boolean
  readonly extension_schema: string | null
  readonly is_there: boolean
  readonly is_usable: boolean
  readonly terms: string
}

export async function readTextIndexState(queryable: Queryable, schema: string): Promise<TextIndexState> {
  const [row] = await queryable.query<StateRow>(`select * from ${quoteIdentifier(schema)}.text_index_state()`)
  return {
    isOffered: row?.is_offered ?? false,
    extensionSchema: row?.extension_schema ?? undefined,
    isThere: row?.is_there ?? false,
    isUsable: row?.is_usable ?? false,
    terms: Number(row?.terms ?? 0),
  }
}

/**
 * Creates the index if it does not exist, without blocking reads and writes. Drops an invalid index of an interrupted
 * run first.
 *
 * @param database  without a time limit for statements
 * @returns         'busy': another session is creating it
 * @throws          Refusal: the server has no pg_trgm, or the role may not create it or the index
 */
export async function createTextIndex(database: Database, schema: string): Promise<'made' | 'kept' | 'busy'> {
  const state = await readTextIndexState(database, schema)
  if (state.isUsable) return 'kept'
  if (!state.isOffered && state.extensionSchema === undefined) {
    throw new Refusal('The text index needs pg_trgm, which this PostgreSQL does not have. Install its contrib modules.')
  }
  try {
    const extension = state.extensionSchema ?? (await createExtension(database, schema))
    if (await isIndexBeingMade(database, schema, 'term_text')) return 'busy'
    if (state.isThere) await dropTextIndex(database, schema)
    await createTermIndex(database, schema, textIndex(schema, extension))
    return 'made'
  } catch (error) {
    if (databaseCodeOf(error) === '42P07' || databaseCodeOf(error) === '23505') return 'busy' // created meanwhile
    throw databaseCodeOf(error) === '42501' ? notAllowed(error) : error
  }
}

/** Drops the index if it exists. The extension stays. */
export function dropTextIndex(database: Database, schema: string): Promise<void> {
  return dropTermIndex(database, schema, 'term_text')
}

/** Creates pg_trgm in the schema public, or in the dataset's schema if there is no public. @returns the schema */
export async function createExtension(database: Database, schema: string): Promise<string> {
  const [row] = await database.query<{exists: boolean}>(`select to_regnamespace('public') is not null as "exists"`)
  const place = row?.exists === true ? 'public' : schema
  await database.query(`create extension if not exists pg_trgm with schema ${quoteIdentifier(place)}`, [], patient)
  return (await readTextIndexState(database, schema)).extensionSchema ?? place
}

function textIndex(schema: string, extension: string): TermIndex {
  const folded = `${quoteIdentifier(schema)}.sparql_folded(lex)`
  return {
    name: 'term_text',
    using: `using gin (${folded} ${quoteIdentifier(extension)}.gin_trgm_ops)`,
    condition: `id >= ${firstLiteralId}`,
  }
}

function notAllowed(cause: unknown): Refusal {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Refusal(
    `This role may not make the text index (${reason}). Have the owner of the database run "create extension ` +
      'pg_trgm", and run "quadstead text-index" as the owner of the schema.',
    {cause},
  )
}
