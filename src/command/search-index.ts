/**
 * `quadstead search-index`: creates or drops the index of words with which /search and text:query find literals.
 */
import {Refusal} from '../base/refusal.ts'
import {createSearchIndex, dropSearchIndex} from '../db/store/search-index.ts'
import type {Config} from '../settings/config.ts'
import {openStorage} from '../storage.ts'
import {type Arguments, type Command, isOptionGiven, print} from './command.ts'
import {requireSchema} from './schema.ts'

export const searchIndexCommand: Command = {
  name: 'search-index',
  summary: 'make the index of words that /search and text:query use',
  usage: '[--rebuild | --drop]',
  options: {rebuild: {type: 'boolean'}, drop: {type: 'boolean'}},
  operands: {least: 0, most: 0},
  help: `Makes the index of words that /search, the box on pages and text:query in SPARQL use. Reads and writes go on.
What an interrupted run left is made again. A new dataset has the index, and a service with SEARCH=on creates it if it
is missing and the role may do so.

  --rebuild   make it again, as after an upgrade of PostgreSQL or of the system's ICU library
  --drop      drop it, for a service with SEARCH=off

Examples:
  DATABASE_URL=postgres://owner:secret@db/ldp quadstead search-index --rebuild
  quadstead search-index --drop`,
  run: changeSearchIndex,
}

async function changeSearchIndex(config: Config, parameters: Arguments): Promise<number> {
  const [isRebuild, isDrop] = [isOptionGiven(parameters, 'rebuild'), isOptionGiven(parameters, 'drop')]
  if (isRebuild && isDrop) throw new Refusal('Either --rebuild or --drop, not both.')
  const {schema} = config.database
  const unlimited = {...config, database: {...config.database, statementTimeoutMs: 0}}
  const storage = await openStorage(unlimited, 'command')
  try {
    await requireSchema(storage.database, schema)
    if (isRebuild || isDrop) await dropSearchIndex(storage.database, schema)
    if (isDrop) {
      print(`Schema ${schema} has no search index any more.`)
      return 0
    }
    const result = await createSearchIndex(storage.database, schema)
    if (result === 'busy') throw new Refusal(`Another process makes the search index of schema ${schema}.`)
    print(
      result === 'made' ? `Schema ${schema} has a search index now.` : `Schema ${schema} has its search index already.`,
    )
    return 0
  } finally {
    await storage.close()
  }
}
