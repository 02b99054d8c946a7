/**
 * `quadstead follow`: keeps copies of other stores. The service does the work (src/follow).
 *
 * It checks no permission: anyone who can connect to the database may run it.
 */
import {readFileSync} from 'node:fs'
import {Problem} from '../base/problem.ts'
import {Refusal} from '../base/refusal.ts'
import {openSession} from '../db/store/create-session.ts'
import {addFollow, type ListedFollow, listFollows, removeFollow, restartFollow} from '../db/store/follows.ts'
import type {Session} from '../db/store/session.ts'
import {type FollowSource, readSourcePage} from '../follow/source.ts'
import type {Config} from '../settings/config.ts'
import {openStorage} from '../storage.ts'
import {type Arguments, type Command, complain, print, textOption} from './command.ts'
import {requireSchema} from './schema.ts'

export const followCommand: Command = {
  name: 'follow',
  summary: 'copies of other stores, which the service keeps up to date',
  usage: 'URL [--under DOCUMENT] [--key-file FILE] | list | restart ID | remove ID',
  options: {under: {type: 'string'}, 'key-file': {type: 'string'}},
  operands: {least: 1, most: 2},
  help: `The service copies the documents of another Quadstead, and then its changes as they happen. Only the follower
writes the copies: other writes are refused. URL is the BASE_URL of the other. Its IRIs become IRIs of this store.

  --under DOCUMENT  only this document and those below it: its path below the root, or its IRI there. The copy has the
                    same path here. Its parent must exist, and the place must be free
  --key-file FILE   a file with an API key or token of the other store. The copy has what the key may read

list     shows how far each copy has got, and why the last attempt failed
restart  lists all documents of the source again, and changes what is different
remove   ends it. The documents stay, and can be written

Examples:
  quadstead follow https://example.org/ --under /projects/ --key-file reader.key
  quadstead follow list
  quadstead follow remove 1`,
  run: follow,
}

const expected = 'Expected arguments: a URL, "list", "restart ID", or "remove ID".'

async function follow(config: Config, parameters: Arguments): Promise<number> {
  const [action = '', operand] = parameters.operands
  if ((operand !== undefined) !== ['restart', 'remove'].includes(action)) throw new Refusal(expected, {exitCode: 2})
  const {schema} = config.database
  const source = /^(?:list|restart|remove)$/.test(action) ? undefined : readSource(action, parameters)
  const storage = await openStorage(config, 'command')
  try {
    await requireSchema(storage.database, schema)
    const session = await openSession(storage.database, schema)
    if (source !== undefined) await add(session, source)
    else if (action === 'list') for (const row of await listFollows(session)) print(lineOf(row))
    else await (action === 'restart' ? restartFollow : removeFollow)(session, readId(operand ?? ''))
    return 0
  } catch (error) {
    throw error instanceof Problem && error.status < 500 ? new Refusal(error.message, {cause: error}) : error
  } finally {
    await storage.close()
  }
}

/** Asks the source before anything is stored, so that a wrong URL or key is an error at once. */
async function add(session: Session, source: Omit<FollowSource, 'signal'>): Promise<void> {
  try {
    await readSourcePage({...source, signal: AbortSignal.timeout(30_000)}, 'last', 0)
  } catch (error) {
    const reason =
      error instanceof Error ? [error, error.cause].flatMap(each => (each instanceof Error ? each.message : [])) : []
    throw new Refusal(`${source.url} cannot be followed: ${reason.join(': ')}.`, {cause: error})
  }
  const id = await addFollow(session, source)
  complain(`Follow ${id}: the service copies ${source.url}${source.path} from now on.`)
}

function readSource(text: string, parameters: Arguments): Omit<FollowSource, 'signal'> {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new Refusal(`${expected} A URL is http:// or https://, without user and password; got "${text}".`, {
      exitCode: 2,
    })
  if (url.search !== '' || url.hash !== '' || !url.pathname.endsWith('/'))
    throw new Refusal(`The URL must be that of a root document, which ends with a slash; got "${text}".`)
  return {url: url.href, path: readPath(url.href, textOption(parameters, 'under') ?? '/'), key: readKey(parameters)}
}

function readPath(url: string, text: string): string {
  const iri = text.startsWith('/') ? url + text.slice(1) : text
  if (!iri.startsWith(url) || !iri.endsWith('/') || /[\s?#<>"]/.test(iri))
    throw new Refusal(`--under must be a document below <${url}>, which ends with a slash; got "${text}".`)
  return iri.slice(url.length)
}

function readKey(parameters: Arguments): string | undefined {
  const file = textOption(parameters, 'key-file')
  if (file === undefined) return undefined
  try {
    const key = readFileSync(file, 'utf8').trim()
    if (/^[\x21-\x7e]{1,8192}$/.test(key)) return key
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${error instanceof Error ? error.message : error}.`, {cause: error})
  }
  throw new Refusal(`${file} must have one line, with an API key or token.`)
}

function readId(text: string): string {
  if (!/^[1-9]\d{0,17}$/.test(text))
    throw new Refusal(`An ID is a number that "quadstead follow list" shows, not "${text}".`)
  return text
}

function lineOf(row: ListedFollow): string {
  const isListing = row.position.startsWith('documents')
  return [
    row.id,
    `${row.url}${row.path}`,
    `${row.documents} documents`,
    isListing ? 'copying the documents' : `after ${row.position}`,
    ...(row.behind === null ? [] : [`${row.behind} behind`]),
    row.current_at === null ? 'not complete yet' : `complete ${row.current_at.toISOString()}`,
    ...(row.has_key ? ['with a key'] : []),
    ...(row.failures === 0
      ? []
      : [`${row.failures} failed: ${row.last_reason ?? 'unknown'}`, `again ${row.next_attempt.toISOString()}`]),
  ].join('  ')
}
