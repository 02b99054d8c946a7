/**
 * Reads and creates the dataset of a schema, which has the base URL of its documents.
 *
 * The logic is in the SQL functions; these are their typed calls.
 */
import {Problem} from '../../base/problem.ts'
import {Refusal} from '../../base/refusal.ts'
import type {Iri} from '../../rdf/term.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database} from '../connection/pool.ts'

export type DatasetOptions = {
  readonly schema: string
  readonly base: Iri | undefined // BASE_URL as given
  readonly defaultBase: Iri // for a new dataset without BASE_URL
  readonly platformNamespace: Iri
}

/** The base of an existing dataset; undefined if the dataset was not created yet. */
export async function storedBase(database: Database, schema: string): Promise<Iri | undefined> {
  const [row] = await database.query<{base: Iri}>(`select base from ${quoteIdentifier(schema)}.dataset`)
  return row?.base
}

/**
 * Opens the dataset. The first call creates it, with its root document.
 *
 * @throws  Refusal: it has another base or another platform namespace
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

/** The terms with fixed ids, by id. Rows that contain ids never include these terms. */
export async function readVocabulary(database: Database, schema: string): Promise<ReadonlyMap<string, Iri>> {
  const rows = await database.query<{id: string; iri: Iri}>(`select * from ${quoteIdentifier(schema)}.vocabulary()`)
  return new Map(rows.map(({id, iri}) => [id, iri]))
}
