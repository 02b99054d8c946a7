/**
 * `quadstead text-index`: creates or drops the index with which queries find literals by their text.
 */
import {Refusal} from '../base/refusal.ts'
import {createTextIndex, dropTextIndex} from '../db/store/text-index.ts'
import type {Config} from '../settings/config.ts'
import {openStorage} from '../storage.ts'
import {type Arguments, type Command, isOptionGiven, print} from './command.ts'
import {requireSchema} from './schema.ts'

export const textIndexCommand: Command = {
  name: 'text-index',
  summary: 'make the index by which queries find literals by their text',
  usage: '[--rebuild | --drop]',
  options: {rebuild: {type: 'boolean'}, drop: {type: 'boolean'}},
  operands: {least: 0, most: 0},
  help: `Makes the index that CONTAINS, STRSTARTS, STRENDS, REGEX and comparisons of LCASE and UCASE use, with the
extension pg_trgm, which it creates if the role may. Reads and writes go on meanwhile. What an interrupted run left is
made anew. A running service uses the index some minutes later, unless TEXT_INDEX is off.

  --rebuild   make it anew, as after an upgrade of the system's ICU or C library
  --drop      take it away; the extension stays

Examples:
  DATABASE_URL=postgres://owner:secret@db/ldp quadstead text-index
  quadstead text-index --drop`,
  run: changeTextIndex,
}

async function changeTextIndex(config: Config, parameters: Arguments): Promise<number> {
  const [isRebuild, isDrop] = [isOptionGiven(parameters, 'rebuild'), isOptionGiven(parameters, 'drop')]
  if (isRebuild && isDrop) throw new Refusal('Either --rebuild or --drop, not both.')
  const {schema} = config.database
  const unlimited = {...config, database: {...config.database, statementTimeoutMs: 0}}
  const storage = await openStorage(unlimited, 'command')
  try {
    await requireSchema(storage.database, schema)
    if (isRebuild || isDrop) await dropTextIndex(storage.database, schema)
    if (isDrop) {
      print(`Schema ${schema} has no text index any more.`)
      return 0
    }
    const result = await createTextIndex(storage.database, schema)
    if (result === 'busy') throw new Refusal(`The text index of schema ${schema} is being made by somebody else.`)
    print(result === 'made' ? `Schema ${schema} has a text index now.` : `Schema ${schema} has its text index already.`)
    return 0
  } finally {
    await storage.close()
  }
}
