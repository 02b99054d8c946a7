/**
 * `quadstead text-index` and `quadstead search-index`: create or drop the indexes with which queries and searches find
 * literals.
 */
import {Refusal} from '../base/refusal.ts'
import type {Database} from '../db/connection/pool.ts'
import {createSearchIndex, createSimilarIndex, dropSearchIndex, gatherSearchWords} from '../db/store/search-index.ts'
import {createTextIndex, dropTextIndex} from '../db/store/text-index.ts'
import type {Config} from '../settings/config.ts'
import {openForLongWork} from '../storage.ts'
import {type Arguments, type Command, isOptionGiven, print} from './command.ts'
import {requireSchema} from './schema.ts'

type Index = {
  readonly name: string // `text index`
  readonly create: (database: Database, schema: string) => Promise<'made' | 'kept' | 'busy'>
  readonly drop: (database: Database, schema: string) => Promise<void>
}

const indexOptions = {
  usage: '[--rebuild | --drop]',
  options: {rebuild: {type: 'boolean'}, drop: {type: 'boolean'}},
  operands: {least: 0, most: 0},
} as const

export const textIndexCommand: Command = {
  ...indexOptions,
  name: 'text-index',
  summary: 'create the index with which queries find literals by their text',
  help: `Creates the index for CONTAINS, STRSTARTS, STRENDS, REGEX and comparisons of LCASE and UCASE. It needs the
extension pg_trgm, which is created if the role may do so. Reads and writes are not blocked. An index that an
interrupted run left is created again. A running service uses the index some minutes later, unless TEXT_INDEX is off.

  --rebuild   create it again, as after an upgrade of the system's ICU or C library
  --drop      drop it; the extension stays

Examples:
  DATABASE_URL=postgres://owner:secret@db/ldp quadstead text-index
  quadstead text-index --drop`,
  run: (config, parameters) =>
    changeIndex(config, parameters, {name: 'text index', create: createTextIndex, drop: dropTextIndex}),
}

export const searchIndexCommand: Command = {
  ...indexOptions,
  name: 'search-index',
  summary: 'create the index of words for /search and text:query',
  help: `Creates the index of words for /search, the box on pages, and text:query in SPARQL. Reads and writes are not
blocked. An index that an interrupted run left is created again. A new dataset has the index, and a service with
SEARCH=on creates it if it is missing and the role may do so. If the server has pg_trgm, the words for misspelt searches
are gathered, too.

  --rebuild   create it again, as after an upgrade of PostgreSQL or of the system's ICU library
  --drop      drop it, for a service with SEARCH=off

Examples:
  DATABASE_URL=postgres://owner:secret@db/ldp quadstead search-index --rebuild
  quadstead search-index --drop`,
  run: (config, parameters) =>
    changeIndex(config, parameters, {name: 'search index', create: createForSearch, drop: dropSearchIndex}),
}

/** Creates the index of words; if the server has pg_trgm, also the words for misspelt searches. */
async function createForSearch(database: Database, schema: string): Promise<'made' | 'kept' | 'busy'> {
  const result = await createSearchIndex(database, schema)
  if (await createSimilarIndex(database, schema)) await gatherSearchWords(database, schema)
  return result
}

/** @throws  Refusal: both options, no store, or another process creates the index */
async function changeIndex(config: Config, parameters: Arguments, {name, create, drop}: Index): Promise<number> {
  const [isRebuild, isDrop] = [isOptionGiven(parameters, 'rebuild'), isOptionGiven(parameters, 'drop')]
  if (isRebuild && isDrop) throw new Refusal('Either --rebuild or --drop, not both.')
  const {schema} = config.database
  const storage = await openForLongWork(config)
  try {
    await requireSchema(storage.database, schema)
    if (isRebuild || isDrop) await drop(storage.database, schema)
    if (isDrop) {
      print(`Schema ${schema} has no ${name} any more.`)
      return 0
    }
    const result = await create(storage.database, schema)
    if (result === 'busy') throw new Refusal(`Another process creates the ${name} of schema ${schema}.`)
    print(result === 'made' ? `Schema ${schema} has a ${name} now.` : `Schema ${schema} has its ${name} already.`)
    return 0
  } finally {
    await storage.close()
  }
}
