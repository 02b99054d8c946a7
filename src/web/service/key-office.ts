/**
 * Who may manage which API keys, and what they may do with them. Answers over HTTP are in keys.ts and keys-page.ts.
 *
 * An agent manages its own keys; an agent with control of the root manages all. A key cannot create a key that may do
 * more, or lasts longer, than itself.
 */
import type {Context} from 'koa'
import type {KeyRequest} from '../../authentication/key-request.ts'
import {hashKey, makeKey} from '../../authentication/keys.ts'
import {excerpt} from '../../base/excerpt.ts'
import {isScoped, type Principal} from '../../base/principal.ts'
import {Problem} from '../../base/problem.ts'
import {mayDo} from '../../db/store/grants.ts'
import {createKey, type ListedKey, listKeys, removeKey} from '../../db/store/keys.ts'
import type {Site} from '../exchange.ts'
import {callerOf} from '../server/caller.ts'

const keysOfAgent = 100
const idSyntax = /^[0-9a-f]{16}$/

/** A caller that manages keys. */
export type Manager = {
  readonly site: Site
  readonly context: Context
  readonly agent: string
  readonly isOfAll: boolean // has control of the root, and so manages the keys of all agents
}

/** @throws  Problem 401 `authentication-required`, 403 `access-granted` */
export async function managerOf(site: Site, context: Context): Promise<Manager> {
  const caller = callerOf(context)
  const {agent} = caller
  if (agent === undefined) throw new Problem(401, 'authentication-required', 'Agents have keys: say who you are.')
  if (isScoped(caller))
    throw new Problem(403, 'access-granted', 'A key that may do less than its agent cannot manage keys.')
  const {base, session} = site.dataset
  return {site, context, agent, isOfAll: await mayDo(session, base, ['control'])}
}

/**
 * The caller's own keys. A manager of all keys gets the keys of all agents, or of `asked`.
 *
 * @throws  Problem 403 `access-granted`
 */
export function keysOf({site, agent, isOfAll}: Manager, asked: string | null): Promise<readonly ListedKey[]> {
  if (asked !== null && asked !== agent && !isOfAll) throw notOwn(site)
  return listKeys(site.dataset.session, asked ?? (isOfAll ? null : agent))
}

/** @throws  Problem 404 `key-exists` */
export async function findListedKey({site, agent, isOfAll}: Manager, id: string): Promise<ListedKey> {
  if (!idSyntax.test(id)) throw noKey(id)
  const [key] = await listKeys(site.dataset.session, isOfAll ? null : agent, id)
  if (key === undefined) throw noKey(id)
  return key
}

/**
 * Makes a key.
 *
 * @returns  the key as it is listed, and its secret
 * @throws   Problem 403 `access-granted` · 409 `keys-counted` · 422 `expiry-ahead`, `key-lasts`, `key-scope`
 */
export async function addKey(
  manager: Manager,
  asked: KeyRequest,
): Promise<{readonly listed: ListedKey; readonly key: string}> {
  const {site, context, agent} = manager
  checkRequest(manager, callerOf(context), asked)
  const key = makeKey()
  const made = {...asked, agent: asked.agent ?? agent, hash: hashKey(key)}
  const id = await createKey(site.dataset.session, made, keysOfAgent)
  return {listed: await findListedKey({...manager, agent: made.agent}, id), key}
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

/** @throws  Problem 404 `key-exists` */
export async function dropKey({site, agent, isOfAll}: Manager, id: string): Promise<void> {
  if (!idSyntax.test(id)) throw noKey(id)
  await removeKey(site.dataset.session, id, isOfAll ? null : agent)
}

function noKey(id: string): Problem {
  return new Problem(404, 'key-exists', `There is no key ${excerpt(id)}.`)
}

function notOwn({dataset}: Site): Problem {
  const message = `Keys of other agents are for those only who have control of <${dataset.base}>.`
  return new Problem(403, 'access-granted', message)
}
