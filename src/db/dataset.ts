/**
 * Opening a dataset: what it was made for, its root, its vocabulary.
 *
 * Floor 3. sql/functions/80_dataset.sql decides; this calls.
 */
import type {Iri} from '../rdf/term.ts'
import {quoteIdentifier} from './identifier.ts'
import type {Queryable} from './pool.ts'

export type DatasetOptions = {
  readonly schema: string
  readonly base: Iri | undefined // undefined: nobody named one, so the stored one holds, or else the default
  readonly defaultBase: Iri
  readonly platformNamespace: string
}

/**
 * Opens a migrated dataset; the first time, creates its root document.
 *
 * @returns  the base all its documents live under
 * @throws   Problem 409 `base-url-kept`, `platform-ns-kept`: it was made for another
 */
export async function openDataset(database: Queryable, options: DatasetOptions): Promise<Iri> {
  const {schema, base, defaultBase, platformNamespace} = options
  const text = `select ${quoteIdentifier(schema)}.open_dataset($1, $2, $3) as base`
  const [row] = await database.query<{base: Iri}>(text, [base ?? null, defaultBase, platformNamespace])
  return row?.base ?? defaultBase
}

/** The base of a dataset that was opened before; undefined for a new one. */
export async function storedBase(database: Queryable, schema: string): Promise<Iri | undefined> {
  const [row] = await database.query<{base: Iri}>(`select base from ${quoteIdentifier(schema)}.dataset`)
  return row?.base
}

/** The terms whose ids are fixed, by id: rows that hold ids never bring them along. */
export async function readVocabulary(database: Queryable, schema: string): Promise<ReadonlyMap<string, Iri>> {
  const rows = await database.query<{id: string; iri: Iri}>(`select * from ${quoteIdentifier(schema)}.vocabulary()`)
  return new Map(rows.map(({id, iri}) => [id, iri]))
}

export type BrokenInvariant = {readonly rule: string; readonly detail: string}

/** Every broken invariant of the store; none in a sound one. */
export function checkStore(database: Queryable, schema: string): Promise<readonly BrokenInvariant[]> {
  return database.query<BrokenInvariant>(`select * from ${quoteIdentifier(schema)}.check_store()`)
}
