/**
 * `quadstead keys`: API keys, made, listed and taken away.
 *
 * Floor 6.
 */
import {hashKey, makeKey} from '../access/keys.ts'
import {Refusal} from '../base/refusal.ts'
import type {Config} from '../config.ts'
import {addKey, type ListedKey, listKeys, removeKey} from '../db/keys.ts'
import type {Database} from '../db/pool.ts'
import {isAbsoluteIri} from '../rdf/iri.ts'
import {openStorage} from '../storage.ts'
import {type Arguments, type Command, complain, print, textOption} from './command.ts'
import {requireSchema} from './schema.ts'

export const keysCommand: Command = {
  name: 'keys',
  summary: 'API keys of programs: add, list, remove',
  usage: 'add --agent IRI [--group NAME]… [--days N] [--note TEXT] | list | remove ID',
  options: {
    agent: {type: 'string'},
    group: {type: 'string', multiple: true},
    days: {type: 'string'},
    note: {type: 'string'},
  },
  operands: {least: 1, most: 2},
  help: `A program sends its key as "Authorization: Bearer qsk_…", and speaks for the key's agent: grants say what that
may do. The key is shown once, when it is made; what is stored is its hash.

  --agent IRI    whom the key speaks for
  --group NAME   a group that the agent is in; may be repeated
  --days N       for so many days; else until it is removed
  --note TEXT    for people

A key that was removed may work for another API_KEY_CACHE_MS.

Examples:
  quadstead keys add --agent https://example.org/apps/importer#it --days 90 --note "nightly import"
  quadstead keys list
  quadstead keys remove 3f9a0c21d4e5`,
  run: keys,
}

async function keys(config: Config, parameters: Arguments): Promise<number> {
  const [action, id] = parameters.operands
  const make = action === 'add' && id === undefined ? readKey(parameters) : undefined
  if (make === undefined && !(action === 'list' && id === undefined) && !(action === 'remove' && id !== undefined))
    throw new Refusal('It takes "add --agent IRI", "list", or "remove ID".', {exitCode: 2})
  const {schema} = config.database
  const storage = await openStorage(config, 'command')
  try {
    await requireSchema(storage.database, schema)
    if (make !== undefined) return await add(storage.database, schema, make)
    if (id !== undefined) return await remove(storage.database, schema, id)
    for (const key of await listKeys(storage.database, schema)) print(lineOf(key))
    return 0
  } finally {
    await storage.close()
  }
}

type KeyOptions = {
  readonly agent: string
  readonly groups: readonly string[]
  readonly note: string
  readonly expires: Date | undefined
}

function readKey(parameters: Arguments): KeyOptions {
  const [agent, days] = [textOption(parameters, 'agent') ?? '', textOption(parameters, 'days')]
  const {group = []} = parameters.values
  if (!isAbsoluteIri(agent) || /\s/.test(agent)) throw new Refusal(`--agent must be an absolute IRI, got "${agent}".`)
  if (days !== undefined && !/^[1-9][0-9]{0,4}$/.test(days))
    throw new Refusal(`--days must be a whole number from 1 to 99999, got "${days}".`)
  return {
    agent,
    groups: Array.isArray(group) ? group.map(String) : [],
    note: textOption(parameters, 'note') ?? '',
    expires: days === undefined ? undefined : new Date(Date.now() + Number(days) * 86_400_000),
  }
}

async function add(database: Database, schema: string, options: KeyOptions): Promise<number> {
  const key = makeKey()
  await addKey(database, schema, {...options, hash: hashKey(key)})
  complain('This is the only time that the key is shown:')
  print(key)
  return 0
}

async function remove(database: Database, schema: string, id: string): Promise<number> {
  if (!/^[0-9a-f]{4,64}$/.test(id))
    throw new Refusal(`An ID is what "quadstead keys list" shows: 4 hexadecimal digits or more, got "${id}".`)
  const found = await removeKey(database, schema, id)
  if (found === 1) return 0
  throw new Refusal(found === 0 ? `There is no key ${id}.` : `${found} keys begin with ${id}: name more digits.`)
}

function lineOf({id, agent, groups, note, created, expires}: ListedKey): string {
  const until = expires === null ? 'no end' : `until ${expires.toISOString()}`
  const parts = [id, agent, ...groups.map(group => `group ${group}`), `from ${created.toISOString()}`, until]
  return [...parts, ...(note === '' ? [] : [note])].join('  ')
}
