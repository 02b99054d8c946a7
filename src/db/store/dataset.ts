/**
 * The dataset behind a schema: which URL its documents live under.
 *
 * The SQL functions decide; here are only their typed calls.
 */
import {Problem} from '../../base/problem.ts'
import {Refusal} from '../../base/refusal.ts'
import type {Iri} from '../../rdf/term.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database} from '../connection/pool.ts'

export type DatasetOptions = {
  readonly schema: string
  readonly base: Iri | undefined // BASE_URL as given
  readonly defaultBase: Iri // for a new dataset whose base nobody named
  readonly platformNamespace: Iri
}

/** The base a dataset was made with; undefined when it was not opened yet. */
export async function storedBase(database: Database, schema: string): Promise<Iri | undefined> {
  const [row] = await database.query<{base: Iri}>(`select base from ${quoteIdentifier(schema)}.dataset`)
  return row?.base
}

/**
 * Opens the dataset; the first time, it is made, with its root document.
 *
 * @throws  Refusal: it was made for another base or another platform namespace
 */
export async function openDataset(database: Database, options: DatasetOptions): Promise<{readonly base: Iri}> {
  const {schema, base, defaultBase, platformNamespace} = options
  try {
    const [row] = await database.query<{base: Iri}>(
      `select ${quoteIdentifier(schema)}.open_dataset($1, $2, $3) as base`,
      [base ?? null, defaultBase, platformNamespace],
    )
    return {base: row?.base ?? defaultBase}
  } catch (error) {
    if (error instanceof Problem && error.status === 409)
      throw new Refusal(withHint(error), {cause: error, exitCode: 78})
    throw error
  }
}

function withHint({message, cause}: Problem): string {
  const hint = cause instanceof Error && 'hint' in cause ? ` ${String(cause.hint)}` : ''
  return `${message}${hint}`
}

/** The terms whose ids are fixed, by id: rows that hold ids never bring them along. */
export async function readVocabulary(database: Database, schema: string): Promise<ReadonlyMap<string, Iri>> {
  const rows = await database.query<{id: string; iri: Iri}>(`select * from ${quoteIdentifier(schema)}.vocabulary()`)
  return new Map(rows.map(({id, iri}) => [id, iri]))
}
