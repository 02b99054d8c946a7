/** Loads a kind of data into a database, with the import. */
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Database} from '../../src/db/connection/pool.ts'
import {openDataset} from '../../src/db/store/dataset.ts'
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
