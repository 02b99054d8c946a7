/**
 * What a request may see and do: its caller's part of the site.
 *
 * Without access control and audit everything here is what it was given.
 */
import type {Context} from 'koa'
import {granteesOf} from '../../base/caller.ts'
import {Problem} from '../../base/problem.ts'
import type {Access, Guard, Mode} from '../../db/store/access.ts'
import type {Iri} from '../../rdf/term.ts'
import {recordedSite, type Site} from '../exchange.ts'
import {callerOf} from './caller.ts'
import {recordOf} from './request-record.ts'

/** What each method needs at least; what it comes to may need more (docs/security.md). */
const leastModes: Readonly<Record<string, Mode>> = {POST: 'create', PUT: 'members', PATCH: 'edit'}

/** The site as the caller of this request may use it. */
export function siteFor(whole: Site, context: Context): Site {
  const site = recordedSite(whole, context)
  const {isGuarded, isAudited} = site.access
  if (!isGuarded && !isAudited) return site
  const trail = isAudited ? {agent: callerOf(context).agent, requestId: recordOf(context.req).id} : undefined
  return withAccess(site, {guard: guardOf(site, context), trail, least: leastModes[context.method] ?? 'read'})
}

/** The same for requests that read, whatever their method. */
export function readerSiteFor(site: Site, context: Context): Site {
  const guard = guardOf(site, context)
  return guard === undefined ? site : withAccess(site, {guard, trail: undefined, least: 'read'})
}

function withAccess(site: Site, access: Access): Site {
  return {...site, dataset: {...site.dataset, store: site.dataset.store.as(access)}}
}

function guardOf({access: {isGuarded, isHidden}}: Site, context: Context): Guard | undefined {
  return isGuarded ? {grantees: granteesOf(callerOf(context)), isHidden} : undefined
}

/** Whom grants can name that the caller is; undefined where everybody may read everything. */
export function granteesFor(site: Site, context: Context): readonly string[] | undefined {
  return guardOf(site, context)?.grantees
}

/** Whether the caller may read every document. Descriptions of the whole store are for such callers only. */
export function mayReadAll(site: Site, context: Context): Promise<boolean> {
  return readerSiteFor(site, context).dataset.store.mayReadAll()
}

/** @throws  Problem 403 `access-granted`, 401 `authentication-required` */
export async function requireReadAll(site: Site, context: Context, what: string): Promise<void> {
  if (!(await mayReadAll(site, context))) throw refused(context, `${what} for those only who may read all documents`)
}

/** @throws  Problem 403 `access-granted`, 401 `authentication-required` */
export async function requireReadRoot(site: Site, context: Context, what: string): Promise<void> {
  const {base, store} = readerSiteFor(site, context).dataset
  if (!(await store.mayDo(base, ['read']))) throw refused(context, `${what} for those only who may read <${base}>`)
}

/**
 * Where the operator asks for it, queries need a grant on the document that they are sent to.
 *
 * @throws  Problem 403 `access-granted`, 401 `authentication-required`
 */
export async function requireQuery(site: Site, context: Context, iri: Iri): Promise<void> {
  if (!site.access.hasQueryGrants) return
  const {store} = readerSiteFor(site, context).dataset
  if (!(await store.mayDo(iri, ['query']))) throw refused(context, `No grant gives you query on <${iri}>`)
}

function refused(context: Context, message: string): Problem {
  if (callerOf(context).agent !== undefined) return new Problem(403, 'access-granted', `${message}.`)
  return new Problem(401, 'authentication-required', `${message}: say who you are.`)
}
