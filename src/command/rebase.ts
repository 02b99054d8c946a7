/**
 * `quadstead rebase`: gives a dataset another base URL.
 */
import {Problem} from '../base/problem.ts'
import {Refusal} from '../base/refusal.ts'
import {unlimited} from '../db/bulk/import-store.ts'
import {storedBase} from '../db/store/dataset.ts'
import {rebaseDataset} from '../db/store/document-moves.ts'
import type {Config} from '../settings/config.ts'
import {readBase} from '../settings/setting.ts'
import {openStorage} from '../storage.ts'
import {type Arguments, type Command, count, print} from './command.ts'
import {requireSchema} from './schema.ts'

export const rebaseCommand: Command = {
  name: 'rebase',
  summary: 'give a dataset another base URL: all its IRIs below the old one are renamed',
  usage: 'URL',
  options: {},
  operands: {least: 1, most: 1},
  help: `Stop the service first, on all machines. Then start it with the new BASE_URL. Everything is one transaction.

  URL  the new base: of the form https://example.org/ or https://example.org/data/

Agents in grants and keys whose IRIs are below the old base are renamed too. The audit keeps the old IRIs.

Example:
  DATABASE_URL=postgres://user:secret@db/ldp quadstead rebase https://data.example.org/`,
  run: rebase,
}

async function rebase(config: Config, {operands: [url = '']}: Arguments): Promise<number> {
  const base = readBase(url)
  if (base === undefined)
    throw new Refusal(`"${url}" is not a base URL: an absolute http or https URL without user, query and fragment.`)
  const {schema} = config.database
  const storage = await openStorage(config, 'command')
  try {
    await requireSchema(storage.database, schema)
    const old = await storedBase(storage.database, schema)
    if (old === undefined) throw new Refusal('There is no dataset yet. "quadstead serve" creates it.')
    const renamed = await storage.database.begin('read committed', async transaction => {
      await unlimited(transaction)
      return rebaseDataset(transaction, schema, base)
    })
    print(`${count(renamed, 'IRI')} renamed from ${old} to ${base}`)
    return 0
  } catch (error) {
    throw error instanceof Problem && (error.status < 500 || error.rule === 'busy')
      ? new Refusal(error.message, {cause: error})
      : error
  } finally {
    await storage.close()
  }
}
