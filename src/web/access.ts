/**
 * What a request may see and do: its caller's part of the site.
 *
 * Floor 5. Without access control and audit everything here is what it was given.
 */
import type {Context} from 'koa'
import {granteesOf} from '../base/caller.ts'
import {Problem} from '../base/problem.ts'
import type {Access, Mode} from '../db/access.ts'
import {callerOf} from './caller.ts'
import {recordedSite, type Site} from './exchange.ts'
import {recordOf} from './request-record.ts'

/** What each method needs at least; what it comes to may need more (docs/security.md). */
const leastModes: Readonly<Record<string, Mode>> = {POST: 'append', PUT: 'append', PATCH: 'write', DELETE: 'write'}

/** The site as the caller of this request may use it. */
export function siteFor(whole: Site, context: Context): Site {
  const site = recordedSite(whole, context)
  const {isGuarded, isAudited, isHidden} = site.access
  if (!isGuarded && !isAudited) return site
  const caller = callerOf(context)
  const access: Access = {
    guard: isGuarded ? {grantees: granteesOf(caller), isHidden} : undefined,
    trail: isAudited ? {agent: caller.agent, requestId: recordOf(context.req).id} : undefined,
    least: leastModes[context.method] ?? 'read',
  }
  return {...site, dataset: {...site.dataset, store: site.dataset.store.as(access)}}
}

/** The same for requests that read, whatever their method. */
export function readerSiteFor(site: Site, context: Context): Site {
  const {isGuarded, isHidden} = site.access
  if (!isGuarded) return site
  const guard = {grantees: granteesOf(callerOf(context)), isHidden}
  return {...site, dataset: {...site.dataset, store: site.dataset.store.as({guard, trail: undefined, least: 'read'})}}
}

/** Whom grants can name that the caller is; undefined where everybody may read everything. */
export function granteesFor({access}: Site, context: Context): readonly string[] | undefined {
  return access.isGuarded ? granteesOf(callerOf(context)) : undefined
}

/** Whether the caller may read every document: what is told of the whole store is for these only. */
export function mayReadAll(site: Site, context: Context): Promise<boolean> {
  const {dataset} = readerSiteFor(site, context)
  return dataset.store.mayRead(dataset.base)
}

/** @throws  Problem 403 `access-granted`, 401 `authentication-required` */
export async function requireReadAll(site: Site, context: Context, what: string): Promise<void> {
  if (await mayReadAll(site, context)) return
  const {base} = site.dataset
  if (callerOf(context).agent !== undefined)
    throw new Problem(403, 'access-granted', `${what} for those only who may read <${base}>.`)
  throw new Problem(401, 'authentication-required', `${what} for those only who may read <${base}>: say who you are.`)
}
