/**
 * `quadstead keys`: creates, lists and revokes API keys.
 */
import {readModes} from '../authentication/grants.ts'
import {hashKey, makeKey} from '../authentication/keys.ts'
import {readInstant} from '../base/instant.ts'
import {Problem} from '../base/problem.ts'
import {Refusal} from '../base/refusal.ts'
import type {Database} from '../db/connection/pool.ts'
import {openSession} from '../db/store/create-session.ts'
import {storedBase} from '../db/store/dataset.ts'
import {createKey, type KeyHolder, type ListedKey, listKeys, removeKey} from '../db/store/keys.ts'
import type {Session} from '../db/store/session.ts'
import {isAbsoluteIri} from '../rdf/iri.ts'
import type {Config} from '../settings/config.ts'
import {openStorage} from '../storage.ts'
import {type Arguments, type Command, complain, print, textOption} from './command.ts'
import {requireSchema} from './schema.ts'

export const keysCommand: Command = {
  name: 'keys',
  summary: 'API keys of programs: add, list, remove',
  usage:
    'add --agent IRI [--group NAME]… [--modes MODES] [--within DOCUMENT] [--days N | --expires TIME] [--name TEXT] | ' +
    'list [--agent IRI] | remove ID',
  options: {
    agent: {type: 'string'},
    group: {type: 'string', multiple: true},
    modes: {type: 'string'},
    within: {type: 'string'},
    days: {type: 'string'},
    expires: {type: 'string'},
    name: {type: 'string'},
  },
  operands: {least: 1, most: 2},
  help: `A program sends its key as "Authorization: Bearer qsk_…", and speaks for the key's agent: grants say what that
may do. The key is shown once, when it is made; what is stored is its hash.

  --agent IRI        whom the key speaks for
  --group NAME       a group that the agent is in; may be repeated
  --modes MODES      it gives these modes at most, separated by commas; else all that its agent has
  --within DOCUMENT  it is of use for this document and all below it only; the document must have grants of its own
  --days N           for so many days; else until it is removed
  --expires TIME     until then: 2027-01-31T00:00:00Z
  --name TEXT        for people

A key that was removed may work for another API_KEY_CACHE_MS. "list" shows when each was last used, to the minute.

Examples:
  quadstead keys add --agent https://example.org/apps/importer#it --days 90 --name "nightly import"
  quadstead keys add --agent https://example.org/apps/site#it --modes read --within /public/
  quadstead keys list
  quadstead keys remove 3f9a0c21d4e5`,
  run: keys,
}

type KeyOptions = KeyHolder & {readonly name: string}

async function keys(config: Config, parameters: Arguments): Promise<number> {
  const [action, id] = parameters.operands
  const make = action === 'add' && id === undefined ? readKey(parameters) : undefined
  if (make === undefined && !(action === 'list' && id === undefined) && !(action === 'remove' && id !== undefined))
    throw new Refusal('Expected arguments: "add --agent IRI", "list", or "remove ID".', {exitCode: 2})
  const {schema} = config.database
  const storage = await openStorage(config, 'command')
  try {
    await requireSchema(storage.database, schema)
    const session = await openSession(storage.database, schema)
    if (make !== undefined) return await add(session, await withinIri(make, storage.database, schema))
    if (id !== undefined) return await remove(session, id)
    const agent = textOption(parameters, 'agent') ?? null
    for (const key of await listKeys(session, agent)) print(lineOf(key))
    return 0
  } catch (error) {
    throw error instanceof Problem && error.status < 500 ? new Refusal(error.message, {cause: error}) : error
  } finally {
    await storage.close()
  }
}

function readKey(parameters: Arguments): KeyOptions {
  const agent = textOption(parameters, 'agent') ?? ''
  const {group = []} = parameters.values
  if (!isAbsoluteIri(agent) || /\s/.test(agent)) throw new Refusal(`--agent must be an absolute IRI, got "${agent}".`)
  return {
    agent,
    groups: Array.isArray(group) ? group.map(String) : [],
    modes: readModesOption(textOption(parameters, 'modes')),
    within: textOption(parameters, 'within') ?? null,
    name: textOption(parameters, 'name') ?? '',
    expires: readExpiry(parameters),
  }
}

function readModesOption(modes: string | undefined): KeyHolder['modes'] {
  try {
    return modes === undefined ? null : readModes(modes.split(','), '--modes')
  } catch (error) {
    throw error instanceof Problem ? new Refusal(error.message, {cause: error}) : error
  }
}

function readExpiry(parameters: Arguments): Date | null {
  const [days, time] = [textOption(parameters, 'days'), textOption(parameters, 'expires')]
  if (days !== undefined && time !== undefined) throw new Refusal('--days and --expires exclude each other.')
  if (days !== undefined && !/^[1-9][0-9]{0,4}$/.test(days))
    throw new Refusal(`--days must be a whole number from 1 to 99999, got "${days}".`)
  if (days !== undefined) return new Date(Date.now() + Number(days) * 86_400_000)
  if (time === undefined) return null
  const expires = readInstant(time)
  if (expires === undefined)
    throw new Refusal(`--expires must be a time with its zone, such as 2027-01-31T00:00:00Z, got "${time}".`)
  return expires
}

/** The options with the IRI of the document that `--within` names by its path. */
async function withinIri(options: KeyOptions, database: Database, schema: string): Promise<KeyOptions> {
  const {within} = options
  const base = within?.startsWith('/') ? await storedBase(database, schema) : undefined
  return base === undefined || within === null ? options : {...options, within: base + within.slice(1)}
}

async function add(session: Session, options: KeyOptions): Promise<number> {
  const key = makeKey()
  await createKey(session, {...options, hash: hashKey(key)})
  complain('This is the only time that the key is shown:')
  print(key)
  return 0
}

async function remove(session: Session, id: string): Promise<number> {
  if (!/^[0-9a-f]{4,64}$/.test(id))
    throw new Refusal(`An ID is what "quadstead keys list" shows: 4 hexadecimal digits or more, got "${id}".`)
  await removeKey(session, id, null)
  return 0
}

function lineOf({id, agent, groups, modes, within, name, created, expires, is_expired, last_used}: ListedKey): string {
  const until = expires === null ? 'no end' : `${is_expired ? 'expired' : 'until'} ${expires.toISOString()}`
  return [
    id,
    agent,
    ...groups.map(group => `group ${group}`),
    ...(modes === null ? [] : [`only ${modes.join(',')}`]),
    ...(within === null ? [] : [`within ${within}`]),
    `from ${created.toISOString()}`,
    until,
    last_used === null ? 'not used yet' : `used ${last_used.toISOString()}`,
    ...(name === '' ? [] : [name]),
  ].join('  ')
}
