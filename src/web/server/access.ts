/**
 * Applies access control: gives each request a site whose store knows the caller's grants and writes the audit trail.
 *
 * Without access control, every caller may do everything.
 * Source: docs/security.md.
 */
import type {Context} from 'koa'
import {granteesOf} from '../../base/caller.ts'
import {Problem} from '../../base/problem.ts'
import type {Access, Guard, Mode} from '../../db/store/access.ts'
import type {Iri} from '../../rdf/term.ts'
import {recordedSite, type Site} from '../exchange.ts'
import {callerOf} from './caller.ts'
import {recordOf} from './request-record.ts'

/** The mode that each method needs at least. The action may need more (docs/security.md). */
const leastModes: Readonly<Record<string, Mode>> = {POST: 'create', PUT: 'members', PATCH: 'edit'}

/** The site with the access of this request's caller. */
export function siteFor(whole: Site, context: Context): Site {
  const site = recordedSite(whole, context)
  const {isGuarded, isAudited} = site.access
  if (!isGuarded && !isAudited) return site
  const trail = isAudited ? {agent: callerOf(context).agent, requestId: recordOf(context.req).id} : undefined
  return withAccess(site, {guard: guardOf(site, context), trail, least: leastModes[context.method] ?? 'read'})
}

/** The site for a request that only reads, whatever its method (a POSTed query, for example). */
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

/** The caller's grantees (`granteesOf`); undefined if access control is off. */
export function granteesFor(site: Site, context: Context): readonly string[] | undefined {
  return guardOf(site, context)?.grantees
}

/** Whether the caller may read every document. Only such callers get descriptions of the whole store. */
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
 * Checks that the caller has the mode `query` on the document that a query is sent to, if the settings require it.
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
