/**
 * API keys over HTTP: GET and POST of /.system/keys, GET and DELETE of /.system/keys/<id>.
 *
 * Only available with access control. An agent manages its own keys; an agent with control of the root manages all.
 * A key cannot create a key that may do more, or lasts longer, than itself. docs/security.md describes the JSON.
 */
import type {Context} from 'koa'
import {type KeyRequest, readKeyRequest, showKey} from '../../authentication/key-request.ts'
import {hashKey, makeKey} from '../../authentication/keys.ts'
import {excerpt} from '../../base/excerpt.ts'
import {isScoped, type Principal} from '../../base/principal.ts'
import {Problem} from '../../base/problem.ts'
import {mayDo} from '../../db/store/grants.ts'
import {createKey, type ListedKey, listKeys, removeKey} from '../../db/store/keys.ts'
import {answerEmpty, resourceLink, varied} from '../document/reply.ts'
import type {Site} from '../exchange.ts'
import {callerOf} from '../server/caller.ts'
import {nameRoute} from '../server/request-record.ts'
import {readJson} from './json-body.ts'

export const keysPath = '.system/keys'

const keysOfAgent = 100
const idSyntax = /^[0-9a-f]{16}$/

/** A caller that manages keys. */
type Manager = {
  readonly site: Site
  readonly context: Context
  readonly agent: string
  readonly isOfAll: boolean // has control of the root, and so manages the keys of all agents
}

/** @throws  Problem 400 `key-shape` · 401 · 403 · 405 · 409 `keys-counted` · 415 · 422 `expiry-ahead`, `key-lasts` */
export async function answerKeys(site: Site, context: Context): Promise<void> {
  const allowed = 'GET, HEAD, OPTIONS, POST'
  begin(context, allowed)
  switch (context.method) {
    case 'GET':
    case 'HEAD':
      return answerList(await managerOf(site, context))
    case 'POST':
      return answerNewKey(await managerOf(site, context))
    case 'OPTIONS':
      return answerEmpty(context, 204)
    default:
      throw notAllowed(site, context, allowed)
  }
}

/** @throws  Problem 401 · 403 · 404 `key-exists` · 405 */
export async function answerKey(site: Site, context: Context, id: string): Promise<void> {
  const allowed = 'GET, HEAD, OPTIONS, DELETE'
  begin(context, allowed)
  switch (context.method) {
    case 'GET':
    case 'HEAD':
      return readKey(await managerOf(site, context), id)
    case 'DELETE':
      return revokeKey(await managerOf(site, context), id)
    case 'OPTIONS':
      return answerEmpty(context, 204)
    default:
      throw notAllowed(site, context, allowed)
  }
}

function begin(context: Context, allowed: string): void {
  nameRoute(context.req, 'keys')
  context.set({Allow: allowed, Link: resourceLink, Vary: varied, 'Cache-Control': 'no-store'})
}

function notAllowed({dataset}: Site, {method, path}: Context, allowed: string): Problem {
  const url = new URL(path, dataset.base).href
  return new Problem(405, 'method-allowed', `${method} is not possible on <${url}>.`, {headers: {Allow: allowed}})
}

/** @throws  Problem 401 `authentication-required`, 403 `access-granted` */
async function managerOf(site: Site, context: Context): Promise<Manager> {
  const caller = callerOf(context)
  const {agent} = caller
  if (agent === undefined) throw new Problem(401, 'authentication-required', 'Agents have keys: say who you are.')
  if (isScoped(caller))
    throw new Problem(403, 'access-granted', 'A key that may do less than its agent cannot manage keys.')
  const {base, session} = site.dataset
  return {site, context, agent, isOfAll: await mayDo(session, base, ['control'])}
}

/**
 * Lists the caller's own keys. A manager of all keys gets the keys of all agents, or of `?agent=<IRI>`.
 *
 * @throws  Problem 403 `access-granted`
 */
async function answerList({site, context, agent, isOfAll}: Manager): Promise<void> {
  const asked = new URLSearchParams(context.querystring).get('agent')
  if (asked !== null && asked !== agent && !isOfAll) throw notOwn(site)
  const keys = await listKeys(site.dataset.session, asked ?? (isOfAll ? null : agent))
  answerJson(context, {keys: keys.map(showKey)})
}

async function readKey(manager: Manager, id: string): Promise<void> {
  answerJson(manager.context, showKey(await findKey(manager, id)))
}

async function findKey({site, agent, isOfAll}: Manager, id: string): Promise<ListedKey> {
  if (!idSyntax.test(id)) throw noKey(id)
  const [key] = await listKeys(site.dataset.session, isOfAll ? null : agent, id)
  if (key === undefined) throw noKey(id)
  return key
}

async function answerNewKey(manager: Manager): Promise<void> {
  const {site, context, agent} = manager
  const asked = readKeyRequest(await readJson(site, context, 'Keys'))
  checkRequest(manager, callerOf(context), asked)
  const key = makeKey()
  const made = {...asked, agent: asked.agent ?? agent, hash: hashKey(key)}
  const id = await createKey(site.dataset.session, made, keysOfAgent)
  const shown = showKey(await findKey({...manager, agent: made.agent}, id))
  context.set('Location', `${site.dataset.base}${keysPath}/${id}`)
  answerJson(context, {...shown, key})
  context.status = 201
}

/** @throws  Problem 403 `access-granted`, 422 `key-lasts` */
function checkRequest({site, agent, isOfAll}: Manager, caller: Principal, asked: KeyRequest): void {
  if (asked.agent !== undefined && asked.agent !== agent && !isOfAll) throw notOwn(site)
  const foreign = isOfAll ? undefined : asked.groups.find(group => !caller.groups.includes(group))
  if (foreign !== undefined)
    throw new Problem(
      403,
      'access-granted',
      `You are not in the group "${excerpt(foreign)}", so no key of yours can be.`,
    )
  if (caller.expires === undefined || (asked.expires !== null && asked.expires <= caller.expires)) return
  const until = caller.expires.toISOString()
  throw new Problem(422, 'key-lasts', `Your own key expires at ${until}; one that is made with it can last no longer.`)
}

async function revokeKey({site, context, agent, isOfAll}: Manager, id: string): Promise<void> {
  if (!idSyntax.test(id)) throw noKey(id)
  await removeKey(site.dataset.session, id, isOfAll ? null : agent)
  answerEmpty(context, 204)
}

function noKey(id: string): Problem {
  return new Problem(404, 'key-exists', `There is no key ${excerpt(id)}.`)
}

function notOwn({dataset}: Site): Problem {
  const message = `Keys of other agents are for those only who have control of <${dataset.base}>.`
  return new Problem(403, 'access-granted', message)
}

function answerJson(context: Context, value: unknown): void {
  context.set('Content-Type', 'application/json')
  context.body = `${JSON.stringify(value)}\n`
}
