/** Loads a kind of data into a database, with the import, and gives what the query service needs of it. */
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Database} from '../../src/db/connection/pool.ts'
import {openDataset, readVocabulary} from '../../src/db/store/dataset.ts'
import {createPlanCache} from '../../src/query/plan-cache.ts'
import {importFiles} from '../../src/transfer/import.ts'
import {testSchema as schema} from '../support/postgres.ts'
import {base, type Kind, platform} from './kinds.ts'

/** Opens a dataset and imports lines of N-Quads. */
export async function fill(database: Database, {isRaw}: Kind, lines: readonly string[]): Promise<void> {
  await openDataset(database, {schema, base, defaultBase: base, platformNamespace: platform})
  const folder = await mkdtemp(join(tmpdir(), 'quadstead-plans-data-'))
  try {
    const file = join(folder, 'data.nq')
    await writeFile(file, lines.join(''))
    await importFiles(database, {
      schema,
      base,
      files: [file],
      format: undefined,
      graph: undefined,
      isRaw,
      skipsBad: false,
      onFault: () => undefined,
      onProgress: () => undefined,
      signal: new AbortController().signal,
    })
  } finally {
    await rm(folder, {recursive: true, force: true})
  }
}

/** A database as the query service takes it, with a plan cache of its own. */
export async function storeIn(database: Database) {
  const vocabulary = await readVocabulary(database, schema)
  return {database, schema, vocabulary, timeoutMs: 30_000, cache: createPlanCache()}
}
